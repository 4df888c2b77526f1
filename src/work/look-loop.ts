export interface LookLoopOptions {
  look: () => Promise<void>
  /** A look failed; the next one comes all the same. */
  onError: (err: unknown) => void
  /** Milliseconds until it looks by itself. */
  pause: () => number
}

/** Looks whether there is something to do, one look at a time: when it is woken, and by itself now and then. */
export class LookLoop {
  private readonly options: LookLoopOptions
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | null = null
  private again = false
  private stopping = false

  constructor(options: LookLoopOptions) {
    this.options = options
  }

  /** Where a look is under way, another one follows it: it may have come too early for what is told now. */
  wake(): void {
    if (this.stopping) return
    this.again = true
    this.running ??= this.run().finally(() => (this.running = null))
  }

  /** A look that is under way ends; no other one begins. */
  async stop(): Promise<void> {
    this.stopping = true
    clearTimeout(this.timer)
    await this.running
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer)
    const { look, onError, pause } = this.options
    while (this.again && !this.stopping) {
      this.again = false
      await look().catch(onError)
    }
    if (!this.stopping) this.timer = setTimeout(() => this.wake(), pause()).unref()
  }
}
