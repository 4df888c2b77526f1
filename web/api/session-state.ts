import { emptyStore, Slot, useSlot } from '#web/store.ts'

/** `ended`: it was there, and calls wait until it is back. */
export type SessionState = 'unknown' | 'signed_in' | 'signed_out' | 'ended'

const session = new Slot<SessionState>('session', 'page', () => 'unknown')
const waiting = new Slot<readonly (() => void)[]>('waiting_for_session', 'page', () => [])

export const sessionState = session.get

export const useSessionState = (): SessionState => useSlot(session, (state) => state)

/** Whose page it is, once that is known. */
const account = new Slot<string | null>('session_account', 'account', () => null)

export const setSessionAccount = account.set

export const useSessionAccount = (): string | null => useSlot(account, (user_id) => user_id)

/**
 * Another tab may have signed in somebody else, and the cookie is theirs: what is sent says whose it is, and the service
 * takes it as sent without a session where that differs. While one signs in the page is nobody's.
 */
export const asAccount = (): Readonly<Record<string, string>> => {
  const user_id = session.get() === 'signed_in' ? account.get() : null
  return user_id === null ? {} : { 'x-expected-user': user_id }
}

/** Set by the one that signs in or out: the one place where what is the account's goes. */
export function setSessionState(next: SessionState): void {
  const before = session.get()
  if (next === before) return
  session.set(next)
  // Once more when somebody comes: an answer may have come late.
  if (before !== 'unknown' && (next === 'signed_out' || before === 'signed_out')) emptyStore()
  if (next === 'ended') return
  const resumed = waiting.get()
  waiting.set([])
  for (const resume of resumed) resume()
}

/** Counts what was forbidden: the account may have another role by now. */
const forbidden = new Slot('forbidden', 'page', () => 0)

export const wasForbidden = (): void => forbidden.update((times) => times + 1)
export const onForbidden = forbidden.subscribe

/** Settles when somebody has signed in again, or has given up. */
export const sessionBack = (): Promise<void> =>
  new Promise((resolve) => waiting.update((all) => [...all, resolve]))
