import { tooManyRequests } from '#src/domain/errors.ts'
import { FairLine } from '#src/domain/fair-line.ts'

/** Who asks for a job: keys take turns, and what goes on is the work of one of them. */
interface Asks {
  key: string
  work: string
}

interface Waiting extends Asks {
  begin(): void
}

export interface SlicesOptions {
  /** Milliseconds that one work has before another one that waits. */
  slice: number
  /** Milliseconds for which its next job is waited for. */
  rest: number
  /** Milliseconds after which a job that has not begun is refused. */
  max_wait: number
  /** What the works are called in messages. */
  what: string
}

/**
 * Works of many jobs, of which one goes on at a time, for a slice: where a job leaves something behind that makes the next
 * one of its work short, works that alternate by the job would make it anew for each.
 */
export class Slices {
  private readonly options: SlicesOptions
  private readonly waiting = new FairLine<Waiting>()
  private present: string | undefined
  private since = 0
  private running = 0
  private timer: NodeJS.Timeout | undefined

  constructor(options: SlicesOptions) {
    this.options = options
  }

  /** @throws TooManyRequests when its turn does not come in time. */
  async run<T>(asks: Asks, job: () => Promise<T>): Promise<T> {
    if (this.present === undefined || (this.present === asks.work && !this.isOver)) this.begin(asks.work)
    else await this.turn(asks)
    try {
      return await job()
    } finally {
      this.running--
      this.leave()
    }
  }

  private get isOver(): boolean {
    return this.waiting.size > 0 && performance.now() - this.since >= this.options.slice
  }

  private begin(work: string): void {
    clearTimeout(this.timer)
    if (this.present !== work) this.since = performance.now()
    this.present = work
    this.running++
  }

  private turn(asks: Asks): Promise<void> {
    const { max_wait, what } = this.options
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        ...asks,
        begin: () => {
          clearTimeout(timer)
          this.begin(asks.work)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.waiting.remove(asks.key, waiting)
        reject(tooManyRequests(`Too many ${what} are waiting for their turn`, Math.ceil(max_wait / 1000)))
      }, max_wait)
      this.waiting.add(asks.key, waiting)
    })
  }

  /** Its next job is mostly asked for at once. */
  private leave(): void {
    if (this.running) return
    clearTimeout(this.timer)
    if (this.isOver) this.passOn()
    else this.timer = setTimeout(() => this.passOn(), this.options.rest).unref()
  }

  private passOn(): void {
    this.present = undefined
    this.waiting.next()?.begin()
  }
}
