import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listTags } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type Tag = OutputOf<typeof listTags>[number]

/** All tags, by name. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) =>
    (await call(listTags, {}, { signal })).data.toSorted((a, b) => a.name.localeCompare(b.name)),
})

export const useTags = (): readonly Tag[] | undefined => useQuery(tagsQuery).data
