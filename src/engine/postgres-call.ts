import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { abandoned, changeTookTooLong } from '#src/engine/ended.ts'
import type { EngineLog, SqlCall, SqlRunner } from '#src/engine/engine.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { postgresFault } from '#src/sql/postgres-fault.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import type { Db, PatternMatcher } from '#src/sql/query.ts'

export interface WriterOptions {
  hosts: PostgresHosts
  patterns: PatternMatcher
  run: SqlRunner
  /** New ids come after this one; read under the lock, so that ids go forward over all processes. */
  newestId: (db: Db) => Promise<Ulid | null>
  /** What others may have moved with every write, for the cache; read under the lock. */
  remember?: (db: Db) => Promise<ReadonlyMap<string, unknown>>
  log: EngineLog
  /** What an operator's command writes, everybody sees at once. */
  writes_for?: 'caller' | 'everybody'
  /** Milliseconds after which a change is ended. */
  timeout: number
  metrics: Pick<EngineMetrics, 'call' | 'commit' | 'held'>
  /** Called after each commit. */
  committed?: () => void
}

/** A call of the writer. */
export interface Asked {
  call: SqlCall
  since: number
  signal: AbortSignal | undefined
}

/** The outcome of one call before its transaction has committed. */
export type Outcome<Call extends Asked> = { waiting: Call; reply: Reply } | { waiting: Call; error: unknown }

export const settled = <Call extends Asked>(outcome: Outcome<Call>): Outcome<Call> =>
  'error' in outcome ? { ...outcome, error: postgresFault(outcome.error) ?? outcome.error } : outcome

/** @throws what the call has failed with */
export function replyOf(outcome: Outcome<Asked>): Reply {
  if ('error' in outcome) throw outcome.error
  return outcome.reply
}

/** @throws where the change is to end */
export function throwIfEnded({ signal, since }: Asked, timeout: number): void {
  if (signal?.aborted) throw abandoned()
  if (performance.now() - since > timeout) throw changeTookTooLong(timeout)
}
