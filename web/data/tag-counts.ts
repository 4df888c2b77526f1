import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { aggregateItems } from '#web/api/operations.ts'

const MOST = 1000

/** How many items have each tag, by its id. Nothing waits for it. */
export const tagCountsQuery = queryOptions({
  queryKey: ['tag-counts'],
  queryFn: async ({ signal }) => {
    const { data } = await call(aggregateItems, { group_by: ['has_tag'], limit: MOST }, { signal })
    const counts = new Map<string, number>()
    for (const { key, count } of data.groups) {
      const [tag] = key as [{ tag_id: string } | null]
      if (tag) counts.set(tag.tag_id, count)
    }
    return counts
  },
  staleTime: 0,
})
