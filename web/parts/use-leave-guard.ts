import { useEffect, useRef } from 'react'
import { type BrowserLocationHook, navigate, useBrowserLocation } from 'wouter/use-browser-location'
import { beforeSignOut } from '#web/parts/unsaved.ts'
import { Slot } from '#web/store.ts'

/** Those on the page who hold what is not saved. Anyone who signs out has agreed to leave it. */
const holders = new Slot<ReadonlySet<object>>('holders', 'account', () => new Set())

const mayLeave = (): boolean =>
  // oxlint-disable-next-line no-alert -- the browser's own question, as on closing the tab
  holders.get().size === 0 || confirm('Leave without saving? What you have changed here is lost.')

/** Asks before the page is left, by whatever way, while something on it is not saved. */
export function useLeaveGuard(isDirty: boolean): void {
  useHeldPage(isDirty)
  useEffect(() => {
    if (!isDirty) return
    const holder = {}
    holders.update((all) => all.union(new Set([holder])))
    return () => holders.update((all) => all.difference(new Set([holder])))
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

/** As long as it is so of what a slot holds. */
export function holdPageWhile<T>(slot: Slot<T>, isHeld: (value: T) => boolean): void {
  let letGo: (() => void) | undefined
  slot.subscribe(() => {
    if (isHeld(slot.get())) letGo ??= holdPage()
    else {
      letGo?.()
      letGo = undefined
    }
  })
}

/** Those on the page who hold what goes with the tab. */
const holdsOfTab = new Slot<ReadonlySet<object>>('holds_of_tab', 'page', () => new Set())

/** Whether closing the tab would be asked about. */
export const isTabHeld = (): boolean => holdsOfTab.get().size > 0

function holdTab(): () => void {
  const hold = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', hold)
  holdsOfTab.update((all) => all.union(new Set([hold])))
  return () => {
    removeEventListener('beforeunload', hold)
    holdsOfTab.update((all) => all.difference(new Set([hold])))
  }
}

/** Where one is, as long as leaving it is not agreed to. */
const here = new Slot('here', 'page', () => location.href)

// Before the router hears of it: Back and Forward are asked as links are.
addEventListener(
  'popstate',
  (event) => {
    if (new URL(here.get()).pathname === location.pathname || mayLeave()) here.set(location.href)
    else {
      event.stopImmediatePropagation()
      history.pushState(null, '', here.get())
    }
  },
  { capture: true },
)
for (const type of ['pushState', 'replaceState']) addEventListener(type, () => here.set(location.href))

const leave: typeof navigate = (to, options) => {
  const { pathname } = new URL(to, location.href)
  if (pathname === location.pathname || mayLeave()) navigate(to, options)
}

/** Goes on to another page when what this one holds is saved: nothing is asked. Who has left it before stays there. */
export function useGoOn(): typeof navigate {
  const isHere = useIsHere()
  return (to, options) => {
    if (isHere.current) navigate(to, options)
  }
}

/** Whether a component is still on the page, for what has an answer later. */
export function useIsHere(): { readonly current: boolean } {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}

/** Where one is, as the browser has it; keys, links and the palette all go by it. */
export const useGuardedLocation: BrowserLocationHook = (options) => [useBrowserLocation(options)[0], leave]
