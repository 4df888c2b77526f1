import { useEffect, useMemo, useState } from 'react'
import { type Known, knownItems, spread } from '#web/import/known-items.ts'
import { type ImportItem, type MatchBy, matchValue } from '#web/rules/import-plan.ts'

/** Names that are looked up to see whether the table has been here before. */
const SAMPLE = 200

const distinct = (items: readonly ImportItem[], by: MatchBy): unknown[] => [
  ...new Set(items.map((item) => matchValue(item, by)).filter((value) => value !== undefined)),
]

/** Whether items of the tag have names of the table already; undefined while that is looked up. */
export function useIsKnown(items: readonly ImportItem[], tag_id: string | null): boolean | undefined {
  const key = useMemo(
    () => (tag_id === null ? null : JSON.stringify([tag_id, spread(distinct(items, 'name'), SAMPLE)])),
    [items, tag_id],
  )
  const [found, setFound] = useState<{ key: string; isKnown: boolean }>()
  useEffect(() => {
    if (key === null) return undefined
    const [of, values] = JSON.parse(key) as [string, string[]]
    const looking = new AbortController()
    knownItems({ tag_id: of, by: 'name', values }, looking.signal).then(
      ({ tagged }) => setFound({ key, isKnown: tagged > 0 }),
      // What cannot be looked up is not known: the choice is there all the same.
      () => !looking.signal.aborted && setFound({ key, isKnown: false }),
    )
    return () => looking.abort()
  }, [key])
  if (key === null) return false
  return found?.key === key ? found.isKnown : undefined
}

/** The items that the rows meet; undefined while they are looked up, null where rows meet none. */
export function useKnown(
  items: readonly ImportItem[],
  tag_id: string | null,
  by: MatchBy | null,
): Known | null | undefined {
  const field = by === null || by === 'name' ? by : by.field
  const asked = useMemo(() => {
    if (tag_id === null || field === null) return null
    const match: MatchBy = field === 'name' && by === 'name' ? 'name' : { field }
    return { tag_id, by: match, values: distinct(items, match) }
    // oxlint-disable-next-line react/exhaustive-deps -- `by` is new each time, and `field` says what it is
  }, [items, tag_id, field, by === 'name'])
  const [found, setFound] = useState<{ of: typeof asked; known: Known }>()
  useEffect(() => {
    if (!asked) return undefined
    const looking = new AbortController()
    knownItems(asked, looking.signal).then(
      (known) => setFound({ of: asked, known }),
      () => undefined,
    )
    return () => looking.abort()
  }, [asked])
  if (!asked) return null
  return found?.of === asked ? found.known : undefined
}
