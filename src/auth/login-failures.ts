import { hash } from 'node:crypto'
import { addressGroup } from '#src/auth/client-address.ts'
import { emailKey } from '#src/auth/email.ts'
import type { Caller } from '#src/domain/caller.ts'

/** From `max` failures within `window` milliseconds on, further attempts are refused unseen. */
export interface FailureLimit {
  max: number
  window: number
}

/** Of one account and address. */
export const SIGN_INS: FailureLimit = { max: 10, window: 15 * 60 * 1000 }
/**
 * Wrong codes of one account, from all addresses: otherwise somebody who has its password could try from as many as they can rent.
 * Nobody without the password gets that far, so no stranger locks an account.
 */
export const CODES: FailureLimit = { max: 20, window: 60 * 60 * 1000 }
/** Milliseconds after which a failure counts nowhere. */
export const FAILURES_KEPT = Math.max(SIGN_INS.window, CODES.window)

/** Hashed: people type their password into the wrong field. */
export const accountKey = (email: string): string => hash('sha256', emailKey(email), 'hex')

/** Whose attempts are counted; without an account of that address `user_id` is null. */
export interface Tried {
  email: string
  user_id: string | null
}

/** What a known browser is bound to: the account while it has this address, so that neither goes on with the other. */
export const deviceKey = ({ user_id, email }: { user_id: string; email: string }): string =>
  hash('sha256', `${user_id} ${emailKey(email)}`, 'hex')

export const isKnown = ({ user_id, email }: Tried, device: Caller['device']): boolean =>
  user_id !== null && device?.account === deviceKey({ user_id, email })

type From = Pick<Caller, 'address' | 'device'>

/** Account and address, under which failures are counted. No limit of sign-ins counts an account for all addresses. */
const addressKey = (account: string, { address }: From): string => `${account} ${addressGroup(address)}`

/**
 * By what it goes whether somebody has failed too often: account and address, or, for a browser that has signed in to
 * the account before, that browser alone, so that nobody at its address can lock it out.
 */
export function failureKey(tried: Tried, from: From): string {
  const account = accountKey(tried.email)
  return isKnown(tried, from.device) ? `${account} device ${from.device!.id}` : addressKey(account, from)
}

/** Under what a failure counts, and what a sign-in clears: the address has failed too, whatever the browser is. */
export const failureKeys = (tried: Tried, from: From): string[] => [
  ...new Set([failureKey(tried, from), addressKey(accountKey(tried.email), from)]),
]

/** The account alone, whatever its address is by now. Codes that complete a sign-in and codes of somebody who is signed in do not use each other's tries up. */
export const codeKey = (user_id: string, use: 'verify' | 'session'): string => `${user_id} ${use}`

/** With what all keys of an account begin. */
export const accountKeys = ({ user_id, email }: { user_id: string; email: string }): string[] => [
  accountKey(email),
  user_id,
]

/** Whole seconds until the next attempt is looked at; null: now. `failures`: times within the window, oldest first. */
export function retryAfter(
  failures: readonly string[],
  now: Date,
  { max, window }: FailureLimit,
): number | null {
  // A clock that had jumped ahead and is right again has left failures of the future.
  const past = failures.filter((each) => Date.parse(each) <= now.getTime())
  const blocking = past.at(-max)
  if (blocking === undefined) return null
  return Math.max(1, Math.ceil((Date.parse(blocking) + window - now.getTime()) / 1000))
}
