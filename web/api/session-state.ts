/** `ended`: it was there, and calls wait until it is back. */
export type SessionState = 'unknown' | 'signed_in' | 'signed_out' | 'ended'

let state: SessionState = 'unknown'
const listeners = new Set<() => void>()
let waiting: (() => void)[] = []

export const sessionState = (): SessionState => state

export function onSessionState(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Told by the one that signs in or out. */
export function setSessionState(next: SessionState): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
  if (next === 'ended') return
  const resumed = waiting
  waiting = []
  for (const resume of resumed) resume()
}

/** Settles when somebody has signed in again, or has given up. */
export const sessionBack = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
