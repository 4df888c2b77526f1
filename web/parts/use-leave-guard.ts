import { useEffect } from 'react'
import { type BrowserLocationHook, navigate, useBrowserLocation } from 'wouter/use-browser-location'
import { beforeSignOut } from '#web/parts/unsaved.ts'

/** How many on the page hold what is not saved. */
let holders = 0

const mayLeave = (): boolean =>
  // oxlint-disable-next-line no-alert -- the browser's own question, as on closing the tab
  holders === 0 || confirm('Leave without saving? What you have changed here is lost.')

/** Asks before the page is left, by whatever way, while something on it is not saved. */
export function useLeaveGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    const letGo = beforeSignOut(async () => false)
    holders++
    addEventListener('beforeunload', hold)
    return () => {
      holders--
      letGo()
      removeEventListener('beforeunload', hold)
    }
  }, [isDirty])
}

const leave: typeof navigate = (to, options) => {
  const { pathname } = new URL(to, location.href)
  if (pathname === location.pathname || mayLeave()) navigate(to, options)
}

/** Where one is, as the browser has it; keys, links and the palette all go by it. */
export const useGuardedLocation: BrowserLocationHook = (options) => [useBrowserLocation(options)[0], leave]
