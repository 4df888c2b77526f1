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

export interface MemoryKeeperOptions {
  /** Milliseconds of the processor that all threads have used. */
  used?: () => number
  /** It is looked for when it is first needed. */
  find?: () => GiveBack | undefined
}

/** After work, when it is quiet again, gives free memory back to the system. */
export class MemoryKeeper {
  private readonly used: () => number
  private readonly find: () => GiveBack | undefined
  private readonly timer: NodeJS.Timeout
  private giveBack: GiveBack | undefined | null = null
  private before: number
  /** How many times are left. The start is work too. */
  private left = TIMES

  constructor({ used = processorTime, find = findGiveBack }: MemoryKeeperOptions = {}) {
    this.used = used
    this.find = find
    this.before = used()
    this.timer = setInterval(() => this.look(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private look(): void {
    const used = this.used()
    const worked = used - this.before > LOOK_MS * QUIET
    this.before = used
    if (worked) this.left = TIMES
    else if (this.left) {
      this.left--
      if (this.giveBack === null) this.giveBack = this.find()
      this.giveBack?.()
    }
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
