import { computedHere } from '#src/process/thread-time.ts'

/** Milliseconds between two looks. */
const LOOK_MS = 10_000
/** Milliseconds that a thread computes between them without work: what looks round by itself asks it each second. */
const QUIET_MS = 50

/** Has a thread let go of what it holds, once there has been hardly any work for it for a while. */
export class Resting {
  private readonly letGo: () => void
  private readonly computed: () => number
  private timer: NodeJS.Timeout | undefined
  /** What it had computed at the last look. */
  private before: number
  /** Since it last let go. */
  private has_worked = true

  constructor(letGo: () => void, computed = computedHere) {
    this.letGo = letGo
    this.computed = computed
    this.before = computed()
  }

  /** After a call. */
  used(): void {
    this.timer ??= setTimeout(() => this.look(), LOOK_MS).unref()
  }

  close(): void {
    clearTimeout(this.timer)
  }

  private look(): void {
    this.timer = undefined
    const computed = this.computed()
    const isQuiet = computed - this.before <= QUIET_MS
    this.before = computed
    if (!isQuiet) {
      this.has_worked = true
      return this.used() // nobody may come any more who says so
    }
    if (!this.has_worked) return
    this.has_worked = false
    this.letGo()
    this.before = this.computed()
  }
}
