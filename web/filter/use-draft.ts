import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { whenRested } from '#web/filter/when-rested.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

/**
 * The filter as it is being written: it counts a moment after the last change, when it has no fault; until then the
 * table goes on with the one before, and it is not settled.
 */
export function useDraft(
  filter: Filter | null,
  onFilter: (filter: Filter | null) => void,
  tags: readonly FilterTag[],
  onSettled?: (isSettled: boolean) => void,
): [Filter | null, (filter: Filter | null) => void] {
  const [draft, setDraft] = useState(filter)
  const reported = useRef(JSON.stringify(filter))
  const report = useEffectEvent((next: Filter | null) => {
    reported.current = JSON.stringify(next)
    onFilter(next)
    onSettled?.(true)
  })
  const tellSettled = useEffectEvent((isSettled: boolean) => onSettled?.(isSettled))
  const given = JSON.stringify(filter)
  useEffect(() => {
    if (given === reported.current) return
    // The address changed by itself: Back, or Clear.
    reported.current = given
    setDraft(JSON.parse(given) as Filter | null)
  }, [given])
  const written = JSON.stringify(draft)
  useEffect(() => {
    const isSettled = written === reported.current
    tellSettled(isSettled)
    if (isSettled) return undefined
    return whenRested(JSON.parse(written) as Filter | null, tags, (next) => report(next))
  }, [written, tags])
  return [draft, setDraft]
}
