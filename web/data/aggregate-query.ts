import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { aggregateItems } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'
import { timeZone } from '#web/data/time-zone.ts'

/** Groups with their counts, and figures of them. */
export const aggregateQuery = (input: InputOf<typeof aggregateItems>) =>
  queryOptions({
    queryKey: ['aggregate', input],
    queryFn: async ({ signal }) =>
      (await call(aggregateItems, { ...input, time_zone: timeZone() }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
