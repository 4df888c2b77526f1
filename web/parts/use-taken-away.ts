import { useEffect, useEffectEvent, useState } from 'react'
import { sessionState } from '#web/api/session-state.ts'

/** Calls it where the component goes and its page stays: whoever leaves the page, or signs out, was asked before. */
export function useTakenAway(tell: () => void): void {
  const [path] = useState(() => location.pathname)
  const end = useEffectEvent(() => {
    if (location.pathname === path && sessionState() === 'signed_in') tell()
  })
  useEffect(() => () => end(), [])
}
