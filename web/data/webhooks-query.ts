import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listDeliveries, listWebhooks } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type Webhook = OutputOf<typeof listWebhooks>[number]
export type Delivery = OutputOf<typeof listDeliveries>[number]

/** All of them; for owners. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await call(listWebhooks, {}, { signal })).data,
  staleTime: 0,
})

const PAGE = 20
/** Milliseconds between polls of what is under way. */
const LOOK = 3000

/** What was sent to one, newest first, page by page. */
export const deliveriesQuery = (webhook_id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', webhook_id, 'deliveries'],
    queryFn: ({ signal, pageParam }) =>
      call(
        listDeliveries,
        { webhook_id, limit: PAGE, ...(pageParam !== undefined && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    refetchInterval: LOOK,
  })
