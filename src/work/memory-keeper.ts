import { findGiveBack, type GiveBack } from '#src/process/free-memory.ts'

/** Milliseconds between two looks. */
const LOOK_MS = 10_000
/** Of one processor; who uses less is quiet. */
const QUIET = 0.1
/**
 * So many times after work, one at each quiet look: collectors of garbage come by, and threads that were only there for
 * the work end, within a minute.
 */
const TIMES = 6
/** Bytes that the process has grown by, since memory was last given back, for it to be given back during work too. */
const GROWN = 64 * 2 ** 20

export interface MemoryKeeperOptions {
  /** Milliseconds of the processor that all threads have used. */
  used?: () => number
  /** Bytes that the process holds. */
  held?: () => number
  /** It is looked for when it is first needed. */
  find?: () => GiveBack | undefined
}

/** Gives free memory back to the system: where the process has grown, and after work, when it is quiet again. */
export class MemoryKeeper {
  private readonly used: () => number
  private readonly held: () => number
  private readonly find: () => GiveBack | undefined
  private readonly timer: NodeJS.Timeout
  private giveBack: GiveBack | undefined | null = null
  private before: number
  /** Bytes held at the least look since memory was given back. */
  private least: number
  /** How many times are left. The start is work too. */
  private left = TIMES

  constructor({
    used = processorTime,
    held = process.memoryUsage.rss,
    find = findGiveBack,
  }: MemoryKeeperOptions = {}) {
    this.used = used
    this.held = held
    this.find = find
    this.before = used()
    this.least = held()
    this.timer = setInterval(() => this.look(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private look(): void {
    if (this.isDue()) {
      if (this.giveBack === null) this.giveBack = this.find()
      this.giveBack?.()
      this.least = this.held()
    } else this.least = Math.min(this.least, this.held())
  }

  private isDue(): boolean {
    const used = this.used()
    const worked = used - this.before > LOOK_MS * QUIET
    this.before = used
    if (worked) {
      this.left = TIMES
      return this.held() - this.least > GROWN
    }
    if (!this.left) return false
    this.left--
    return true
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
