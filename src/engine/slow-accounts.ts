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
  asks(account: string): void {
    if (account === SERVICE.address) return
    if (account !== this.asked[0]) this.askedBefore = this.asked
    this.asked = [account, performance.now()]
  }

  /** Somebody else has lately asked for something. */
  hasOthers(account: string): boolean {
    const [, at] = this.asked[0] === account ? this.askedBefore : this.asked
    return performance.now() - at < LATELY_MS
  }

  mark(account: string): void {
    this.until.set(account, performance.now() + SLOW_FOR_MS)
  }

  has(account: string): boolean {
    const until = this.until.get(account)
    if (until === undefined) return false
    if (until >= performance.now()) return true
    this.until.delete(account)
    return false
  }
}
