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
  /** What it had computed at the last look, and when it last let go. */
  private before: number
  private rested = -Infinity

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
    if (!isQuiet) return this.used() // nobody may come any more who says so
    if (computed - this.rested <= QUIET_MS) return
    this.letGo()
    this.rested = this.before = this.computed()
  }
}
