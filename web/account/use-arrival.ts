import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { setSessionState } from '#web/api/session-state.ts'
import { forgetItemNames } from '#web/data/item-names.ts'
import { serviceQuery } from '#web/data/service-query.ts'

/** What follows a sign-in: on to where he was going, with nothing left of whoever was here before. */
export function useArrival(next: string | null): () => void {
  const client = useQueryClient()
  const [, go] = useLocation()
  return () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== serviceQuery.queryKey[0] })
    forgetItemNames()
    void client.invalidateQueries(serviceQuery)
    setSessionState('signed_in')
    go(ownPath(next), { replace: true })
  }
}

/** An address of this site, whatever was written into `next`. */
export function ownPath(next: string | null): string {
  if (!next?.startsWith('/') || !URL.canParse(next, location.origin)) return '/'
  const { origin, pathname, search, hash } = new URL(next, location.origin)
  return origin === location.origin ? pathname + search + hash : '/'
}
