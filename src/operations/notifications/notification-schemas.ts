import { Type } from 'typebox'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'
import type { NotificationAnswer } from '#src/storage/notifications/notifications.ts'

const UlidOrNull = (description: string) => Type.Union([Ulid, Type.Null()], { description })

const KINDS: readonly NotificationAnswer['kind'][] = [
  'enter',
  'change',
  'leave',
  'proposal',
  'proposal_decided',
  'import_done',
  'webhook_disabled',
]

export const Notification = Type.Object(
  {
    notification_id: Ulid,
    kind: Type.Unsafe<NotificationAnswer['kind']>({ type: 'string', enum: [...KINDS] }),
    about: { ...Ulid, description: 'The id of the view, proposal, import or webhook' },
    view_id: UlidOrNull('Of enter, change and leave'),
    item_id: UlidOrNull('Of enter, change and leave, where it is one item'),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Of the item, as it is called now' }),
    change_id: UlidOrNull('Null also where the time did it'),
    user_id: UlidOrNull('Who did it; null: the service, or the time'),
    created_at: Timestamp,
    read: Type.Boolean(),
    count: Type.Optional(
      Type.Integer({ description: 'A change of more than 20 items of a view is reported as one' }),
    ),
  },
  { title: 'Notification' },
)

export const EXAMPLE_NOTIFICATION = {
  notification_id: '01JJXZ5T7GQ3M8K4B9R2C6D0NF',
  kind: 'enter' as const,
  about: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  view_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0AB',
  name: 'Buy milk',
  change_id: '01JJXZ5T7GQ3M8K4B9R2C6D0CH',
  user_id: '01JJXZ5T7GQ3M8K4B9R2C6D0VS',
  created_at: '2026-02-03T04:05:06.789Z',
  read: false,
}

const OF_VIEWS: readonly string[] = ['enter', 'change', 'leave']

/** A notification as it leaves. */
export const notificationAnswer = ({ done_by, is_read, count, name, ...news }: NotificationAnswer) => ({
  notification_id: news.notification_id,
  kind: news.kind,
  about: news.about,
  view_id: OF_VIEWS.includes(news.kind) ? news.about : null,
  item_id: news.item_id,
  name,
  change_id: news.change_id,
  user_id: done_by,
  created_at: news.created_at,
  read: is_read === 1,
  ...(count !== null && { count }),
})
