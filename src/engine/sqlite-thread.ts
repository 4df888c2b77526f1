import { interrupted, overloaded, shuttingDown } from '#src/engine/ended.ts'
import { fromFailure } from '#src/engine/failure.ts'
import { StopSign } from '#src/engine/stop-sign.ts'
import { lowerThread, PRIORITY } from '#src/process/thread-priority.ts'
import { monotonic, ThreadTime } from '#src/process/thread-time.ts'
import {
  type Answer,
  type FromWorker,
  type Request,
  type Times,
  type ToWorker,
  type WorkerStart,
  replyOf,
} from '#src/engine/sqlite-messages.ts'
import type { Job, ThreadOptions, WorkerHandle } from '#src/engine/sqlite-thread-options.ts'

/** Calls that wait for one thread; more are turned away. */
const MAX_WAITING = 10_000
/** What a reader still has when the service closes. */
const LAST_READS_MS = 2000
/** Numbers of calls fit in a cell of shared memory. */
const MAX_SEQ = 2 ** 30
/** Threads that have been replaced and have not ended yet, in the place of one. */
const MAX_LEAVING = 2
/** Pause before a thread that died is started again; doubled each time that it does not even come up. */
const RESTART_MS = 50
const MAX_RESTART_MS = 5000

/** What the clock that threads share is ahead of this thread's own. */
const THREADS_CLOCK = monotonic() - performance.now()

type State = 'starting' | 'up' | 'down' | 'closed'

/** The main thread's end of one worker thread, which it starts again when it dies (decision 72). */
export class SqliteThread {
  private readonly options: ThreadOptions
  private worker: WorkerHandle | undefined
  private state: State = 'starting'
  /** What was sent and is not answered, oldest first. */
  private readonly pending = new Map<number, Job>()
  private sign = new StopSign()
  private clock: ThreadTime | undefined
  /** Ended on purpose, and in the middle of something yet: SQLite is not to be interrupted. */
  private readonly leaving = new Set<WorkerHandle>()
  /** What came in during this turn of the event loop travels as one message. */
  private outbox: Request[] = []
  private sending = false
  private seq = 1
  private failedStarts = 0

  constructor(options: ThreadOptions) {
    this.options = options
  }

  get load(): number {
    return this.pending.size
  }

  get isUp(): boolean {
    return this.state === 'up'
  }

  /** It is not up yet, and has not failed to be. */
  get isComing(): boolean {
    return this.state === 'starting'
  }

  /** When the oldest call came in that it has not answered. */
  get since(): number | undefined {
    return this.pending.values().next().value?.since
  }

  /** Milliseconds that the thread has computed since it began; undefined where the system does not say. */
  get time(): number | undefined {
    const { thread } = this.sign
    if (this.clock?.thread !== thread) {
      this.clock?.close()
      this.clock = new ThreadTime(thread)
    }
    return this.clock.read()
  }

  /** The call that it is in the middle of. */
  get running(): Job | undefined {
    return this.pending.get(this.sign.running)
  }

  /** What it has not answered, oldest first. */
  get jobs(): Iterable<Job> {
    return this.pending.values()
  }

  /** Resolves when the thread takes calls, rejects when it ends before. */
  start(): Promise<void> {
    const { spawn, start } = this.options
    this.sign = new StopSign()
    const data: WorkerStart = { ...start, stop_sign: this.sign.memory }
    return new Promise((resolve, reject) => {
      const worker = spawn(data)
      let fault: unknown
      this.worker = worker
      worker.on('message', (message: FromWorker) => {
        if (this.worker !== worker) return // replaced: nobody waits for it
        if (message !== 'ready') return this.take(message)
        this.open()
        resolve()
      })
      worker.on('error', (error) => (fault = error))
      worker.once('exit', (code) => {
        const error = fault ?? new Error(`the thread ended with exit code ${code}`)
        reject(error)
        this.leaving.delete(worker)
        if (this.worker === worker) this.lost(error)
      })
    })
  }

  /** Where it cannot be taken on it is rejected. */
  add(job: Job): void {
    if (this.state === 'closed') return job.reject(shuttingDown())
    if (this.state === 'down' || this.pending.size >= MAX_WAITING) return job.reject(overloaded())
    const seq = this.seq
    this.seq = seq === MAX_SEQ ? 1 : seq + 1
    this.pending.set(seq, job)
    this.outbox.push([seq, job.call])
    this.flushSoon()
  }

  /** Ends the call where it is running, at its next look; it answers with a failure then, or with what it has. */
  stop(job: Job): void {
    const seq = this.sign.running
    if (this.pending.get(seq) === job) this.sign.stop(seq)
  }

  /** Those calls of `jobs` that it has not begun. It does not carry them out; a read that it has just begun, in vain. */
  takeBack(jobs: ReadonlySet<Job>): Job[] {
    const running = this.sign.running
    const taken = [...this.pending].filter(([seq, job]) => seq !== running && jobs.has(job))
    if (!taken.length) return []
    const seqs = new Set(taken.map(([seq]) => seq))
    for (const seq of seqs) this.pending.delete(seq)
    this.outbox = this.outbox.filter(([seq]) => !seqs.has(seq))
    if (this.state === 'up') this.worker!.postMessage({ drop: [...seqs] } satisfies ToWorker)
    return taken.map(([, job]) => job)
  }

