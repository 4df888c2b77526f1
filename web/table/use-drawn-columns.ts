import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react'
import type { Column } from '#web/rules/column.ts'

/** So many are drawn always: fewer elements would not be felt. */
const FEW = 24
/** Pixels to either side of what is seen. */
const BEYOND = 300

/** Which columns are drawn, by their places: of many only those in sight, and those that stay. */
export function useDrawnColumns(
  scroller: RefObject<HTMLDivElement | null>,
  shown: readonly Column[],
  frozen: number,
  firstLeft: number,
): { drawn: readonly number[]; measure: () => void } {
  const [sight, setSight] = useState({ from: 0, before: FEW })
  const rights = useMemo(() => {
    let right = firstLeft
    return shown.map(({ width }) => (right += width))
  }, [shown, firstLeft])
  const isFew = shown.length <= FEW
  const measure = useCallback(() => {
    const element = scroller.current
    if (!element || isFew) return
    const left = element.scrollLeft - BEYOND
    const end = element.scrollLeft + element.clientWidth + BEYOND
    const from = Math.max(
      0,
      rights.findIndex((right) => right > left),
    )
    const past = rights.findIndex((right, i) => right - shown[i]!.width > end)
    const before = past < 0 ? shown.length : past
    setSight((old) => (old.from === from && old.before === before ? old : { from, before }))
  }, [scroller, rights, shown, isFew])
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [measure, scroller])
  const drawn = useMemo(() => {
    const places = shown.keys()
    return [...places].filter((i) => isFew || i < frozen || (i >= sight.from && i < sight.before))
  }, [shown, frozen, isFew, sight])
  return { drawn, measure }
}
