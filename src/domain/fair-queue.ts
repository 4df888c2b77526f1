import { tooManyRequests } from '#src/domain/errors.ts'
import { FairLine } from '#src/domain/fair-line.ts'

interface Turn {
  begin(): void
}

export interface FairQueueOptions {
  /** Jobs that run concurrently. */
  at_once: number
  /** And of one key; without it, as many as run at all. */
  of_one_key?: number
  /** Keys that get every second turn, however many others wait. */
  prefers?: (key: string) => boolean
  /** So many places, but not the last, are never taken by some keys. */
  keeps_free?: { places: number; of: (key: string) => boolean }
  /** Milliseconds after which a job that has not begun is refused. */
  max_wait: number
  /** What the jobs are called in messages. */
  what?: string
}

/**
 * Runs jobs a few at a time. Waiting jobs are taken round-robin by key, one each, so that a flood from one key costs
 * another no more than one job's time.
 */
export class FairQueue {
  private readonly waiting = new FairLine<Turn>()
  private readonly options: FairQueueOptions
  private readonly runningOf = new Map<string, number>()
  /** Jobs that run. */
  running = 0
  private preferring = false

  constructor(options: FairQueueOptions) {
    this.options = options
  }

  /** @throws TooManyRequests when its turn does not come in time. */
  async run<T>(key: string, job: () => Promise<T>): Promise<T> {
    if (this.running < this.options.at_once && this.may(key)) this.count(key, 1)
    else await this.turn(key)
    try {
      return await job()
    } finally {
      this.count(key, -1)
      this.passOn()
    }
  }

  /** Jobs that wait or run. */
  get load(): number {
    return this.running + this.waiting.size
  }

  /** A job of another key waits that could have the place. */
  isWantedBeside(key: string): boolean {
    for (const [other] of this.waiting) if (other !== key && this.isBelowOwn(other)) return true
    return false
  }

  private may(key: string): boolean {
    const { at_once, keeps_free: kept } = this.options
    if (!this.isBelowOwn(key)) return false
    return !kept?.of(key) || this.runningOfThose(kept.of) < Math.max(1, at_once - kept.places)
  }

  private isBelowOwn(key: string): boolean {
    return (this.runningOf.get(key) ?? 0) < (this.options.of_one_key ?? Infinity)
  }

  private runningOfThose(isOne: (key: string) => boolean): number {
    let sum = 0
    for (const [key, running] of this.runningOf) if (isOne(key)) sum += running
    return sum
  }

  private count(key: string, by: 1 | -1): void {
    this.running += by
    const now = (this.runningOf.get(key) ?? 0) + by
    if (now) this.runningOf.set(key, now)
    else this.runningOf.delete(key)
  }

  /** Waits until somebody's `passOn` hands over its place. */
  private turn(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn: Turn = {
        begin: () => {
          clearTimeout(timer)
          this.count(key, 1)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.waiting.remove(key, turn)
        const { max_wait, what = 'sign-ins' } = this.options
        reject(tooManyRequests(`Too many ${what} are waiting for their turn`, Math.ceil(max_wait / 1000)))
      }, this.options.max_wait)
      this.waiting.add(key, turn)
    })
  }

  private passOn(): void {
    const { prefers } = this.options
    while (this.running < this.options.at_once) {
      this.preferring = !this.preferring
      const preferred =
        prefers && this.preferring ? this.waiting.next((key) => prefers(key) && this.may(key)) : undefined
      const next = preferred ?? this.waiting.next((key) => this.may(key))
      if (!next) return
      next.begin()
    }
  }
}
