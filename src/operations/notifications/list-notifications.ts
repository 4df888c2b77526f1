import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import {
  EXAMPLE_NOTIFICATION,
  Notification,
  notificationAnswer,
} from '#src/operations/notifications/notification-schemas.ts'
import { pageById, PageById } from '#src/operations/page-by-id.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import {
  countUnread,
  notificationsBefore,
  type NotificationAnswer,
} from '#src/storage/notifications/notifications.ts'

export const listNotifications = defineOperation({
  name: 'listNotifications',
  summary: 'List your notifications, newest first; X-Unread-Count says how many are unread.',
  description:
    'Of views that you watch, proposals (editors and owners), decisions on your proposals, imports of yours that are done ' +
    'or failed, webhooks that the service disabled (owners). Kept 90 days, at most the 1,000 newest.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/notifications',
  paged: true,
  input: PageById,
  output: Type.Array(Notification),
  example: { input: { limit: 20 }, output: [EXAMPLE_NOTIFICATION] },
  async run(context, page) {
    const { db, caller } = context
    const user_id = userOf(caller)
    const { body, meta } = await pageById<NotificationAnswer>(context, page, {
      read: (after, limit) => notificationsBefore(db, user_id, after, limit),
      idOf: ({ notification_id }) => notification_id,
      textOf: (row) => JSON.stringify(notificationAnswer(row)),
    })
    return new Reply(body, { ...meta, unread: await countUnread(db, user_id) })
  },
})
