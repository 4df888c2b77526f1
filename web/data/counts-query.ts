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
      return { matched: data.matched_count, leftOut: data.left_out_as_null }
    },
    staleTime: 0,
  })
