import type { ServiceError } from '#src/domain/errors.ts'
import type { FairLine } from '#src/domain/fair-line.ts'
import { abandoned, readTookTooLong } from '#src/engine/ended.ts'
import { type AccountTimes, isHeavy } from '#src/engine/account-times.ts'
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
/** The same of an account whose reads are mostly quick: on a busy machine it would wait for seconds among the slow ones. */
const MOVED_AFTER_COMPUTED_BY_QUICK_MS = 250
const MOVED_WITHIN_MS = 1000
/** Calls that a thread has at a time; more wait. */
const AT_A_TIME = 64
/** Milliseconds that others' calls which a thread has, and has not begun, are expected to compute; more wait. */
const AHEAD_MS = 5
/** What is heavy waits so long for a thread that is in the middle of a long call, beside one that is kept free. */
const SPARED_MS = 250
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
  readonly habit: {
    wasSlow: boolean
    /** What it computed counts for its account already. */
    counted: boolean
    /** Milliseconds that it was expected to compute when it was given to a thread. */
    expected: number
  }
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
  readonly isComing: boolean
  /** Calls that it has. */
  readonly load: number
  /** When the oldest of them came in. */
  readonly since: number | undefined
  /** Milliseconds that it has computed since it began, where the system says. */
  readonly time: number | undefined
  /** The call that it is in the middle of. */
  readonly running: Job | undefined
  /** The calls that it has. */
  readonly jobs: Iterable<Job>
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
  readonly waiting: Pick<FairLine<Read>, 'size' | 'heads' | typeof Symbol.iterator>
  readonly habits: Pick<ReadHabits, 'isSlow' | 'hasOthers' | 'isMostlyQuick'>
  readonly times: Pick<AccountTimes, 'used' | 'typical' | 'hasLight'>
  /** One thread is kept free of what is heavy, as long as somebody's calls are light. */
  readonly sparesOne: boolean
}

/**
 * Which of those who wait is next, and which thread takes it; undefined while all have to wait. Whose account has used
 * least is first. Reads of accounts that are in the middle of long ones come last and one at a time, so that nobody
 * else's is behind them.
 */
export function decide<AReader extends Reader>(
  state: ReadersState<AReader>,
  now: number,
): { read: Read; reader: AReader } | undefined {
  const { readers, waiting, habits } = state
  if (!waiting.size) return undefined
  const free = readers.filter((each) => !isTaken(each) && each.thread.load < AT_A_TIME)
  if (!free.length) return undefined
  const inTurn = leastUsedFirst(state, now)
  for (const [account, read] of inTurn) {
    const slow = habits.isSlow(account, now)
    const open = slow ? free.filter(({ thread }) => !thread.load) : free
    const reader = placeFor(read, open, state, now)
    if (reader) return { read, reader }
  }
  return undefined
}

/** The first read of each account; those of slow ones last. */
function leastUsedFirst({ waiting, habits, times }: ReadersState, now: number): [string, Read][] {
  const heads = [...waiting.heads()]
  if (heads.length < 2) return heads
  return heads
    .map((head) => ({ head, slow: Number(habits.isSlow(head[0], now)), used: times.used(head[0], now) }))
    .toSorted((a, b) => a.slow - b.slow || a.used - b.used)
    .map(({ head }) => head)
}

/**
 * Where there are others, only little is given to a thread beforehand. What is heavy leaves the last one without to those
 * whose reads are light, as long as another one may soon take it.
 */
function placeFor<AReader extends Reader>(
  { account, since }: Read,
  free: readonly AReader[],
  { readers, habits, times, sparesOne }: ReadersState<AReader>,
  now: number,
): AReader | undefined {
  if (!free.length) return undefined
  if (!habits.hasOthers(account, now)) return leastBusy(free, now)
  const expected = times.typical(account)
  const keepsOff = sparesOne && readers.length > 1 && isHeavy(expected) && times.hasLight(now)
  const isSpared = (reader: AReader) => {
    const others = readers.filter((each) => each !== reader)
    if (!keepsOff || others.some(staysLight)) return false
    return now - since <= SPARED_MS || !others.every(isTaken)
  }
  const open = free.filter(
    (reader) => (!reader.thread.load || expectedOf(reader) + expected <= AHEAD_MS) && !isSpared(reader),
  )
  return open.length ? leastBusy(open, now) : undefined
}

