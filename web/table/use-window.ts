import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Rows drawn above and below what is seen. */
const BEYOND = 6
/** No element may be higher in every browser; past it the way of the scroll bar is scaled. */
const MAX_HEIGHT = 15_000_000

export interface Window {
  first: number
  last: number
  /** Pixels by which rows are higher than their number says, where the way is scaled. */
  shift: number
}

interface Measures {
  total: number
  rowHeight: number
  /** Of what is above the rows and stays. */
  headHeight: number
  /** Which rows are drawn now, up to, not with, the last. */
  onViewport: (first: number, last: number) => void
}

/** Which rows are in sight: rows of one height are arithmetic. */
export function useWindow(
  scroller: RefObject<HTMLDivElement | null>,
  { total, rowHeight, headHeight, onViewport }: Measures,
): { window: Window; height: number; onScroll: () => void; reveal: (row: number) => void } {
  const [window, setWindow] = useState<Window>({ first: 0, last: 40, shift: 0 })
  const whole = total * rowHeight
  const height = Math.min(whole, MAX_HEIGHT)

  const measure = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const seen = element.clientHeight - headHeight
    const scale = whole > height ? (whole - seen) / (height - seen) : 1
    const top = element.scrollTop * scale
    const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND)
    const last = Math.ceil((top + seen) / rowHeight) + BEYOND
    const shift = top - element.scrollTop
    setWindow((old) =>
      old.first === first && old.last === last && old.shift === shift ? old : { first, last, shift },
    )
    onViewport(first, last)
  }, [scroller, whole, height, rowHeight, headHeight, onViewport])
  useLayoutEffect(measure, [measure])
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [measure, scroller])

  const reveal = (row: number) => {
    const element = scroller.current
    if (!element) return
    const seen = element.clientHeight - headHeight
    const scale = whole > height ? (whole - seen) / (height - seen) : 1
    const top = row * rowHeight
    const now = element.scrollTop * scale
    if (top < now) element.scrollTop = top / scale
    else if (top + rowHeight > now + seen) element.scrollTop = (top + rowHeight - seen) / scale
    measure()
  }
  // Drawn in this very frame, or rows flash blank.
  const onScroll = () => flushSync(measure)
  return { window, height, onScroll, reveal }
}
