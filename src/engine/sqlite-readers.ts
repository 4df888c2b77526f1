import { FairLine } from '#src/domain/fair-line.ts'
import type { Reply } from '#src/domain/reply.ts'
import {
  computedSince,
  decide,
  faultOf,
  isLong,
  isSlow,
  isStuck,
  met,
  type Read,
  type Reader,
  type ReadersState,
  readersToLeave,
  readsToLeave,
  readToClear,
} from '#src/engine/decide-reads.ts'
import { abandoned, overloaded } from '#src/engine/ended.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import { accountOf, type AccountTimes } from '#src/engine/account-times.ts'
import type { ReadHabits } from '#src/engine/read-habits.ts'
import type { Job } from '#src/engine/sqlite-thread-options.ts'
import type { SqliteThread } from '#src/engine/sqlite-thread.ts'

/** Milliseconds between two checks of the calls under way. */
const LOOK_MS = 20
/** Calls that wait for a reader; more are turned away. */
const MAX_WAITING = 10_000

export interface ReadersOptions {
  timeout: number
  /** Whose reads are mostly slow, here or elsewhere. */
  habits: ReadHabits
  /** What accounts have used, here and elsewhere. */
  times: AccountTimes
  /** Where long reads go on, behind everything else, while there are others. */
  slower?: SqliteReaders
  /** Called when something comes in, and before it is given to a thread. */
  onWork?: (thread?: SqliteThread) => void
}

type ThreadReader = Reader<SqliteThread>

/**
 * Reads on several threads; `decide-reads.ts` says who goes where, and what it says is carried out here. Quick ones go
 * to the thread with the least to do. When a thread is in the middle of a long one, what waits behind it moves to
 * another. Where there are others, a long read begins again among the slower readers, and so do the next ones of its
 * account; there waiting calls are taken round-robin by account, and where long reads have all threads the newest gives
 * its own back to those who are quick. Each ends at its deadline and when its client leaves.
 */
export class SqliteReaders implements ReadersState<ThreadReader> {
  readonly readers: readonly ThreadReader[]
  readonly waiting = new FairLine<Read>()
  readonly habits: ReadHabits
  readonly times: AccountTimes
  /** One of the quick readers; the others have nobody to spare it for. */
  readonly sparesOne: boolean
  private readonly options: ReadersOptions
  private timer: NodeJS.Timeout | undefined

  constructor(threads: readonly SqliteThread[], options: ReadersOptions) {
    this.options = options
    this.sparesOne = options.slower !== undefined
    this.habits = options.habits
    this.times = options.times
    this.readers = threads.map((thread) => ({
      thread,
      seen: undefined,
      long: false,
      stopping: undefined,
    }))
  }