/** It takes what is short at once; one that does not come up is not waited for. */
const staysLight = (reader: Reader): boolean => {
  const { isUp, isComing, jobs } = reader.thread
  return !isUp
    ? !isComing
    : !isTaken(reader) && ![...(jobs as Iterable<Read>)].some(({ habit }) => isHeavy(habit.expected))
}

/** By what may go on for long. */
const isTaken = ({ long, stopping }: Reader): boolean => long || stopping !== undefined

const expectedOf = ({ thread }: Reader): number =>
  [...(thread.jobs as Iterable<Read>)].reduce((sum, { habit }) => sum + habit.expected, 0)

/** That with the least to do, of those that are up and do not seem to be in the middle of something long. */
function leastBusy<AReader extends Reader>(free: readonly AReader[], now: number): AReader {
  const quick = free.filter(({ thread }) => thread.isUp && now - (thread.since ?? now) < LONG_READ_MS)
  return (quick.length ? quick : free)
    .map((reader) => ({ reader, expected: expectedOf(reader), load: reader.thread.load }))
    .reduce((least, each) => ((each.expected - least.expected || each.load - least.load) < 0 ? each : least))
    .reader
}

/** Those in the middle of a read that is to begin again among slower readers, for the sake of others. */
export const readersToLeave = <AReader extends Reader>(
  state: ReadersState<AReader>,
  now: number,
): AReader[] =>
  state.readers.filter((reader) => {
    const { long, seen, stopping } = reader
    if (!long || !seen || stopping) return false
    const isQuick = state.habits.isMostlyQuick(seen.job.account)
    if (!isSlow(reader, now, isQuick ? MOVED_AFTER_COMPUTED_BY_QUICK_MS : undefined)) return false
    const lasted = now - seen.since
    if (lasted <= MOVED_AFTER_MS) return false
    if (isWaitedFor(seen.job.account, state, now)) return true
    return lasted < MOVED_WITHIN_MS && state.habits.hasOthers(seen.job.account, now)
  })

/** By somebody who has no other place. */
const isWaitedFor = (account: string, { waiting, habits }: ReadersState, now: number): boolean =>
  [...waiting.heads()].some(([other]) => other !== account && !habits.isSlow(other, now))

/** What it is in the middle of has not only lasted: it is slow, and counts against its account. */
export function isSlow(
  { long, seen, thread: { time } }: Reader,
  now: number,
  computed = MOVED_AFTER_COMPUTED_MS,
): boolean {
  if (!long || !seen) return false
  if (time === undefined || seen.time === undefined) return now - seen.since > MOVED_AFTER_MS
  return time - seen.time > computed
}

/** Those who wait and are to wait for slower readers. */
export const readsToLeave = ({ waiting, habits }: ReadersState, now: number): Read[] =>
  [...waiting]
    .filter(([account]) => habits.isSlow(account, now) && habits.hasOthers(account, now))
    .map(([, read]) => read)

/**
 * Where long reads have all threads, the newest of them: it starts again later for the sake of an account whose reads
 * are quick, and where one account has all threads for any other's. What has only lasted,
 * because the processor is busy, stays where it is of an account whose reads are mostly quick.
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
  const hasOnlyLasted = ({ read, reader }: (typeof long)[0]) =>
    reader.thread.time !== undefined && !isSlow(reader, now) && habits.isMostlyQuick(read.account)
  const [newest] = long.filter((each) => !hasOnlyLasted(each)).toSorted((a, b) => b.read.since - a.read.since)
  return newest?.reader.stopping ? undefined : newest
}

export const met = <T extends Job>({ time }: ReadingThread, job: T, now: number): Met<T> => ({
  job,
  since: now,
  time,
})

/** By the clock where nobody knows what the thread has computed. */
export const computedSince = ({ time }: ReadingThread, met: Met<Job>, now: number): number =>
  time === undefined || met.time === undefined ? now - met.since : time - met.time

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
