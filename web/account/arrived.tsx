import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { arriveAt, ownPath } from '#web/account/use-arrival.ts'

/** On to where somebody was going who is signed in already. */
export function Arrived({ next }: { next: string | null }) {
  const [, go] = useLocation()
  useEffect(() => arriveAt(ownPath(next), go), [next, go])
  return null
}
