export interface PollerOptions {
  poll: () => Promise<void>
  /** A poll failed; the next one comes all the same. */
  onError: (err: unknown) => void
  /** Milliseconds until it polls by itself. */
  pause: () => number
}

/** Polls whether there is something to do, one poll at a time: when it is woken, and by itself now and then. */
export class Poller {
  private readonly options: PollerOptions
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | null = null
  private again = false
  private stopping = false

  constructor(options: PollerOptions) {
    this.options = options
  }

  /** Where a poll is under way, another one follows it: it may have come too early for what is reported now. */
  wake(): void {
    if (this.stopping) return
    this.again = true
    this.running ??= this.run().finally(() => (this.running = null))
  }

  /** A poll that is under way ends; no other one begins. */
  async stop(): Promise<void> {
    this.stopping = true
    clearTimeout(this.timer)
    await this.running
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer)
    const { poll: look, onError, pause } = this.options
    while (this.again && !this.stopping) {
      this.again = false
      await look().catch(onError)
    }
    if (!this.stopping) this.timer = setTimeout(() => this.wake(), pause()).unref()
  }
}
