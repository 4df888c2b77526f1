import { accountOf, type AccountTimes } from '#src/engine/account-times.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import type { Request } from '#src/engine/sqlite-messages.ts'
import { callsTogether } from '#src/engine/transaction.ts'

/** Milliseconds that calls of one transaction compute together: each is answered after the last of them. */
export const TOGETHER_MS = 25

/**
 * Which of the changes that wait are made in the next transaction, in which order: those of accounts that have used
 * least first, each account's own in the order in which they came, as many as are expected to be soon done.
 */
export function nextWrites(
  waiting: readonly Request[],
  times: Pick<AccountTimes, 'used' | 'typical'>,
  most: number,
  now: number,
): Request[] {
  const inTurn = leastUsedFirst(waiting, ([, call]) => call, times, now)
  const calls = inTurn.map(([, call]) => call)
  let expected = 0
  const soonDone = calls.findIndex((call) => (expected += times.typical(accountOf(call))) > TOGETHER_MS)
  const many = callsTogether(calls, most)
  return inTurn.slice(0, soonDone < 0 ? many : Math.max(Math.min(soonDone, many), 1))
}

/** Changes of accounts that have used least first, each account's own in the order in which they came. */
export function leastUsedFirst<Waiting>(
  waiting: readonly Waiting[],
  callOf: (waiting: Waiting) => SqlCall,
  times: Pick<AccountTimes, 'used'>,
  now: number,
): readonly Waiting[] {
  const used = new Map<string, number>()
  const accountAt = (each: Waiting) => accountOf(callOf(each))
  for (const account of new Set(waiting.map(accountAt))) used.set(account, times.used(account, now))
  if (used.size < 2) return waiting
  return waiting.toSorted((a, b) => used.get(accountAt(a))! - used.get(accountAt(b))!)
}
