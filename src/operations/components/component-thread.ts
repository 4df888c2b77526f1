import { Worker } from 'node:worker_threads'
import { unavailable } from '#src/domain/errors.ts'
import { fromFailure } from '#src/engine/failure.ts'
import type { Answer, Question } from '#src/operations/components/component-worker.ts'

/** Milliseconds without work after which the thread gives its memory back. */
const IDLE = 30_000

/**
 * Compiles components in a thread of its own, one at a time: to start a process stops the thread that does it, for
 * longer the more memory its own process has.
 */
export class ComponentThread {
  private worker: Worker | undefined
  private waiting: { resolve(answer: Answer): void; reject(error: unknown): void } | undefined
  private idle: NodeJS.Timeout | undefined

  /** @throws BadRequest with line and column of every fault */
  async compile(code: string): Promise<string> {
    clearTimeout(this.idle)
    const worker = (this.worker ??= this.start())
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        this.waiting = { resolve, reject }
        worker.postMessage(code satisfies Question)
      })
      if ('failure' in answer) throw fromFailure(answer.failure)
      return answer.js
    } finally {
      this.waiting = undefined
      this.idle = setTimeout(() => this.rest(), IDLE).unref()
    }
  }

  private rest(): void {
    void this.worker?.terminate()
    this.worker = undefined
  }

  private start(): Worker {
    const worker = new Worker(new URL('./component-worker.ts', import.meta.url), { name: 'components' })
    worker.unref()
    worker.on('message', (answer: Answer) => this.waiting?.resolve(answer))
    worker.on('error', (error) => this.lost(worker, error))
    worker.once('exit', () =>
      this.lost(worker, unavailable('The compiler stopped unexpectedly', { suggestion: 'Try again' })),
    )
    return worker
  }

  /** The next one goes to a new thread. */
  private lost(worker: Worker, error: unknown): void {
    if (this.worker !== worker) return
    this.worker = undefined
    this.waiting?.reject(error)
  }
}
