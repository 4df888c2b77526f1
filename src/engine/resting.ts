/** Milliseconds without a call. */
const IDLE_MS = 10_000

/** Has something let go of what it holds, once it has not been asked for anything for a while. */
export class Resting {
  private readonly letGo: () => void
  private timer: NodeJS.Timeout | undefined
  private last = 0

  constructor(letGo: () => void) {
    this.letGo = letGo
  }

  /** After a call. */
  used(): void {
    this.last = performance.now()
    this.timer ??= this.wait(IDLE_MS)
  }

  close(): void {
    clearTimeout(this.timer)
  }

  private wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.look(), milliseconds).unref()
  }

  private look(): void {
    const left = this.last + IDLE_MS - performance.now()
    this.timer = left > 0 ? this.wait(left) : undefined
    if (!this.timer) this.letGo()
  }
}
