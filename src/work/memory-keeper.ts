import { collectGarbage } from '#src/process/free-memory.ts'
import { giveBackBeside } from '#src/process/give-back.ts'

/** Milliseconds between two looks. */
const LOOK_MS = 10_000
/** Of one processor; who uses less is quiet, or calm: something is done beside, of what came before. */
const QUIET = 0.1
const CALM = 0.7
/**
 * So many times after work, one at each calm look: collectors of garbage come by, and threads that were only there for
 * the work end, within a minute.
 */
const TIMES = 6
/** Bytes that the process has grown by, since memory was last given back, for it to be given back during work too. */
const GROWN = 32 * 2 ** 20

export interface MemoryKeeperOptions {
  /** Milliseconds of the processor that all threads have used. */
  used?: () => number
  /** Bytes that the process holds. */
  held?: () => number
  /** Gives free memory back; whether that can be done here. */
  giveBack?: () => Promise<boolean>
  /** Collects the garbage of this thread. */
  collect?: () => void
}

/**
 * Gives free memory back to the system: where the process has grown, and after work, when it is quiet again. V8 leaves
 * the heap of a thread with little to do as large as the work has made it: it is collected once, first of all.
 */
export class MemoryKeeper {
  private readonly used: () => number
  private readonly held: () => number
  private readonly giveBack: () => Promise<boolean>
  private readonly collect: () => void
  private readonly timer: NodeJS.Timeout
  private can = true
  private before: number
  /** Bytes held at the least look since memory was given back. */
  private least: number
  /** How many times are left. The start is work too. */
  private left = TIMES
  /** Since the garbage of this thread was collected. */
  private has_worked = true

  constructor({
    used = processorTime,
    held = process.memoryUsage.rss,
    giveBack = giveBackBeside,
    collect = collectGarbage,
  }: MemoryKeeperOptions = {}) {
    this.used = used
    this.held = lastKnown(held)
    this.giveBack = giveBack
    this.collect = collect
    this.before = used()
    this.least = this.held()
    this.timer = setInterval(() => this.look(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private look(): void {
    const used = this.used()
    const busy = (used - this.before) / LOOK_MS
    this.before = used
    if (busy > CALM) this.left = TIMES
    if (busy > QUIET) this.has_worked = true
    else if (this.has_worked) {
      this.has_worked = false
      this.left = TIMES
      this.collect()
    }
    const isAfterWork = busy <= CALM && this.left > 0
    if (isAfterWork) this.left--
    if (isAfterWork || this.held() - this.least > GROWN) void this.giveAllBack()
    else this.least = Math.min(this.least, this.held())
  }

  private async giveAllBack(): Promise<void> {
    // Where no thread can be started there are other cares.
    if (this.can) this.can = await this.giveBack().catch(() => true)
    this.least = this.held()
  }
}

/** Where it cannot be looked up, e.g. for want of file descriptors, it is taken for what it was before. */
function lastKnown(held: () => number): () => number {
  let last = Infinity
  return () => {
    try {
      last = held()
    } catch {
      // Another time.
    }
    return last
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
