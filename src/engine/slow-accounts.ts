import { SERVICE } from '#src/domain/caller.ts'

/** Milliseconds that its long reads have lately computed, from which on an account is slow: one unlucky read is none. */
const SLOW_FROM_MS = 250
/** After so many milliseconds half of them count. */
const HALF_MS = 2000
/** More are not remembered: who has been slow is so for HALF_MS after the last long read. */
const MOST_MS = 2 * SLOW_FROM_MS
/** Who is said to wait at least this often forgets nothing meanwhile. */
const HELD_MS = 200
/** An account that asked for something counts as one of the others for this long. */
const LATELY_MS = 2000

/** Which accounts are in the middle of long reads, and whether other accounts could have to wait for them. */
export class SlowAccounts {
  /** What the long reads of each have computed, when it was last counted. */
  private readonly computed = new Map<string, { ms: number; at: number }>()
  /** The account that asked last, and the one before. */
  private asked: readonly [account: string, at: number] = ['', -Infinity]
  private askedBefore: readonly [account: string, at: number] = ['', -Infinity]

  /** What the service reads for itself can wait: nobody is in its way. */
  asks(account: string, now = performance.now()): void {
    if (account === SERVICE.address) return
    if (account !== this.asked[0]) this.askedBefore = this.asked
    this.asked = [account, now]
  }

  /** Somebody else has lately asked for something. */
  hasOthers(account: string, now = performance.now()): boolean {
    const [, at] = this.asked[0] === account ? this.askedBefore : this.asked
    return now - at < LATELY_MS
  }

  /** A long read has computed for so many milliseconds more. */
  add(account: string, ms: number, now = performance.now()): void {
    for (const each of this.computed.keys()) if (this.msOf(each, now) < 1) this.computed.delete(each)
    const sum = this.msOf(account, now) + Math.max(0, ms)
    this.computed.set(account, { ms: Math.min(MOST_MS, sum), at: now })
  }

  /** As slow as an account can be, where nobody knows what its reads compute. */
  mark(account: string, now = performance.now()): void {
    this.add(account, MOST_MS, now)
  }

  /** As long as what was long waits or goes on, nothing of it is forgotten. */
  hold(account: string, now = performance.now()): void {
    const last = this.computed.get(account)
    if (!last) return
    if (now - last.at > HELD_MS) last.ms = this.msOf(account, now)
    last.at = now
  }

  has(account: string, now = performance.now()): boolean {
    return this.msOf(account, now) >= SLOW_FROM_MS
  }

  private msOf(account: string, now: number): number {
    const last = this.computed.get(account)
    return last ? last.ms * 0.5 ** ((now - last.at) / HALF_MS) : 0
  }
}
