import { Worker } from 'node:worker_threads'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import type { EngineLog, SqlCall } from '#src/engine/engine.ts'
import { fromFailure } from '#src/engine/failure.ts'
import type { Answer, FromWorker, Request, ToWorker, WorkerStart } from '#src/engine/sqlite-worker.ts'

/** Calls that wait for one thread; more are turned away. */
const MAX_WAITING = 10_000
/** Pause before a thread that died is started again; doubled each time that it does not even come up. */
const RESTART_MS = 50
const MAX_RESTART_MS = 5000

interface Pending {
  resolve(reply: Reply): void
  reject(error: Error): void
  since: number
}

export interface ThreadOptions {
  /** The module that the thread starts with. */
  module: URL
  start: WorkerStart
  log: EngineLog
  /** Called when answers come, before anybody hears of them. */
  onAnswers?: () => void
  /** Called when a call met a broken database file. */
  onDamage(): void
}

type State = 'starting' | 'up' | 'down' | 'closed'

/** The main thread's end of one worker thread, which it starts again when it dies. */
export class SqliteThread {
  private readonly options: ThreadOptions
  private worker: Worker | undefined
  private state: State = 'starting'
  /** What was sent and is not answered, oldest first. */
  private readonly pending = new Map<number, Pending>()
  /** What came in during this turn of the event loop travels as one message. */
  private outbox: Request[] = []
  private sending = false
  private seq = 0
  private failedStarts = 0

  constructor(options: ThreadOptions) {
    this.options = options
  }

  get load(): number {
    return this.pending.size
  }

  /** Milliseconds for which the oldest call has been waiting. */
  get delay(): number {
    for (const { since } of this.pending.values()) return performance.now() - since
    return 0
  }

  /** Resolves when the thread takes calls, rejects when it ends before. */
  start(): Promise<void> {
    const { module, start } = this.options
    return new Promise((resolve, reject) => {
      const worker = new Worker(module, { workerData: start, name: `sqlite-${start.role}` })
      let fault: unknown
      this.worker = worker
      worker.on('message', (message: FromWorker) => {
        if (message !== 'ready') return this.take(message)
        this.open()
        resolve()
      })
      worker.on('error', (error) => (fault = error))
      worker.once('exit', (code) => {
        const error = fault ?? new Error(`the thread ended with exit code ${code}`)
        reject(error)
        this.lost(error)
      })
    })
  }

  call(call: SqlCall): Promise<Reply> {
    if (this.state === 'closed') return Promise.reject(shuttingDown())
    if (this.state === 'down' || this.pending.size >= MAX_WAITING) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      const seq = this.seq++
      this.pending.set(seq, { resolve, reject, since: performance.now() })
      this.outbox.push([seq, call])
      this.flushSoon()
    })
  }

  /** After what waits is done. */
  async close(): Promise<void> {
    const wasUp = this.state === 'up'
    this.flush()
    this.state = 'closed'
    const { worker } = this
    if (!worker) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    if (wasUp) worker.postMessage('close' satisfies ToWorker)
    else void worker.terminate()
    await ended
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
    } else this.options.log('warn', message.remark, message.details)
  }

  private settle(answer: Answer): void {
    const call = this.pending.get(answer[0])
    this.pending.delete(answer[0])
    if (answer[1]) call?.resolve(new Reply(answer[2], answer[3]))
    else {
      if (answer[2].damage) this.options.onDamage()
      call?.reject(fromFailure(answer[2]))
    }
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
        call.reject(closed ? shuttingDown() : this.interrupted())
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

  private interrupted(): ServiceError {
    return this.options.start.role === 'writer'
      ? unavailable('The service broke off while it made this change: whether it was made is unknown', {
          suggestion: 'Read before trying again',
        })
      : unavailable('The service broke off while it read', { suggestion: 'Try again' })
  }
}

const shuttingDown = () => unavailable('The service is shutting down', { suggestion: 'Try again shortly' })
const overloaded = () =>
  unavailable('The service has more to do than it can take on', { suggestion: 'Try again in a moment' })
