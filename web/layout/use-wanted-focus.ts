import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Milliseconds after which somebody is elsewhere, and keeps the focus. */
const PATIENCE = 2000

/** What has the focus as soon as it is drawn, and again where it goes and comes back before somebody does anything else. */
export function useWantedFocus(around: RefObject<HTMLElement | null>): (selector: string) => void {
  const wanted = useRef<{ selector: string; until: number } | null>(null)
  useLayoutEffect(() => {
    if (!wanted.current) return
    const { selector, until } = wanted.current
    if (performance.now() > until) wanted.current = null
    const found = wanted.current && around.current?.querySelector<HTMLElement>(selector)
    if (!found || found === document.activeElement) return
    found.focus({ preventScroll: true })
    found.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    const over = new AbortController()
    const leave = () => {
      wanted.current = null
    }
    for (const type of ['keydown', 'pointerdown'])
      document.addEventListener(type, leave, { capture: true, signal: over.signal })
    return () => over.abort()
  }, [])
  return (selector) => {
    wanted.current = { selector, until: performance.now() + PATIENCE }
  }
}
