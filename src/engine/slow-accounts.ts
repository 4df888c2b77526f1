import { SERVICE } from '#src/domain/caller.ts'

/** An account whose read was long counts as slow for this long after it. */
const SLOW_FOR_MS = 2000
/** An account that asked for something counts as one of the others for this long. */
const LATELY_MS = 2000

/** Which accounts are in the middle of long reads, and whether other accounts could have to wait for them. */
export class SlowAccounts {
  /** Until when each counts as slow. */
  private readonly until = new Map<string, number>()
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

  mark(account: string, now = performance.now()): void {
    for (const [each, until] of this.until) if (until < now) this.until.delete(each)
    this.until.set(account, now + SLOW_FOR_MS)
  }

  has(account: string, now = performance.now()): boolean {
    return (this.until.get(account) ?? -Infinity) >= now
  }
}
