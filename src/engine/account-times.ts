import { SERVICE } from '#src/domain/caller.ts'
import type { SqlCall } from '#src/engine/engine.ts'

/** Of what an account has used, half counts after this long. */
const HALF_MS = 5000
/** And nothing any more after this long without a call. */
const FORGOTTEN_AFTER_MS = 600_000
/** What its next call takes is expected of about so many of its last ones. */
const LAST_CALLS = 8
/** One call counts for no more: nobody comes last because of one that was long among many that were quick. */
const MOST_OF_ONE_MS = 50
/** The same of a change, which nobody else's can be made beside. */
const MOST_OF_ONE_CHANGE_MS = 500
/** Of an account that is not known yet. */
const UNKNOWN_MS = 1
/** A call that is expected to compute for longer is heavy: it would be in the way of lighter ones. */
const LIGHT_MS = 10
/** An account whose call has just ended counts for this long as one that may ask again. */
const LATELY_MS = 2000

export const isHeavy = (expected: number): boolean => expected > LIGHT_MS

interface Times {
  used: number
  typical: number
  /** Calls that are known, up to LAST_CALLS. */
  calls: number
  at: number
}

/** Whose calls are weighed, and queue, together: an account's, or of those without one an address's. */
export const accountOf = ({ caller }: Pick<SqlCall, 'caller'>): string => caller.user_id ?? caller.address

/**
 * What the calls of accounts have computed lately, in milliseconds: whoever has used less is next, so that somebody who
 * asks for little never waits for the turns of those who ask for much (decision 72).
 */
export class AccountTimes {
  private readonly accounts = new Map<string, Times>()
  private forgot = 0
  private lightAt = -Infinity
  private readonly most: number

  constructor(of: 'reads' | 'changes' = 'reads') {
    this.most = of === 'reads' ? MOST_OF_ONE_MS : MOST_OF_ONE_CHANGE_MS
  }

  ran(account: string, took: number, now = performance.now()): void {
    const computed = Math.min(took, this.most)
    const known = this.accounts.get(account) ?? { typical: 0, calls: 0 }
    const calls = Math.min(known.calls + 1, LAST_CALLS)
    const typical = known.typical + (computed - known.typical) / calls
    this.accounts.set(account, { used: this.used(account, now) + computed, typical, calls, at: now })
    if (!isHeavy(typical) && account !== SERVICE.address) this.lightAt = now
    this.forget(now)
  }

  used(account: string, now = performance.now()): number {
    const known = this.accounts.get(account)
    return known ? known.used * 2 ** ((known.at - now) / HALF_MS) : 0
  }

  /** What its next call will probably compute. */
  typical(account: string): number {
    return this.accounts.get(account)?.typical ?? UNKNOWN_MS
  }

  /** Somebody whose calls are light has lately had one; what the service asks for itself can wait. */
  hasLight(now = performance.now()): boolean {
    return now - this.lightAt < LATELY_MS
  }

  private forget(now: number): void {
    if (now - this.forgot < FORGOTTEN_AFTER_MS) return
    this.forgot = now
    for (const [account, { at }] of this.accounts)
      if (now - at > FORGOTTEN_AFTER_MS) this.accounts.delete(account)
  }
}
