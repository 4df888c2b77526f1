import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { explainQuery, searchItems } from '#web/api/operations.ts'
import { timeZone } from '#web/data/time-zone.ts'
import type { Filter } from '#web/rules/filter-edits.ts'

/** Both must hold; null stands for everything. */
export function both(a: Filter | null, b: Filter | null): Filter | null {
  if (!a || !b) return a ?? b
  return { and: [a, b] }
}

/** How many items satisfy a filter. */
export const countQuery = (filter: Filter | null) =>
  queryOptions({
    queryKey: ['count', filter],
    queryFn: async ({ signal }) => {
      const input = { ...(filter && { filter }), limit: 1, count: true, time_zone: timeZone() }
      return (await call(searchItems, input, { signal })).total ?? 0
    },
    staleTime: 0,
  })

/** How many satisfy it, and how many have the tag but no value and are left out for that. */
export const explainedQuery = (filter: Filter) =>
  queryOptions({
    queryKey: ['explained', filter],
    queryFn: async ({ signal }) => {
      const { data } = await call(explainQuery, { filter, time_zone: timeZone() }, { signal })
      const empty = data.conditions.flatMap(({ no_value }) =>
        Object.keys(no_value).filter((key) => no_value[key]),
      )
      return { matched: data.matched_count, leftOut: await countLeftOut(filter, empty, signal) }
    },
    staleTime: 0,
  })

/** Of the items without a value in one of these fields those that the filter does not let in. */
async function countLeftOut(filter: Filter, keys: readonly string[], signal: AbortSignal): Promise<number> {
  const [first, ...others] = [...new Set(keys)].map((key) => ({
    and: [{ has_tag: key.slice(0, key.lastIndexOf('.')) }, { [key]: null }],
  }))
  if (!first) return 0
  const without = others.length ? { or: [first, ...others] } : first
  const input = {
    filter: { and: [without, { not: filter }] },
    limit: 1,
    count: true,
    time_zone: timeZone(),
  }
  return (await call(searchItems, input, { signal })).total ?? 0
}
