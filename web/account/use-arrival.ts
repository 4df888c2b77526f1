import { useLocation } from 'wouter'
import { setSessionState } from '#web/api/session-state.ts'

/** What follows a sign-in: on to where they were going, with nothing left of the person who was here before. */
export function useArrival(next: string | null): () => void {
  const [, go] = useLocation()
  return () => {
    setSessionState('signed_in')
    arriveAt(ownPath(next), go)
  }
}

/** Where an app asks for access, and files: they come from the service, not from the router. */
const OF_SERVICE = /^\/(?:authorize|api\/files)\//

export function arriveAt(path: string, go: (path: string, options: { replace: boolean }) => void): void {
  if (OF_SERVICE.test(path)) location.replace(path)
  else go(path, { replace: true })
}

/** From one way in to another; where somebody was going goes along. */
export const withNext = (path: string, next: string | null): string =>
  next === null ? path : `${path}?${new URLSearchParams({ next })}`

/** An address of this site, whatever was written into `next`. */
export function ownPath(next: string | null): string {
  if (!next?.startsWith('/') || !URL.canParse(next, location.origin)) return '/'
  const { origin, pathname, search, hash } = new URL(next, location.origin)
  // As normalized, `/..//host` begins with two slashes: an address of another host.
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
