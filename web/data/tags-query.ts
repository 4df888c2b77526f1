import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listTags } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { byName } from '#web/rules/by-name.ts'

export type Tag = OutputOf<typeof listTags>[number]

/** All tags, by name. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) =>
    (await call(listTags, {}, { signal })).data.toSorted((a, b) => byName(a.name, b.name)),
})

export const useTags = (): readonly Tag[] | undefined => useQuery(tagsQuery).data
