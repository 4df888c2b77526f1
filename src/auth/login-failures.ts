import { hash } from 'node:crypto'
import { addressGroup } from '#src/auth/client-address.ts'
import { emailKey } from '#src/auth/email.ts'

/** From so many failures of one account and address on, further attempts are refused unseen. */
export const MAX_FAILURES = 10
export const FAILURE_WINDOW = 15 * 60 * 1000

/** Hashed: people type their password into the wrong field. */
export const accountKey = (email: string): string => hash('sha256', emailKey(email), 'hex')

/** Account and address, under which failures are counted. No limit counts an account for all addresses. */
export const failureKey = (email: string, address: string): string =>
  `${accountKey(email)} ${addressGroup(address)}`

/** Whole seconds until the next attempt is looked at; null: now. `failures`: times within the window, oldest first. */
export function retryAfter(failures: readonly string[], now: Date): number | null {
  // A clock that had jumped ahead and is right again has left failures of the future.
  const past = failures.filter((each) => Date.parse(each) <= now.getTime())
  const blocking = past.at(-MAX_FAILURES)
  if (blocking === undefined) return null
  return Math.max(1, Math.ceil((Date.parse(blocking) + FAILURE_WINDOW - now.getTime()) / 1000))
}
