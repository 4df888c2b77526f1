import { useEffect, useState } from 'react'
import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { spread } from '#web/import/known-items.ts'
import type { TableText } from '#web/import/read-table.ts'
import { valuesIn } from '#web/rules/guess-columns.ts'

/** Names of a column that are looked up. */
const SAMPLE = 60
const LONGEST = 200
/** Of them so many must be items of one tag. */
const ENOUGH = 0.8

const NONE: ReadonlyMap<number, string> = new Map()

/** Columns whose values are names of the items of one tag, by their place. */
export function useReferenceGuess(
  table: TableText | null,
  columns: readonly number[],
): ReadonlyMap<number, string> {
  const key = columns.join()
  const [found, setFound] = useState<{ table: TableText; key: string; tags: ReadonlyMap<number, string> }>()
  useEffect(() => {
    if (!table || !key) return undefined
    const looking = new AbortController()
    const places = key.split(',').map(Number)
    guessAll(table, places, looking.signal).then(
      (tags) => setFound({ table, key, tags }),
      // Without a guess they are texts, and can be chosen all the same.
      () => undefined,
    )
    return () => looking.abort()
  }, [table, key])
  return found && found.table === table && found.key === key ? found.tags : NONE
}

async function guessAll(
  { rows }: TableText,
  columns: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const guessed = new Map<number, string>()
  for (const column of columns) {
    const different = [...new Set(valuesIn(rows, column))].filter((each) => each.length <= LONGEST)
    const tag_id = await tagOf(spread(different, SAMPLE), signal)
    if (tag_id !== null) guessed.set(column, tag_id)
  }
  return guessed
}

/** The tag whose items have most of these names, if they are enough. */
async function tagOf(names: readonly string[], signal: AbortSignal): Promise<string | null> {
  if (!names.length) return null
  const input = { filter: { name: { in: [...names] } }, limit: 1000 }
  const { data } = await call(searchItems, input, { signal })
  const having = new Map<string, Set<string>>()
  for (const { name, tags } of data)
    for (const tag_id of Object.keys(tags)) having.set(tag_id, (having.get(tag_id) ?? new Set()).add(name))
  const [best] = [...having].toSorted(([, a], [, b]) => b.size - a.size)
  return best && best[1].size >= ENOUGH * names.length ? best[0] : null
}
