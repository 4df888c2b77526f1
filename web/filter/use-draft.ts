import { useEffect, useRef, useState } from 'react'
import { filterMeaning } from '#web/rules/filter-meaning.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

/** Milliseconds after the last change. */
const PAUSE = 150

/**
 * The filter as it is being written: it counts a moment after the last change, when it has no fault; until then the
 * table goes on with the one before.
 */
export function useDraft(
  filter: Filter | null,
  onFilter: (filter: Filter | null) => void,
  tags: readonly FilterTag[],
): [Filter | null, (filter: Filter | null) => void] {
  const [draft, setDraft] = useState(filter)
  const told = useRef(JSON.stringify(filter))
  const latest = useRef(onFilter)
  useEffect(() => {
    latest.current = onFilter
  })
  const given = JSON.stringify(filter)
  useEffect(() => {
    if (given === told.current) return
    // The address changed by itself: Back, or Clear.
    told.current = given
    setDraft(JSON.parse(given) as Filter | null)
  }, [given])
  const written = JSON.stringify(draft)
  useEffect(() => {
    if (written === told.current) return undefined
    let over = false
    const report = async () => {
      const next = JSON.parse(written) as Filter | null
      const faulty = next !== null && (await filterMeaning(next, tags)).faults.length > 0
      if (over || faulty) return
      told.current = written
      latest.current(next)
    }
    const timer = setTimeout(() => void report(), PAUSE)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [written, tags])
  return [draft, setDraft]
}
