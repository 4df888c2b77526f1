import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listNotifications } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type Notification = OutputOf<typeof listNotifications>[number]

const PAGE = 50

/** How many are unread; the stream of changes keeps it up to date. */
export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  queryFn: async ({ signal }) => (await call(listNotifications, { limit: 1 }, { signal })).unread ?? 0,
})

/** Notifications of the account, newest first, page by page. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: ({ signal, pageParam }) =>
    call(
      listNotifications,
      { limit: PAGE, ...(pageParam !== undefined && { after: pageParam }) },
      { signal },
    ),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})
