import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { invalid } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { idsAmong } from '#src/domain/ulid.ts'
import { Ids } from '#src/operations/schemas/inputs.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { countUnread, markRead } from '#src/storage/notifications/notifications.ts'

export const readNotifications = defineOperation({
  name: 'readNotifications',
  summary: 'Mark notifications of yours as read: those with the ids, or all.',
  description: 'Ids that are none of yours, or no more, do nothing.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'POST /api/notifications/read',
  hints: { idempotent: true },
  input: Type.Object(
    { notification_ids: Type.Optional(Ids('Of GET /api/notifications')), all: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  output: Type.Object({ unread_count: Type.Integer({ description: 'What is left' }) }),
  example: {
    input: { notification_ids: ['01JJXZ5T7GQ3M8K4B9R2C6D0NF'] },
    output: { unread_count: 0 },
  },
  async run(context, { notification_ids, all = false }) {
    const { db, caller } = context
    if ((notification_ids === undefined) !== all)
      throw invalid([{ path: 'notification_ids', message: 'expected either these or all: true' }])
    const user_id = userOf(caller)
    await markRead(context, user_id, all ? 'all' : idsAmong(notification_ids!))
    const unread_count = await countUnread(db, user_id)
    return Reply.of({ unread_count }, { unread: unread_count })
  },
})
