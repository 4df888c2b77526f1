import type { Reply } from '#src/domain/reply.ts'
import type { EngineLog, SqlCall } from '#src/engine/engine.ts'
import type { FromPostgresWorker, PostgresStart, ToPostgresWorker } from '#src/engine/postgres-messages.ts'
import type { FromWorker, ToWorker, WorkerStart } from '#src/engine/sqlite-messages.ts'

/** A call that somebody waits for. */
export interface Job {
  readonly call: SqlCall
  /** When it came in. */
  readonly since: number
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
}

/** What is used of a worker thread. */
export interface WorkerHandle<From = FromWorker, To = ToWorker> {
  on(event: 'message', listener: (message: From) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  once(event: 'exit', listener: (code: number) => void): unknown
  postMessage(message: To): void
  terminate(): unknown
}

/** Starts a thread, which says 'ready' when it takes calls; the system and profiles know it by its name. */
export interface StartThread {
  (start: WorkerStart, name: string): WorkerHandle
  (start: PostgresStart, name: string): WorkerHandle<FromPostgresWorker, ToPostgresWorker>
}

export interface ThreadOptions {
  spawn(start: WorkerStart): WorkerHandle
  start: Omit<WorkerStart, 'stop_sign'>
  log: EngineLog
  /** Called when answers come, before anybody hears of them. */
  onAnswers?: () => void
  /** Milliseconds that a call waited, took and computed. */
  onTimes?: (wait: number, run: number, job: Job, computed: number) => void
  /** This many calls were committed together; milliseconds. */
  onCommit?: (calls: number, took: number) => void
  /** A transaction that writes is over; milliseconds. */
  onHeld?: (took: number) => void
  /** Called when the world outside kept a call from being carried out. */
  onOutside?: (error: Error) => void
  /** Called when a call met a broken database file. */
  onDamage(): void
}
