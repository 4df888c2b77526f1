/** Milliseconds between two messages to other processes: a busy one notifies them at once, then at most so often. */
const PAUSE = 50

/** Notifies anyone who waits for it that something has happened, e.g. that the log has new events, here and in the other processes. */
export class ChangeWatch {
  private readonly listeners = new Set<() => void>()
  private readonly tellOthers: (() => void) | null
  private resting: NodeJS.Timeout | undefined
  private untold = false

  constructor(tellOthers: (() => void) | null) {
    this.tellOthers = tellOthers
  }

  /** Returns what takes it back. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** In this process; what it is about is committed. */
  happened(): void {
    this.happenedElsewhere()
    if (!this.tellOthers) return
    if (this.resting) {
      this.untold = true
      return
    }
    this.untold = false
    this.tellOthers()
    this.resting = setTimeout(() => {
      this.resting = undefined
      if (this.untold) this.happened()
    }, PAUSE)
    this.resting.unref()
  }

  happenedElsewhere(): void {
    for (const listener of this.listeners) listener()
  }
}
