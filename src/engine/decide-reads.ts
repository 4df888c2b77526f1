import type { ServiceError } from '#src/domain/errors.ts'
import type { FairLine } from '#src/domain/fair-line.ts'
import { abandoned, readTookTooLong } from '#src/engine/ended.ts'
import type { ReadHabits } from '#src/engine/read-habits.ts'
import type { Job } from '#src/engine/sqlite-thread-options.ts'

/** A reader whose oldest call is older than this is probably in the middle of something long. */
const LONG_READ_MS = 10
/**
 * One that has lasted for this long begins again elsewhere where there are others; later, only where its thread is
 * waited for. It has to have computed for that long too: what lasts because the processor is busy would only last longer
 * among the slow ones.
 */
const MOVED_AFTER_MS = 200
const MOVED_AFTER_COMPUTED_MS = 60
const MOVED_WITHIN_MS = 1000
/** Calls that a thread has at a time; more wait. */
const AT_A_TIME = 64
/** A call that two checks have met is long, once its thread has computed for this long or it has lasted for that long. */
const LONG_COMPUTED_MS = 20
const LONG_LASTED_MS = 250
/** A call that was asked to end and goes on computing for this long, or has not ended after that long, is abandoned. */
const PATIENCE_COMPUTED_MS = 250
const PATIENCE_MS = 1000
const PATIENCE_BEHIND_MS = 5000

export interface Read extends Job {
  /** Whose calls queue behind each other when they are slow. */
  readonly account: string
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  /** One, wherever it begins again. */
  readonly habit: { wasSlow: boolean }
}

/** A call, when it was first met there, and what the thread had computed then. */
export interface Met<T extends Job> {
  readonly job: T
  readonly since: number
  readonly time: number | undefined
}

/** What of a thread decides who goes there. */
interface ReadingThread {
  readonly isUp: boolean
  /** Calls that it has. */
  readonly load: number
  /** When the oldest of them came in. */
  readonly since: number | undefined
  /** Milliseconds that it has computed since it began, where the system says. */
  readonly time: number | undefined
  /** The call that it is in the middle of. */
  readonly running: Job | undefined
}

export interface Reader<Thread extends ReadingThread = ReadingThread> {
  readonly thread: Thread
  /** What it was in the middle of at the last check. */
  seen: Met<Read> | undefined
  /** It is in the middle of a long call. */
  long: boolean
  /** What it has been asked to end. */
  stopping: Met<Job> | undefined
}

export interface ReadersState<AReader extends Reader = Reader> {
  readonly readers: readonly AReader[]
  readonly waiting: Pick<FairLine<Read>, 'size' | 'first' | typeof Symbol.iterator>
  readonly habits: Pick<ReadHabits, 'isSlow' | 'hasOthers'>
}

/**
 * Which of those who wait is next, and which thread takes it; undefined while all have to wait. Reads of accounts that
 * are in the middle of long ones come last and one at a time, so that nobody else's is behind them.
 */
export function decide<AReader extends Reader>(
  { readers, waiting, habits }: ReadersState<AReader>,
  now: number,
): { read: Read; reader: AReader } | undefined {
  if (!waiting.size) return undefined
  const free = readers.filter(({ long, stopping }) => !long && !stopping)
  if (!free.some(({ thread }) => thread.load < AT_A_TIME)) return undefined
  const quick = waiting.first((account) => !habits.isSlow(account, now))
  if (quick) return { read: quick, reader: leastBusy(free, now) }
  return free.some(({ thread }) => !thread.load)
    ? { read: waiting.first()!, reader: leastBusy(free, now) }
    : undefined
}

/** That with the least to do, of those that are up and do not seem to be in the middle of something long. */
function leastBusy<AReader extends Reader>(free: readonly AReader[], now: number): AReader {
  const quick = free.filter(({ thread }) => thread.isUp && now - (thread.since ?? now) < LONG_READ_MS)
  return (quick.length ? quick : free).reduce((least, each) =>
    each.thread.load < least.thread.load ? each : least,
  )
}

/** Those in the middle of a read that is to begin again among slower readers, for the sake of others. */
export const readersToLeave = <AReader extends Reader>(
  { readers, habits }: ReadersState<AReader>,
  now: number,
): AReader[] =>
  readers.filter((reader) => {
    const { long, seen, stopping } = reader
    if (!long || !seen || stopping || !habits.hasOthers(seen.job.account, now)) return false
    const lasted = now - seen.since
    return lasted > MOVED_AFTER_MS && lasted < MOVED_WITHIN_MS && isSlow(reader, now)
  })

/** What it is in the middle of has not only lasted: it is slow, and counts against its account. */
export function isSlow({ long, seen, thread: { time } }: Reader, now: number): boolean {
  if (!long || !seen) return false
  if (time === undefined || seen.time === undefined) return now - seen.since > MOVED_AFTER_MS
  return time - seen.time > MOVED_AFTER_COMPUTED_MS
}

/** Those who wait and are to wait for slower readers. */
export const readsToLeave = ({ waiting, habits }: ReadersState, now: number): Read[] =>
  [...waiting]
    .filter(([account]) => habits.isSlow(account, now) && habits.hasOthers(account, now))
    .map(([, read]) => read)

/**
 * Where long reads have all threads, the newest of them: it starts again later for the sake of an account whose reads
 * are quick, and where one account has all threads for any other's.
 */
export function readToClear<AReader extends Reader>(
  { readers, waiting, habits }: ReadersState<AReader>,
  now: number,
): { read: Read; reader: AReader } | undefined {
  const long = readers.flatMap((reader) => {
    const read = reader.thread.running as Read | undefined
    return reader.long && read ? { read, reader } : []
  })
  if (readers.length < 2 || long.length < readers.length) return undefined
  const [{ read: first }] = long as [(typeof long)[0]]
  const alone = long.every(({ read }) => read.account === first.account)
  const isWorthIt = (account: string) => !habits.isSlow(account, now) || (alone && account !== first.account)
  if (![...waiting].some(([account]) => isWorthIt(account))) return undefined
  const newest = long.reduce((a, b) => (a.read.since > b.read.since ? a : b))
  return newest.reader.stopping ? undefined : newest
}

export const met = <T extends Job>({ time }: ReadingThread, job: T, now: number): Met<T> => ({
  job,
  since: now,
  time,
})

/** Two checks have met it, and not only because it waited for the processor. */
export function isLong({ seen, thread }: Reader, running: Read | undefined, now: number): boolean {
  if (!running || running !== seen?.job) return false
  const { time } = thread
  if (time === undefined || seen.time === undefined) return true
  return time - seen.time >= LONG_COMPUTED_MS || now - seen.since >= LONG_LASTED_MS
}

/** It was asked to end, and does not check for that. */
export function isStuck({ time: computed }: ReadingThread, { since, time }: Met<Job>, now: number): boolean {
  const lasted = now - since
  if (computed === undefined || time === undefined) return lasted > PATIENCE_MS
  return computed - time > PATIENCE_COMPUTED_MS || lasted > PATIENCE_BEHIND_MS
}

export function faultOf({ since, timeout, signal }: Read, now: number): ServiceError | undefined {
  if (signal?.aborted) return abandoned()
  return now - since > timeout ? readTookTooLong(timeout) : undefined
}