  /** Ends what it is in the middle of where that was taken back just as it began: others would wait behind it. */
  stopVain(): void {
    const seq = this.sign.running
    if (seq && !this.pending.has(seq)) this.sign.stop(seq)
  }

  /** What comes of it is heard by nobody, because it starts again elsewhere. Returns what stands for it. */
  disown(job: Job): Job {
    const ghost: Job = { ...job, resolve() {}, reject() {} }
    for (const [seq, each] of this.pending) if (each === job) this.pending.set(seq, ghost)
    return ghost
  }

  /**
   * For a reader that does not look up from `job`, which nobody waits for: a new thread takes over all else, at once.
   * The old one ends as soon as it is back from the step of SQLite that it is in, behind everything else until then.
   * @returns false where too many are in such a step: it goes on.
   */
  replace(job: Job): boolean {
    const { worker } = this
    if (this.state !== 'up' || !worker || this.leaving.size >= MAX_LEAVING) return false
    for (const [seq, each] of this.pending) if (each === job) this.pending.delete(seq)
    this.leaving.add(worker)
    lowerThread(this.sign.thread, PRIORITY.last)
    void worker.terminate()
    this.outbox = [...this.pending].map(([seq, { call }]) => [seq, call])
    this.state = 'starting'
    this.startAgain()
    return true
  }

  /** Ends the thread while it has nothing to do. What comes in then waits until it is started again. */
  rest(): boolean {
    const { worker } = this
    if (this.state !== 'up' || !worker || this.pending.size) return false
    this.state = 'starting'
    this.worker = undefined
    this.leaving.add(worker)
    worker.postMessage('close' satisfies ToWorker)
    return true
  }

  /** After what waits is done. */
  async close(): Promise<void> {
    const wasUp = this.state === 'up'
    this.flush()
    this.state = 'closed'
    const { worker } = this
    const { start } = this.options
    const left = [...this.leaving].map((each) => new Promise((resolve) => each.once('exit', resolve)))
    this.clock?.close()
    if (!worker) return void (await Promise.all(left))
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    // One that still starts reads it then: to end it while SQLite is being loaded would abort the process.
    worker.postMessage('close' satisfies ToWorker)
    // A read that still goes on has had its time; a write is never cut.
    const cut =
      wasUp && start.role === 'reader' ? setTimeout(() => void worker.terminate(), LAST_READS_MS) : undefined
    await Promise.all([ended, ...left])
    clearTimeout(cut)
  }

  private flushSoon(): void {
    if (this.sending || this.state !== 'up') return
    this.sending = true
    setImmediate(() => this.flush())
  }

  private flush(): void {
    this.sending = false
    if (this.state !== 'up' || !this.outbox.length) return
    this.worker!.postMessage(this.outbox satisfies ToWorker)
    this.outbox = []
  }

  private open(): void {
    if (this.state === 'closed') return
    this.state = 'up'
    this.failedStarts = 0
    this.flush()
  }

  private take(message: Exclude<FromWorker, 'ready'>): void {
    if (Array.isArray(message)) {
      this.options.onAnswers?.()
      for (const answer of message) this.settle(answer)
    } else if ('answers' in message) {
      const { answers, held, commit } = message
      this.options.onHeld?.(held)
      if (commit !== undefined) this.options.onCommit?.(answers.length, commit)
      this.take(answers)
    } else this.options.log('warn', message.remark, message.details)
  }

  private settle(answer: Answer): void {
    const call = this.pending.get(answer[0])
    this.pending.delete(answer[0])
    const times = answer[1] ? answer[4] : answer[3]
    if (call && times) this.reportTimes(call, times)
    if (answer[1]) call?.resolve(replyOf(answer[2], answer[3]))
    else {
      if (answer[2].damage) this.options.onDamage()
      const error = fromFailure(answer[2])
      if (answer[2].outside) this.options.onOutside?.(error)
      call?.reject(error)
    }
  }

  private reportTimes(job: Job, [began, took, computed = took]: Times): void {
    this.options.onTimes?.(began - THREADS_CLOCK - job.since, took, job, computed)
  }

  /** The thread is gone: what it had is lost, what it had not yet waits for its successor. */
  private lost(fault: unknown): void {
    this.worker = undefined
    const closed = this.state === 'closed'
    const cameUp = this.state === 'up'
    const kept = new Set(cameUp && !closed ? this.outbox.map(([seq]) => seq) : [])
    if (!cameUp) this.outbox = []
    for (const [seq, call] of this.pending)
      if (!kept.has(seq)) {
        this.pending.delete(seq)
        call.reject(closed ? shuttingDown() : interrupted(this.options.start.role))
      }
    if (closed) return
    this.options.log('error', `The ${this.options.start.role} thread died and is started again`, {
      reason: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    })
    this.state = cameUp ? 'starting' : 'down'
    setTimeout(() => this.startAgain(), cameUp ? 0 : this.pause()).unref()
  }

  private pause(): number {
    return Math.min(RESTART_MS * 2 ** this.failedStarts++, MAX_RESTART_MS)
  }

  private startAgain(): void {
    if (this.state === 'closed') return
    this.start().catch(() => {}) // `lost` has seen it
  }
}
