import { unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { CallEnd } from '#src/engine/call-end.ts'
import { interrupted, overloaded, shuttingDown } from '#src/engine/ended.ts'
import type { EngineLog, SqlCall } from '#src/engine/engine.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { Heartbeat } from '#src/engine/heartbeat.ts'
import { fromFailure } from '#src/engine/failure.ts'
import type {
  FromPostgresWorker,
  PostgresNews,
  PostgresStart,
  ToPostgresWorker,
} from '#src/engine/postgres-messages.ts'
import { type Answer, type Request, replyOf } from '#src/engine/sqlite-messages.ts'
import type { WorkerHandle } from '#src/engine/sqlite-thread-options.ts'

/** Calls that one thread has at a time; more are turned away. */
const MAX_PENDING = 10_000
/** A writer whose oldest call is older than this keeps others waiting for too long. */
const STUCK_MS = 10_000
/** What a reader still has when the service closes. */
const LAST_READS_MS = 2000
/** Pause before a thread is started again that has not even come up; doubled each time. */
const RESTART_MS = 50
const MAX_RESTART_MS = 5000

type Handle = WorkerHandle<FromPostgresWorker, ToPostgresWorker>

export interface PostgresThreadOptions {
  spawn(start: PostgresStart): Handle
  start: Omit<PostgresStart, 'heartbeat'>
  log: EngineLog
  metrics: EngineMetrics
}

interface Pending {
  readonly since: number
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
  /** It may be written before its turn. */
  readonly is_ahead: boolean
}

/** The main thread's end of a worker thread that works on PostgreSQL. It starts with its first call, and again when it dies. */
export class PostgresThread {
  private readonly options: PostgresThreadOptions
  private worker: Handle | undefined
  private isUp = false
  private closed = false
  /** What is not answered, oldest first. */
  private readonly pending = new Map<number, Pending>()
  /** What came in during this turn of the event loop travels as one message, once the thread is up. */
  private outbox: Request[] = []
  private sending = false
  private seq = 1
  private failedStarts = 0
  private lastFault: Error | null = null
  private heartbeat = new Heartbeat()

  constructor(options: PostgresThreadOptions) {
    this.options = options
  }

  /** Calls that wait or are under way. */
  get load(): number {
    return this.pending.size
  }

  /** Milliseconds for which it has computed in one piece. */
  get lag(): number {
    return this.isUp && this.pending.size ? this.heartbeat.age : 0
  }

  /** What keeps it from its work, as far as its last call showed, or a call that does not end. */
  get fault(): Error | null {
    for (const { since, is_ahead } of this.pending.values()) {
      if (is_ahead) continue // it may wait for others, and keeps nobody waiting
      if (performance.now() - since <= STUCK_MS) break
      return unavailable('A change has kept all others waiting for more than 10 s', {
        suggestion: 'Try again in a moment',
      })
    }
    return this.lastFault
  }

  /** Resolves when it takes calls; what is sent before waits. */
  start(): Promise<void> {
    const { spawn, start } = this.options
    this.heartbeat = new Heartbeat()
    return new Promise((resolve, reject) => {
      const worker = spawn({ ...start, heartbeat: this.heartbeat.memory })
      let fault: unknown
      this.worker = worker
      worker.on('message', (message) => {
        if (message !== 'ready') return this.take(message)
        this.isUp = true
        this.heartbeat.beat()
        this.failedStarts = 0
        this.flush()
        resolve()
      })
      worker.on('error', (error) => (fault = error))
      worker.once('exit', (code) => {
        const error = fault ?? new Error(`the thread ended with exit code ${code}`)
        reject(error)
        if (this.worker === worker) this.lost(error)
      })
    })
  }

  read(call: SqlCall, end: CallEnd): Promise<Reply> {
    const seq = this.seq++
    return end.during(
      () => this.end(seq),
      () => this.add(seq, call),
    )
  }

  async write(call: SqlCall, signal?: AbortSignal): Promise<Reply> {
    const seq = this.seq++
    const onAbort = () => this.end(seq)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const answer = this.add(seq, call)
      if (signal?.aborted) onAbort()
      return await answer
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** After what waits is done; a read that still goes on has had its time, a write is never cut. */
  async close(): Promise<void> {
    this.flush()
    this.closed = true
    const { worker } = this
    if (!worker) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('close')
    const { role } = this.options.start
    const cut =
      role === 'reader' && this.isUp ? setTimeout(() => void worker.terminate(), LAST_READS_MS) : undefined
    await ended
    clearTimeout(cut)
  }

  private add(seq: number, call: SqlCall): Promise<Reply> {
    if (this.closed) return Promise.reject(shuttingDown())
    if (this.pending.size >= MAX_PENDING) return Promise.reject(overloaded())
    if (!this.worker) this.start().catch(() => {}) // `lost` has seen it
    if (!this.pending.size) this.heartbeat.beat() // it is on its way to a thread that rests
    return new Promise((resolve, reject) => {
      const is_ahead = call.ahead !== undefined
      this.pending.set(seq, { since: performance.now(), is_ahead, resolve, reject })
      this.outbox.push([seq, call])
      if (this.sending) return
      this.sending = true
      setImmediate(() => this.flush())
    })
  }

  /** It answers with a failure at its next look, or with what it has. */
  private end(seq: number): void {
    this.flush()
    if (this.isUp && this.pending.has(seq)) this.worker!.postMessage({ end: seq })
  }

  private flush(): void {
    this.sending = false
    if (!this.isUp || !this.outbox.length) return
    this.worker!.postMessage(this.outbox)
    this.outbox = []
  }

  private take(message: Exclude<FromPostgresWorker, 'ready'>): void {
    if ('remark' in message) return this.options.log(message.level, message.remark, message.details)
    this.report(message)
    for (const answer of message.answers) this.settle(answer)
  }

  private report({ writes, commits, holds, fault }: PostgresNews): void {
    const { metrics } = this.options
    this.lastFault = fault && fromFailure(fault)
    for (const [wait, run] of writes) metrics.call('write', wait, run)
    for (const [calls, took] of commits) metrics.commit(calls, took)
    for (const took of holds) metrics.held(took)
  }

  private settle(answer: Answer): void {
    const call = this.pending.get(answer[0])
    this.pending.delete(answer[0])
    if (answer[1]) call?.resolve(replyOf(answer[2], answer[3]))
    else call?.reject(fromFailure(answer[2]))
  }

  /** The thread is gone: what it had is lost, what it had not yet waits for its successor. */
  private lost(fault: unknown): void {
    const { role } = this.options.start
    const cameUp = this.isUp
    this.worker = undefined
    this.isUp = false
    const kept = new Set(cameUp && !this.closed ? this.outbox.map(([seq]) => seq) : [])
    this.outbox = this.outbox.filter(([seq]) => kept.has(seq))
    for (const [seq, { reject }] of this.pending)
      if (!kept.has(seq)) {
        this.pending.delete(seq)
        reject(this.closed ? shuttingDown() : interrupted(role))
      }
    if (this.closed) return
    this.options.log('error', `The ${role} thread died and is started again`, {
      reason: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    })
    const pause = cameUp ? 0 : Math.min(RESTART_MS * 2 ** this.failedStarts++, MAX_RESTART_MS)
    setTimeout(() => {
      if (!this.closed && !this.worker) this.start().catch(() => {}) // `lost` sees it again
    }, pause).unref()
  }
}
