import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { UnsettledHere } from '#web/parts/unsettled.ts'
import { whenRested } from '#web/filter/when-rested.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

interface Draft {
  filter: Filter | null
  onFilter: (filter: Filter | null) => void
  tags: readonly FilterTag[]
  /** Leads to what is wrong with it. */
  onShow: () => void
}

/**
 * The filter as it is being written: it counts a moment after the last change, when it has no fault; until then the
 * table goes on with the one before, and the question here is not settled.
 */
export function useDraft(given: Draft): [Filter | null, (filter: Filter | null) => void] {
  const { filter, tags } = given
  const [draft, setDraft] = useState(filter)
  const reported = useRef(JSON.stringify(filter))
  const unsettled = useContext(UnsettledHere)
  const report = useEffectEvent((next: Filter | null) => {
    reported.current = JSON.stringify(next)
    given.onFilter(next)
  })
  const show = useEffectEvent(() => given.onShow())
  const asked = JSON.stringify(filter)
  useEffect(() => {
    if (asked === reported.current) return
    // The address changed by itself: Back, or Clear.
    reported.current = asked
    setDraft(JSON.parse(asked) as Filter | null)
  }, [asked])
  const written = JSON.stringify(draft)
  useEffect(() => {
    if (written === reported.current) return undefined
    const letGo = unsettled?.hold(() => show())
    const callOff = whenRested(JSON.parse(written) as Filter | null, tags, (next) => {
      letGo?.()
      report(next)
    })
    return () => {
      callOff()
      letGo?.()
    }
  }, [written, asked, tags, unsettled])
  return [draft, setDraft]
}
