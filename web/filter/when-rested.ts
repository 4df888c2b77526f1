import type { Filter } from '#web/rules/filter-edits.ts'
import { filterMeaning } from '#web/rules/filter-meaning.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

/** Milliseconds after the last change. */
export const PAUSE = 150

/** Reports a filter once it has been left alone for a moment, where it has no fault; what it returns calls that off. */
export function whenRested(
  filter: Filter | null,
  tags: readonly FilterTag[],
  report: (filter: Filter | null) => void,
): () => void {
  let isOff = false
  const check = async () => {
    const isFaulty = filter !== null && (await filterMeaning(filter, tags)).faults.length > 0
    if (!isOff && !isFaulty) report(filter)
  }
  const timer = setTimeout(() => void check(), PAUSE)
  return () => {
    isOff = true
    clearTimeout(timer)
  }
}
