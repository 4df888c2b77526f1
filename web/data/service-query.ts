import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { getService } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type Service = OutputOf<typeof getService>

/** What the service is, and whether somebody is signed in. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: async ({ signal }) => (await call(getService, {}, { signal, anonymous: true })).data,
  staleTime: Infinity,
})
