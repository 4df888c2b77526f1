import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listViews } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type View = OutputOf<typeof listViews>[number]

/** One's own views, by their position, and those that others share. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) =>
    (await call(listViews, { shared: true, sort: 'position' as const }, { signal })).data,
})
