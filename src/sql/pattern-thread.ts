import type { TextTest } from '#src/domain/text-test.ts'
import { Worker } from 'node:worker_threads'
import { unavailable } from '#src/domain/errors.ts'
import type { Ending, PatternMatcher } from '#src/sql/query.ts'
import type { Answer, Question } from '#src/sql/pattern-worker.ts'

/** Milliseconds between two questions whether the caller still waits, where nothing says that it does not. */
const LOOK_MS = 20

/** The same matcher for a caller who stops waiting when `throwIfEnded` throws, and gets what it throws. */
export const matcherUntil = (patterns: PatternMatcher, throwIfEnded: () => void): PatternMatcher => ({
  match: (test, texts, end = untilThrown(throwIfEnded)) => patterns.match(test, texts, end),
})

const untilThrown = (throwIfEnded: () => void): Ending => ({
  async during(cancel, work) {
    throwIfEnded()
    let why: { error: unknown } | undefined
    const timer = setInterval(() => {
      try {
        if (!why) throwIfEnded()
      } catch (error) {
        why = { error }
        cancel()
      }
    }, LOOK_MS)
    try {
      return await work()
    } catch (error) {
      throw why ? why.error : error
    } finally {
      clearInterval(timer)
    }
  },
})

interface Asked {
  readonly question: Question
  readonly settle: (matching: number[] | Error) => void
}

/** Looks for RE2 patterns, and for many parts at once, in a thread of its own, so that a long text does not hold up the event loop. */
export class PatternThread implements PatternMatcher {
  private worker: Worker | undefined
  /** In the order in which they are answered, one after the other. */
  private readonly waiting = new Map<number, Asked>()
  private seq = 0
  private closed = false

  match(test: TextTest, texts: readonly (string | null)[], end?: Ending): Promise<number[]> {
    const seq = this.seq++
    const ask = () =>
      new Promise<number[]>((resolve, reject) => {
        if (this.closed) return reject(ended())
        const question: Question = [seq, test, texts]
        const settle = (outcome: number[] | Error) =>
          outcome instanceof Error ? reject(outcome) : resolve(outcome)
        this.waiting.set(seq, { question, settle })
        if (this.waiting.size === 1) this.send(question)
      })
    return end ? end.during(() => this.cancel(seq), ask) : ask()
  }

  /** What it is asked, and what it is then, is rejected. */
  async close(): Promise<void> {
    this.closed = true
    const left = [...this.waiting.values()]
    this.waiting.clear()
    for (const { settle } of left) settle(ended())
    await this.worker?.terminate()
  }

  /** One at a time, so that what waits is lost with no thread. */
  private send(question: Question): void {
    this.worker ??= this.start()
    this.worker.postMessage(question)
  }

  private cancel(seq: number): void {
    const asked = this.waiting.get(seq)
    const [first] = this.waiting.keys()
    if (seq === first) {
      const { worker } = this
      this.worker = undefined
      void worker?.terminate() // it does not look up from a text
    }
    if (asked) this.settle(seq, new Error('ended'))
  }

  private start(): Worker {
    const worker = new Worker(new URL('./pattern-worker.ts', import.meta.url), { name: 'patterns' })
    worker.unref()
    worker.on('message', ([seq, matching]: Answer) => this.settle(seq, matching))
    worker.on('error', (error: Error) => this.lost(worker, error))
    worker.once('exit', () => this.lost(worker, ended()))
    return worker
  }

  /** What it was at is lost with it; what waits goes to its successor. */
  private lost(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    const [first] = this.waiting.keys()
    if (first !== undefined) this.settle(first, error)
  }

  private settle(seq: number, outcome: number[] | Error): void {
    const asked = this.waiting.get(seq)
    if (!asked) return
    const [first] = this.waiting.keys()
    this.waiting.delete(seq)
    asked.settle(outcome)
    const [next] = this.waiting.values()
    if (next && seq === first) this.send(next.question)
  }
}

const ended = () => unavailable('The thread for patterns was ended', { suggestion: 'Try again' })
