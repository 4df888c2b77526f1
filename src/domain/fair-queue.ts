import { tooManyRequests } from '#src/domain/errors.ts'

interface Turn {
  begin(): void
}

export interface FairQueueOptions {
  /** Jobs that run beside each other. */
  at_once: number
  /** Milliseconds after which a job that has not begun is refused. */
  max_wait: number
  /** What the jobs are called in messages. */
  what?: string
}

/**
 * Runs jobs a few at a time. Who waits is taken round by key, one job each, so that a flood from one key costs
 * another no more than one job's time.
 */
export class FairQueue {
  private readonly waiting = new Map<string, Set<Turn>>()
  private readonly options: FairQueueOptions
  private running = 0

  constructor(options: FairQueueOptions) {
    this.options = options
  }

  /** @throws TooManyRequests when its turn does not come in time. */
  async run<T>(key: string, job: () => Promise<T>): Promise<T> {
    if (this.running >= this.options.at_once) await this.turn(key)
    else this.running++
    try {
      return await job()
    } finally {
      this.passOn()
    }
  }

  /** Waits until somebody's `passOn` hands over its place. */
  private turn(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(key) ?? new Set()
      const turn: Turn = {
        begin: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        line.delete(turn)
        if (!line.size) this.waiting.delete(key)
        const { max_wait, what = 'sign-ins' } = this.options
        reject(tooManyRequests(`Too many ${what} are waiting for their turn`, Math.ceil(max_wait / 1000)))
      }, this.options.max_wait)
      this.waiting.set(key, line.add(turn))
    })
  }

  private passOn(): void {
    const [next] = this.waiting
    if (!next) {
      this.running--
      return
    }
    const [key, line] = next
    const [turn] = line
    line.delete(turn!)
    this.waiting.delete(key)
    if (line.size) this.waiting.set(key, line) // to the end: the other keys come first
    turn!.begin()
  }
}
