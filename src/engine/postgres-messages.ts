import type { Timeouts } from '#src/engine/engine.ts'
import type { Failure } from '#src/engine/failure.ts'
import type { EngineLog } from '#src/engine/engine.ts'
import type { Answer, Request } from '#src/engine/sqlite-messages.ts'

/** What a worker thread is started with that works on PostgreSQL. */
export interface PostgresStart {
  engine: 'postgres'
  role: 'reader' | 'writer'
  url: string
  replica_urls: readonly string[]
  /** To each server. */
  connections: number
  timeouts: Timeouts
  /** By which is seen how long it computes in one piece. */
  heartbeat: SharedArrayBuffer
  /** It yields to other threads (`PRIORITY`). */
  priority?: number
}

/** What is sent to the thread: calls, the end of one that nobody waits for any more, or the end of all. */
export type ToPostgresWorker = Request[] | { end: number } | 'close'

/** What has come about in one turn of the thread's event loop. */
export interface PostgresNews {
  answers: Answer[]
  /** Of writes, milliseconds: how long each waited and ran. */
  writes: [wait: number, run: number][]
  /** How many were committed together, and how many milliseconds that took. */
  commits: [calls: number, took: number][]
  /** Milliseconds for which its transactions kept others from writing. */
  holds: number[]
  /** What keeps the writer from writing. */
  fault: Failure | null
}
export interface PostgresRemark {
  level: Parameters<EngineLog>[0]
  remark: string
  details: Record<string, unknown>
}
export type FromPostgresWorker = 'ready' | PostgresNews | PostgresRemark
