import type { ServiceError } from '#src/domain/errors.ts'
import { abandoned, readTookTooLong } from '#src/engine/ended.ts'
import type { Job } from '#src/engine/sqlite-thread-options.ts'
import type { SqliteThread } from '#src/engine/sqlite-thread.ts'

/** A call that two checks have met is long, once its thread has computed for this long or it has lasted for that long. */
const LONG_COMPUTED_MS = 20
const LONG_LASTED_MS = 250
/** A call that was told to end and goes on computing for this long, or has not ended after that long, is abandoned. */
const PATIENCE_COMPUTED_MS = 250
const PATIENCE_MS = 1000
const PATIENCE_BEHIND_MS = 5000

export interface Read extends Job {
  /** Whose calls queue behind each other when they are slow. */
  readonly account: string
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  /** It was long, and has begun again. */
  readonly moved?: true
}

/** A call, when it was first met there, and what the thread had computed then. */
interface Met<T extends Job> {
  readonly job: T
  readonly since: number
  readonly time: number | undefined
}

export interface Reader {
  readonly thread: SqliteThread
  /** What it was in the middle of at the last check. */
  seen: Met<Read> | undefined
  /** It is in the middle of a long call. */
  long: boolean
  /** What it has been told to end. */
  stopping: Met<Job> | undefined
}

export const met = <T extends Job>(thread: SqliteThread, job: T): Met<T> => ({
  job,
  since: performance.now(),
  time: thread.time,
})

/** Two checks have met it, and not only because it waited for the processor. */
export function isLong({ seen, thread }: Reader, running: Read | undefined): boolean {
  if (!running || running !== seen?.job) return false
  const { time } = thread
  if (time === undefined || seen.time === undefined) return true
  return time - seen.time >= LONG_COMPUTED_MS || performance.now() - seen.since >= LONG_LASTED_MS
}

/** It was told to end, and does not check for that. */
export function isStuck({ time: now }: SqliteThread, { since, time }: Met<Job>): boolean {
  const lasted = performance.now() - since
  if (now === undefined || time === undefined) return lasted > PATIENCE_MS
  return now - time > PATIENCE_COMPUTED_MS || lasted > PATIENCE_BEHIND_MS
}

export function faultOf({ since, timeout, signal }: Read): ServiceError | undefined {
  if (signal?.aborted) return abandoned()
  return performance.now() - since > timeout ? readTookTooLong(timeout) : undefined
}
