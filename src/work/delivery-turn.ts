import { randomUUID } from 'node:crypto'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { dropLease, findLease, takeLease } from '#src/operations/webhooks/queue-steps.ts'
import type { Lease, Turn } from '#src/storage/webhooks/lease.ts'

/** Milliseconds without a sign of life after which another process takes over. */
const LIFE = 30_000
/** Milliseconds between signs of life. */
const RENEW = 5000
/** Milliseconds that an attempt may take: what begins later than so before the end could overlap with another process. */
const ATTEMPT = 17_000

/**
 * Of several processes one delivers, and one runs imports: the one that is in the database and says so again and again. Nobody compares
 * clocks: anyone who waits goes by how long it has seen no sign of life.
 */
export class DeliveryTurn {
  private readonly runtime: Runtime
  private readonly turn: Turn
  private readonly holder = randomUUID()
  /** By the clock of the process: when this process last said that it lives, before it was answered. */
  private said = -Infinity
  /** What the other one said last, and since when this one knows it. */
  private seen: { lease: Lease; since: number } | null = null
  private lookedAt = -Infinity

  constructor(runtime: Runtime, turn: Turn) {
    this.runtime = runtime
    this.turn = turn
  }

  /** Whether an attempt may begin now. */
  get isOurs(): boolean {
    return this.isAlone || performance.now() < this.said + LIFE - ATTEMPT
  }

  /** Takes the turn where it is free, and keeps it. */
  async take(): Promise<boolean> {
    if (this.isAlone) return true
    const now = performance.now()
    if (now < this.said + RENEW) return true
    if (now < this.lookedAt + RENEW) return false
    let expired: Lease | null = null
    if (this.said === -Infinity) {
      this.lookedAt = now
      const lease = await runStep(this.runtime, findLease, { turn: this.turn })
      if (lease && !this.isOver(lease, now)) return false
      expired = lease
    }
    const isOurs = await runStep(this.runtime, takeLease, { turn: this.turn, holder: this.holder, expired })
    this.said = isOurs ? now : -Infinity
    return isOurs
  }

  /** Another process need not wait. */
  async drop(): Promise<void> {
    if (this.said === -Infinity) return
    this.said = -Infinity
    this.lookedAt = -Infinity
    await runStep(this.runtime, dropLease, { holder: this.holder })
  }

  /** A file of SQLite has one process. */
  private get isAlone(): boolean {
    return this.runtime.engine.relay === null
  }

  private isOver(lease: Lease, now: number): boolean {
    if (this.seen?.lease.holder !== lease.holder || this.seen.lease.beat !== lease.beat)
      this.seen = { lease, since: now }
    return now >= this.seen.since + LIFE
  }
}
