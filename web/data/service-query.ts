import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { getService } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { beginHearing } from '#web/data/last-heard.ts'

export type Service = OutputOf<typeof getService>

/** What the service is, and whether somebody is signed in. It is read before anything that is signed in reads. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: async ({ signal }) => {
    const { data, event_id } = await call(getService, {}, { signal, anonymous: true })
    beginHearing(event_id)
    return data
  },
  staleTime: Infinity,
})
