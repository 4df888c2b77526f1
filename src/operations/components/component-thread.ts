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
  private idle: NodeJS.Timeout | undefined

  /** @throws BadRequest with line and column of every fault */
  async compile(code: string): Promise<string> {
    clearTimeout(this.idle)
    const worker = (this.worker ??= this.start())
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.once('exit', () =>
          reject(unavailable('The compiler stopped unexpectedly', { suggestion: 'Try again' })),
        )
        worker.postMessage(code satisfies Question)
      })
      if ('failure' in answer) throw fromFailure(answer.failure)
      return answer.js
    } finally {
      worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit')
      worker.on('error', () => {}).once('exit', () => this.forget(worker))
      this.idle = setTimeout(() => void worker.terminate(), IDLE).unref()
    }
  }

  private start(): Worker {
    const worker = new Worker(new URL('./component-worker.ts', import.meta.url), { name: 'components' })
    worker.unref()
    return worker
  }

  private forget(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined
  }
}
