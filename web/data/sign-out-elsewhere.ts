import { useEffect } from 'react'
import { sessionState, setSessionState } from '#web/api/session-state.ts'
import { isTabHeld } from '#web/parts/use-leave-guard.ts'

const NAME = 'facet.signed_out'

/** All tabs of a browser share the session that has ended. */
export function tellSignOut(): void {
  const channel = new BroadcastChannel(NAME)
  channel.postMessage(null)
  channel.close()
}

/**
 * Signed out in another tab one is signed out here too. What is typed here and not saved stays, for the same account
 * alone: the page asks for its sign-in.
 */
export function useSignOutElsewhere(): void {
  useEffect(() => {
    const channel = new BroadcastChannel(NAME)
    channel.onmessage = () => {
      if (sessionState() === 'signed_in') setSessionState(isTabHeld() ? 'ended' : 'signed_out')
    }
    return () => channel.close()
  }, [])
}
