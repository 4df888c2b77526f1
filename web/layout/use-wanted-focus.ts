import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * What has the focus as soon as it is drawn, and again where it goes and comes back, until somebody does anything else:
 * over a slow network that may take long, and what lies beside has the focus meanwhile.
 */
export function useWantedFocus(around: RefObject<HTMLElement | null>): (selector: string) => void {
  const wanted = useRef<string | null>(null)
  useLayoutEffect(() => {
    const found = wanted.current !== null && around.current?.querySelector<HTMLElement>(wanted.current)
    if (!found || found === document.activeElement) return
    found.focus({ preventScroll: true })
    found.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    const over = new AbortController()
    const options = { capture: true, signal: over.signal }
    const leave = () => {
      wanted.current = null
    }
    for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, leave, options)
    // From one element to another it goes by assistive technology too; where the first has gone, it comes from nowhere.
    const hear = ({ target, relatedTarget }: FocusEvent) => {
      const isWanted = wanted.current !== null && (target as Element).matches(wanted.current)
      if (relatedTarget && !isWanted) leave()
    }
    document.addEventListener('focusin', hear, options)
    return () => over.abort()
  }, [])
  return (selector) => {
    wanted.current = selector
  }
}
