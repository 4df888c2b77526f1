import { accountOf, type AccountTimes } from '#src/engine/account-times.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import { callsTogether } from '#src/engine/transaction.ts'

/** Milliseconds that calls of one transaction compute together: each is answered after the last of them. */
export const TOGETHER_MS = 25

export interface Bounds {
  /** Calls of one transaction. */
  most: number
  /** By the clock of the times, in milliseconds. */
  now: number
  /** Of one account alone as many go together as there are: a transaction costs more than its calls. */
  aloneAtOnce?: boolean
}

/**
 * Which of the changes that wait are made in the next transaction, in which order: those of accounts that have used
 * least first, each account's own in the order in which they came, as many as are expected to be soon done.
 */
export function nextWrites<Waiting>(
  waiting: readonly Waiting[],
  callOf: (waiting: Waiting) => SqlCall,
  times: Pick<AccountTimes, 'used' | 'typical'>,
  { most, now, aloneAtOnce = false }: Bounds,
): Waiting[] {
  const accountAt = (each: Waiting) => accountOf(callOf(each))
  const used = new Map<string, number>()
  for (const account of new Set(waiting.map(accountAt))) used.set(account, times.used(account, now))
  const inTurn =
    used.size < 2 ? waiting : waiting.toSorted((a, b) => used.get(accountAt(a))! - used.get(accountAt(b))!)
  const many = callsTogether(inTurn.map(callOf), most)
  if (aloneAtOnce && used.size < 2) return inTurn.slice(0, many)
  let expected = 0
  const soonDone = inTurn.findIndex((each) => (expected += times.typical(accountAt(each))) > TOGETHER_MS)
  return inTurn.slice(0, soonDone < 0 ? many : Math.max(Math.min(soonDone, many), 1))
}
