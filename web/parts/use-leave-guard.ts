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
  useHeldPage(isDirty)
  useEffect(() => {
    if (!isDirty) return
    holders++
    return () => {
      holders--
    }
  }, [isDirty])
}

/** Asks before the page is closed or loaded again, and on signing out; within the application it goes along. */
export function useHeldPage(isHeld: boolean): void {
  useEffect(() => {
    if (isHeld) return holdPage()
  }, [isHeld])
}

/** Only before it is closed or loaded again: on signing out it is saved. */
export function useHeldTab(isHeld: boolean): void {
  useEffect(() => {
    if (isHeld) return holdTab()
  }, [isHeld])
}

/** The same without a component; what it gives lets go. */
export function holdPage(): () => void {
  const letGo = beforeSignOut(async () => false)
  const letTabGo = holdTab()
  return () => {
    letGo()
    letTabGo()
  }
}

function holdTab(): () => void {
  const hold = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', hold)
  return () => removeEventListener('beforeunload', hold)
}

/** Where one is, as long as leaving it is not agreed to. */
let here = location.href

// Before the router hears of it: Back and Forward are asked as links are.
addEventListener(
  'popstate',
  (event) => {
    if (new URL(here).pathname === location.pathname || mayLeave()) here = location.href
    else {
      event.stopImmediatePropagation()
      history.pushState(null, '', here)
    }
  },
  { capture: true },
)
for (const type of ['pushState', 'replaceState']) addEventListener(type, () => (here = location.href))

const leave: typeof navigate = (to, options) => {
  const { pathname } = new URL(to, location.href)
  if (pathname === location.pathname || mayLeave()) navigate(to, options)
}

/** Where one is, as the browser has it; keys, links and the palette all go by it. */
export const useGuardedLocation: BrowserLocationHook = (options) => [useBrowserLocation(options)[0], leave]
