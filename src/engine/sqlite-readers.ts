import { FairLine } from '#src/domain/fair-line.ts'
import type { Reply } from '#src/domain/reply.ts'
import { abandoned, readTookTooLong } from '#src/engine/ended.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import { type Job, overloaded, type SqliteThread } from '#src/engine/sqlite-thread.ts'

/** A reader whose oldest call is older than this is probably in the middle of something long. */
const LONG_READ_MS = 10
/** How often it is looked after what is under way; a call that is met at two looks is long. */
const LOOK_MS = 20
/** A call that was told to end and has not done so by then is ended with its thread. */
const PATIENCE_MS = 1000
/** Calls that a thread has at a time; more wait here. */
const AT_A_TIME = 64
/** An account whose read was long counts as slow for this long after it. */
const SLOW_FOR_MS = 500
/** A thread that others have just used is kept free for their next reads. */
const KEPT_FREE_MS = 200
/** Calls that wait for a reader; more are turned away. */
const MAX_WAITING = 10_000

interface Read extends Job {
  /** Whose calls queue behind each other when they are slow. */
  readonly account: string
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

interface Reader {
  readonly thread: SqliteThread
  /** What it was in the middle of at the last look. */
  seen: Job | undefined
  /** It has been in the middle of the same call for two looks. */
  long: boolean
  /** Told to end at this time. */
  stopping: { job: Job; since: number } | undefined
}

/**
 * Reads on several threads. Quick ones go to the thread with the least to do. When a thread is in the middle of a long
 * one, what waits behind it moves to another; when all are, calls wait here, taken round by account, and the newest
 * long read gives its thread back to those who are quick. Each ends at its deadline and when its client leaves.
 */
export class SqliteReaders {
  private readonly readers: readonly Reader[]
  private readonly waiting = new FairLine<Read>()
  private timer: NodeJS.Timeout | undefined
  /** Accounts that were lately in the middle of a long read, and until when they count as that. */
  private readonly slow = new Map<string, number>()
  /** When another account asked for something while there were such. */
  private lastQuick = -Infinity

  private readonly timeout: number

  constructor(threads: readonly SqliteThread[], timeout: number) {
    this.timeout = timeout
    this.readers = threads.map((thread) => ({ thread, seen: undefined, long: false, stopping: undefined }))
  }

  read(call: SqlCall, signal?: AbortSignal): Promise<Reply> {
    if (signal?.aborted) return Promise.reject(abandoned())
    if (this.waiting.size >= MAX_WAITING) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      const account = call.caller.user_id ?? call.caller.address
      const { timeout } = this
      const read = { call, since: performance.now(), account, timeout, signal, resolve, reject }
      if (this.slow.size && !this.slow.has(account)) this.lastQuick = performance.now()
      this.waiting.add(account, read)
      this.goOn()
      this.timer ??= setInterval(() => this.look(), LOOK_MS).unref()
    })
  }

  /** Calls that wait or are under way. */
  get load(): number {
    return this.readers.reduce((sum, { thread }) => sum + thread.load, this.waiting.size)
  }

  /** After the answers of a thread. */
  answered(thread: SqliteThread): void {
    const reader = this.readers.find((each) => each.thread === thread)!
    reader.long = false
    reader.seen = undefined
    this.goOn()
  }

  close(): void {
    clearInterval(this.timer)
  }

  private get free(): readonly Reader[] {
    return this.readers.filter(({ long, stopping }) => !long && !stopping)
  }

  private place(read: Read): void {
    const { free } = this
    const quick = free.filter(({ thread }) => thread.isUp && thread.delay < LONG_READ_MS)
    const [first, ...others] = quick.length ? quick : free
    if (!first) return this.waiting.add(read.account, read)
    others
      .reduce((least, each) => (each.thread.load < least.thread.load ? each : least), first)
      .thread.add(read)
  }

  /**
   * Gives those who wait to the threads that are free. Reads of accounts that are in the middle of long ones come
   * last and one at a time, so that nobody else's is behind them.
   */
  private goOn(): void {
    while (this.waiting.size && this.free.some(({ thread }) => thread.load < AT_A_TIME)) {
      const quick = this.waiting.next((account) => !this.slow.has(account))
      if (quick) this.place(quick)
      else if (this.isQuiet()) this.place(this.waiting.next()!)
      else return
    }
  }

  /** A thread has nothing to do, and nobody but those with long reads has just asked for something. */
  private isQuiet(): boolean {
    return this.free.some(({ thread }) => !thread.load) && performance.now() - this.lastQuick > KEPT_FREE_MS
  }

  private longReads(): Read[] {
    return this.readers.flatMap(({ long, thread }) =>
      long ? ((thread.running as Read | undefined) ?? []) : [],
    )
  }

  private look(): void {
    for (const reader of this.readers) this.lookAt(reader)
    for (const [account, read] of this.waiting)
      if (faultOf(read)) {
        this.waiting.remove(account, read)
        read.reject(faultOf(read)!)
      }
    this.markSlow()
    this.makeRoom()
    this.goOn()
    if (this.waiting.size || this.readers.some(({ thread }) => thread.load)) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private lookAt(reader: Reader): void {
    const { thread } = reader
    const running = thread.running as Read | undefined
    reader.long = running !== undefined && running === reader.seen
    reader.seen = running
    if (reader.stopping?.job !== running) reader.stopping = undefined
    if (reader.stopping) this.stop(reader, reader.stopping.job)
    const ended = new Set<Job>()
    for (const job of thread.jobs as Iterable<Read>) {
      const fault = faultOf(job)
      if (!fault) continue
      job.reject(fault) // whoever waits need not wait for the thread
      if (job === running) {
        if (!reader.stopping) this.stop(reader, job)
      } else ended.add(job)
    }
    if (ended.size) thread.takeBack(ended)
    if (!reader.long) return
    for (const job of thread.takeBack(new Set(thread.jobs)) as Read[]) this.waiting.add(job.account, job)
  }

  private markSlow(): void {
    const now = performance.now()
    for (const { account } of this.longReads()) this.slow.set(account, now + SLOW_FOR_MS)
    for (const [account, until] of this.slow) if (until < now) this.slow.delete(account)
  }

  /** Once it has been told to end for long enough, its thread is ended: it is in the middle of one long text. */
  private stop(reader: Reader, job: Job): void {
    reader.thread.stop(job)
    reader.stopping ??= { job, since: performance.now() }
    if (performance.now() - reader.stopping.since < PATIENCE_MS) return
    reader.thread.forget(job)
    reader.thread.replace()
    reader.stopping = undefined
  }

  /**
   * Where long reads have all threads, the newest of them starts again later for the sake of an account whose reads are
   * quick, and where one account has all threads for any other's.
   */
  private makeRoom(): void {
    const long = this.longReads()
    const [first] = long
    if (!first || this.readers.length < 2 || long.length < this.readers.length) return
    const alone = long.every(({ account }) => account === first.account)
    const isWorthIt = (account: string) => !this.slow.has(account) || (alone && account !== first.account)
    if (![...this.waiting].some(([account]) => isWorthIt(account))) return
    const newest = this.readers.reduce((a, b) =>
      (a.thread.running as Read).since > (b.thread.running as Read).since ? a : b,
    )
    const job = newest.thread.running as Read
    if (newest.stopping) return
    this.waiting.add(job.account, job)
    this.stop(newest, newest.thread.disown(job))
  }
}

function faultOf({ since, timeout, signal }: Read): Error | undefined {
  if (signal?.aborted) return abandoned()
  return performance.now() - since > timeout ? readTookTooLong(timeout) : undefined
}
