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
 * one, what waits behind it moves to another; when all are, calls wait here, taken round by account, and an account
 * that has all threads gives one back. Each ends at its deadline and when its client leaves.
 */
export class SqliteReaders {
  private readonly readers: readonly Reader[]
  private readonly waiting = new FairLine<Read>()
  private timer: NodeJS.Timeout | undefined

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
      if (this.waiting.size) this.waiting.add(account, read)
      else this.place(read)
      this.timer ??= setInterval(() => this.look(), LOOK_MS).unref()
    })
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

  /** Gives those who wait to the threads that are free, each account one after the other. */
  private goOn(): void {
    while (this.waiting.size && this.free.length) {
      const busy = new Set(this.longReads().map(({ account }) => account))
      const next = this.waiting.next((account) => !busy.has(account)) ?? this.waiting.next()
      this.place(next!)
      // What is long among them shows at the next look; until then not everything goes behind it.
      if (this.free.every(({ thread }) => thread.load >= AT_A_TIME)) return
    }
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

  /** Once it has been told to end for long enough, its thread is ended: it is in the middle of one long text. */
  private stop(reader: Reader, job: Job): void {
    reader.thread.stop(job)
    reader.stopping ??= { job, since: performance.now() }
    if (performance.now() - reader.stopping.since < PATIENCE_MS) return
    reader.thread.forget(job)
    reader.thread.replace()
    reader.stopping = undefined
  }

  /** Where one account has all threads and another one waits, the newest of its reads starts again later. */
  private makeRoom(): void {
    const long = this.longReads()
    const [first] = long
    if (!first || this.readers.length < 2 || long.length < this.readers.length) return
    if (long.some(({ account }) => account !== first.account)) return
    if (![...this.waiting].some(([account]) => account !== first.account)) return
    const newest = this.readers.reduce((a, b) =>
      (a.thread.running as Read).since > (b.thread.running as Read).since ? a : b,
    )
    const job = newest.thread.running as Read
    if (newest.stopping) return
    this.waiting.add(job.account, job)
    this.stop(newest, newest.thread.disown(job))
  }
}

/** Calls that a thread gets at a time while others wait. */
const AT_A_TIME = 8

function faultOf({ since, timeout, signal }: Read): Error | undefined {
  if (signal?.aborted) return abandoned()
  return performance.now() - since > timeout ? readTookTooLong(timeout) : undefined
}
