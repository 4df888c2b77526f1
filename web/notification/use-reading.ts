import { useQueryClient } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { readNotifications } from '#web/api/operations.ts'
import { type Notification, notificationsQuery, unreadQuery } from '#web/data/notifications-query.ts'
import { toast } from '#web/parts/toast.tsx'

/** Marks notifications as read: they look so at once, and the bell counts them no more. */
export function useReading(): (which: readonly Notification[] | 'all') => Promise<void> {
  const client = useQueryClient()
  return async (which) => {
    const ids = which === 'all' ? null : new Set(which.map(({ notification_id }) => notification_id))
    if (ids?.size === 0) return
    client.setQueryData(
      notificationsQuery.queryKey,
      (old) =>
        old && {
          ...old,
          pages: old.pages.map((page) => ({
            ...page,
            data: page.data.map((each) =>
              ids && !ids.has(each.notification_id) ? each : { ...each, read: true },
            ),
          })),
        },
    )
    try {
      const input = ids ? { notification_ids: [...ids] } : { all: true }
      const { data } = await call(readNotifications, input)
      client.setQueryData(unreadQuery.queryKey, data.unread_count)
    } catch (error) {
      toast({ text: toFault(error).message, kind: 'danger' })
      await client.invalidateQueries({ queryKey: ['notifications'] })
    }
  }
}
