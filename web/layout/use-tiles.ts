import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RowSource } from '#web/data/row-source.ts'
import { drawnName } from '#web/layout/drawn-items.ts'
import { tilesIn } from '#web/rules/tiles.ts'

interface Sight {
  first: number
  last: number
  across: number
  tileHeight: number
}

/** Which tiles are drawn, and how large they are: all alike, so that any place is arithmetic. */
export function useTiles(scroller: RefObject<HTMLDivElement | null>, total: number, source: RowSource) {
  const [sight, setSight] = useState<Sight>({ first: 0, last: 0, across: 1, tileHeight: 1 })
  const asked = useRef<unknown>(null)
  const measure = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const next = tilesIn({
      width: element.clientWidth,
      height: element.clientHeight,
      top: element.scrollTop,
      total,
    })
    setSight((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next))
    // Each viewport is answered by a change of the rows, after which it is measured again.
    const question = JSON.stringify([next.first, next.last])
    if (asked.current === question) return
    asked.current = question
    source.setViewport(next.first, Math.max(next.last, next.first + 1))
  }, [scroller, total, source])
  useLayoutEffect(measure, [measure])
  useEffect(() => {
    asked.current = null
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [measure, scroller])
  const wanted = useRef(-1)
  useLayoutEffect(() => {
    if (wanted.current < 0) return
    const tile = drawnName(scroller.current!, wanted.current)
    if (!tile) return
    wanted.current = -1
    tile.focus({ preventScroll: true })
  })
  const reveal = (index: number) => {
    const element = scroller.current!
    const top = Math.floor(index / sight.across) * sight.tileHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + sight.tileHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + sight.tileHeight - element.clientHeight
    wanted.current = index
    measure()
  }
  // Drawn in this very frame, or tiles flash blank.
  return { ...sight, onScroll: () => flushSync(measure), reveal }
}