  read(call: SqlCall, signal?: AbortSignal, timeout = this.options.timeout): Promise<Reply> {
    if (signal?.aborted) return Promise.reject(abandoned())
    const account = accountOf(call)
    const { habits, slower } = this.options
    habits.asks(account)
    const readers = slower && habits.isSlow(account) && habits.hasOthers(account) ? slower : this
    if (readers.waiting.size >= MAX_WAITING) return Promise.reject(overloaded())
    const habit = { wasSlow: false, counted: false, expected: 0 }
    return new Promise<Reply>((resolve, reject) =>
      readers.take({ call, since: performance.now(), account, timeout, signal, habit, resolve, reject }),
    ).then((reply) => {
      if (!habit.wasSlow) habits.wasQuick(account)
      return reply
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

  /** Of a call that has ended, and at once of one that turns out to be long; of each only once. */
  ran({ account, habit }: Read, computed: number): void {
    if (!habit.counted) this.times.ran(account, computed)
    habit.counted = true // it may end and begin again elsewhere
  }

  close(): void {
    clearInterval(this.timer)
  }

  private take(read: Read): void {
    this.options.onWork?.()
    this.waiting.add(read.account, read)
    this.goOn()
    this.timer ??= setInterval(() => this.stopLate(), LOOK_MS).unref()
  }

  /** Gives those who wait to the threads that are free. */
  private goOn(): void {
    const now = performance.now()
    for (let next; (next = decide(this, now)); next.reader.thread.add(next.read)) {
      this.waiting.take(next.read.account, next.read)
      next.read.habit.expected = this.times.typical(next.read.account)
      this.options.onWork?.(next.reader.thread)
    }
    if (this.waiting.size) this.options.onWork?.() // who waits may wait for a thread that has not been started
  }

  private stopLate(): void {
    const now = performance.now()
    for (const reader of this.readers) this.lookAt(reader, now)
    for (const [account, read] of this.waiting) {
      const fault = faultOf(read, now)
      if (!fault) continue
      this.waiting.remove(account, read)
      read.reject(fault)
    }
    this.holdSlow(now)
    if (this.options.slower) this.moveOn(this.options.slower, now)
    this.makeRoom(now)
    this.goOn()
    if (this.waiting.size || this.readers.some(({ thread }) => thread.load)) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** As long as what was slow waits or goes on, its account does not become another. */
  private holdSlow(now: number): void {
    const { habits } = this
    for (const { thread } of this.readers)
      for (const { habit, account } of thread.jobs as Iterable<Read>)
        if (habit.wasSlow) habits.goesOn(account, now)
    for (const [account, { habit }] of this.waiting) if (habit.wasSlow) habits.goesOn(account, now)
  }

  private countSlow({ account, habit }: Read, now: number): void {
    if (!habit.wasSlow) this.habits.wasSlow(account, now)
    habit.wasSlow = true
  }

  private lookAt(reader: ThreadReader, now: number): void {
    const { thread } = reader
    thread.stopVain()
    const running = thread.running as Read | undefined
    const { long } = reader
    reader.long = isLong(reader, running, now)
    if (reader.long && !long) this.ran(reader.seen!.job, computedSince(thread, reader.seen!, now))
    if (isSlow(reader, now)) this.countSlow(reader.seen!.job, now)
    if (running !== reader.seen?.job) reader.seen = running && met(thread, running, now)
    if (reader.stopping?.job !== running) reader.stopping = undefined
    if (reader.stopping) this.stop(reader, reader.stopping.job)
    const ended = new Set<Job>()
    for (const job of thread.jobs as Iterable<Read>) {
      const fault = faultOf(job, now)
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
  private moveOn(slower: SqliteReaders, now: number): void {
    for (const reader of readersToLeave(this, now)) {
      const read = reader.seen!.job
      this.giveUp(reader, read)
      slower.take(read)
    }
    for (const read of readsToLeave(this, now)) {
      this.waiting.remove(read.account, read)
      slower.take(read)
    }
  }

  /** Ends what a reader is in the middle of, so that it can begin again elsewhere. */
  private giveUp(reader: ThreadReader, job: Read): void {
    this.stop(reader, reader.thread.disown(job))
  }

  /** Once it has been asked to end for long enough, its thread is left to itself: it is in one step of SQLite. */
  private stop(reader: ThreadReader, job: Job): void {
    const { thread } = reader
    const now = performance.now()
    thread.stop(job)
    reader.stopping ??= met(thread, job, now)
    const { stopping } = reader
    if (!isStuck(thread, stopping, now) || !thread.replace(job)) return
    this.ran(stopping.job as Read, computedSince(thread, stopping, now)) // nobody else says so
    reader.stopping = undefined
  }

  private makeRoom(now: number): void {
    const newest = readToClear(this, now)
    if (!newest) return
    const { read, reader } = newest
    this.giveUp(reader, read)
    const { slower } = this.options
    // Of somebody whose reads are mostly quick it has lasted because everything does: it would last longer over there.
    if (slower && !this.habits.isMostlyQuick(read.account)) slower.take(read)
    else this.waiting.add(read.account, read)
  }
}
