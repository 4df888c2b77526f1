import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Milliseconds after which somebody is elsewhere, and keeps the focus. */
const PATIENCE = 2000

/** What has the focus as soon as it is drawn. */
export function useWantedFocus(around: RefObject<HTMLElement | null>): (selector: string) => void {
  const wanted = useRef<{ selector: string; until: number } | null>(null)
  useLayoutEffect(() => {
    if (!wanted.current) return
    const { selector, until } = wanted.current
    const found = around.current?.querySelector<HTMLElement>(selector)
    const isLate = performance.now() > until
    if (!found && !isLate) return
    wanted.current = null
    if (!found || isLate) return
    found.focus({ preventScroll: true })
    found.scrollIntoView({ block: 'nearest' })
  })
  return (selector) => {
    wanted.current = { selector, until: performance.now() + PATIENCE }
  }
}
