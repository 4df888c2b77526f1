import { FairLine } from '#src/domain/fair-line.ts'
import type { Reply } from '#src/domain/reply.ts'
import { abandoned, overloaded } from '#src/engine/ended.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import type { SlowAccounts } from '#src/engine/slow-accounts.ts'
import { faultOf, isLong, isStuck, met, type Read, type Reader } from '#src/engine/sqlite-reader.ts'
import type { Job } from '#src/engine/sqlite-thread-options.ts'
import type { SqliteThread } from '#src/engine/sqlite-thread.ts'

/** A reader whose oldest call is older than this is probably in the middle of something long. */
const LONG_READ_MS = 10
/** Milliseconds between two checks of the calls under way. */
const LOOK_MS = 20
/** One that has lasted for so long begins again elsewhere where there are others; later, only where its thread is waited for. */
const MOVED_AFTER_MS = 200
const MOVED_WITHIN_MS = 1000
/** Calls that a thread has at a time; more wait here. */
const AT_A_TIME = 64
/** Calls that wait for a reader; more are turned away. */
const MAX_WAITING = 10_000

export interface ReadersOptions {
  timeout: number
  /** Accounts that are in the middle of long reads, here or elsewhere. */
  slow: SlowAccounts
  /** Where long reads go on, behind everything else, while there are others. */
  slower?: SqliteReaders
  /** Called before something is given to the threads. */
  onWork?: () => void
}

/**
 * Reads on several threads. Quick ones go to the thread with the least to do. When a thread is in the middle of a long
 * one, what waits behind it moves to another. Where there are others, a long read begins again among the slower readers,
 * and so do the next ones of its account; there waiting calls are taken round-robin by account, and where long reads have all threads
 * the newest gives its own back to those who are quick. Each ends at its deadline and when its client leaves.
 */
export class SqliteReaders {
  private readonly readers: readonly Reader[]
  private readonly waiting = new FairLine<Read>()
  private readonly options: ReadersOptions
  private timer: NodeJS.Timeout | undefined

  constructor(threads: readonly SqliteThread[], options: ReadersOptions) {
    this.options = options
    this.readers = threads.map((thread) => ({ thread, seen: undefined, long: false, stopping: undefined }))
  }

  read(call: SqlCall, signal?: AbortSignal): Promise<Reply> {
    if (signal?.aborted) return Promise.reject(abandoned())
    const account = call.caller.user_id ?? call.caller.address
    const { timeout, slow, slower } = this.options
    slow.asks(account)
    const readers = slower && slow.has(account) && slow.hasOthers(account) ? slower : this
    if (readers.waiting.size >= MAX_WAITING) return Promise.reject(overloaded())
    return new Promise((resolve, reject) =>
      readers.take({ call, since: performance.now(), account, timeout, signal, resolve, reject }),
    )
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

  private take(read: Read): void {
    this.options.onWork?.()
    this.waiting.add(read.account, read)
    this.goOn()
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref()
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
    const { slow } = this.options
    while (this.waiting.size && this.free.some(({ thread }) => thread.load < AT_A_TIME)) {
      const quick = this.waiting.next((account) => !slow.has(account))
      if (quick) this.place(quick)
      else if (this.free.some(({ thread }) => !thread.load)) this.place(this.waiting.next()!)
      else return
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
    this.markSlow()
    if (this.options.slower) this.moveOn(this.options.slower)
    this.makeRoom()
    this.goOn()
    if (this.waiting.size || this.readers.some(({ thread }) => thread.load)) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** As long as what was long waits or goes on, its account is slow. */
  private markSlow(): void {
    const { slow } = this.options
    for (const { thread } of this.readers)
      for (const { moved, account } of thread.jobs as Iterable<Read>) if (moved) slow.mark(account)
    for (const [account, { moved }] of this.waiting) if (moved) slow.mark(account)
  }

  private lookAt(reader: Reader): void {
    const { thread } = reader
    const running = thread.running as Read | undefined
    reader.long = isLong(reader, running)
    if (running !== reader.seen?.job) reader.seen = running && met(thread, running)
    if (reader.stopping?.job !== running) reader.stopping = undefined
    if (reader.stopping) this.stop(reader, reader.stopping.job)
    const ended = new Set<Job>()
    for (const job of thread.jobs as Iterable<Read>) {
      const fault = faultOf(job)
      if (!fault) continue
      job.reject(fault) // the one that waits need not wait for the thread
      if (job === running) {
        if (!reader.stopping) this.stop(reader, job)
      } else ended.add(job)
    }
    if (ended.size) thread.takeBack(ended)
    if (!reader.long) return
    for (const job of thread.takeBack(new Set(thread.jobs)) as Read[]) this.waiting.add(job.account, job)
  }

  /** Leaves long reads, and what else their accounts wait for, to the slower readers where there are others. */
  private moveOn(slower: SqliteReaders): void {
    const { slow } = this.options
    for (const reader of this.readers) {
      const { long, seen, stopping } = reader
      if (!long || !seen || stopping || !slow.hasOthers(seen.job.account)) continue
      const lasted = performance.now() - seen.since
      if (lasted > MOVED_AFTER_MS && lasted < MOVED_WITHIN_MS) slower.take(this.giveUp(reader, seen.job))
    }
    for (const [account, read] of this.waiting)
      if (slow.has(account) && slow.hasOthers(account)) {
        this.waiting.remove(account, read)
        slower.take(read)
      }
  }

  /** Ends what a reader is in the middle of, so that it can begin again elsewhere. */
  private giveUp(reader: Reader, job: Read): Read {
    this.stop(reader, reader.thread.disown(job))
    const moved: Read = { ...job, moved: true }
    this.options.slow.mark(job.account)
    return moved
  }

  /** Once it has been told to end for long enough, its thread is left to itself: it is in one step of SQLite. */
  private stop(reader: Reader, job: Job): void {
    const { thread } = reader
    thread.stop(job)
    reader.stopping ??= met(thread, job)
    if (isStuck(thread, reader.stopping) && thread.replace(job)) reader.stopping = undefined
  }

  /**
   * Where long reads have all threads, the newest of them starts again later for the sake of an account whose reads are
   * quick, and where one account has all threads for any other's.
   */
  private makeRoom(): void {
    const long = this.longReads()
    const [first] = long
    if (!first || this.readers.length < 2 || long.length < this.readers.length) return
    const { slow, slower } = this.options
    const alone = long.every(({ account }) => account === first.account)
    const isWorthIt = (account: string) => !slow.has(account) || (alone && account !== first.account)
    if (![...this.waiting].some(([account]) => isWorthIt(account))) return
    const newest = this.readers.reduce((a, b) =>
      (a.thread.running as Read).since > (b.thread.running as Read).since ? a : b,
    )
    const job = newest.thread.running as Read
    if (newest.stopping) return
    const moved = this.giveUp(newest, job)
    if (slower) slower.take(moved)
    else this.waiting.add(moved.account, moved)
  }
}
