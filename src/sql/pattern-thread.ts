import { Worker } from 'node:worker_threads'
import type { PatternMatcher } from '#src/sql/query.ts'
import type { Answer, Question } from '#src/sql/pattern-worker.ts'

/** Matches RE2 patterns in a thread of its own, so that a long text does not hold up the event loop. */
export class PatternThread implements PatternMatcher {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, (matching: number[] | Error) => void>()
  private seq = 0

  /** Positions of the texts in which the pattern matches somewhere; null matches nothing. */
  match(pattern: string, texts: readonly (string | null)[]): Promise<number[]> {
    const worker = (this.worker ??= this.start())
    return new Promise((resolve, reject) => {
      const seq = this.seq++
      this.waiting.set(seq, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      worker.postMessage([seq, pattern, texts] satisfies Question)
    })
  }

  async close(): Promise<void> {
    await this.worker?.terminate()
  }

  private start(): Worker {
    const worker = new Worker(new URL('./pattern-worker.ts', import.meta.url), { name: 'patterns' })
    worker.unref()
    worker.on('message', ([seq, matching]: Answer) => this.settle(seq, matching))
    worker.on('error', (error: Error) => {
      this.worker = undefined
      for (const seq of this.waiting.keys()) this.settle(seq, error)
    })
    return worker
  }

  private settle(seq: number, outcome: number[] | Error): void {
    this.waiting.get(seq)?.(outcome)
    this.waiting.delete(seq)
  }
}
