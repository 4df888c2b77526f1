import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

const newest = query((_: object, sql) =>
  sql
    .selectFrom('item')
    .select(({ fn }) => fn.max('item_id').as('id'))
    .unionAll(sql.selectFrom('purged_item').select(({ fn }) => fn.max('item_id').as('id')))
    .unionAll(sql.selectFrom('tag').select(({ fn }) => fn.max('tag_id').as('id')))
    .unionAll(sql.selectFrom('audit_event').select(({ fn }) => fn.max('event_id').as('id')))
    .unionAll(sql.selectFrom('audit_draft').select(({ fn }) => fn.max('last_event').as('id')))
    .unionAll(sql.selectFrom('security_event').select(({ fn }) => fn.max('event_id').as('id')))
    .unionAll(
      sql.selectFrom('session').select(({ fn }) => fn.max<string, 'session_id'>('session_id').as('id')),
    )
    .unionAll(sql.selectFrom('api_key').select(({ fn }) => fn.max('key_id').as('id')))
    .unionAll(sql.selectFrom('invitation').select(({ fn }) => fn.max('invitation_id').as('id')))
    .unionAll(sql.selectFrom('account').select(({ fn }) => fn.max('user_id').as('id')))
    .unionAll(sql.selectFrom('view').select(({ fn }) => fn.max('view_id').as('id')))
    .unionAll(sql.selectFrom('waiting_view').select(({ fn }) => fn.max('view_id').as('id')))
    .unionAll(sql.selectFrom('file').select(({ fn }) => fn.max('file_id').as('id')))
    .unionAll(sql.selectFrom('notification').select(({ fn }) => fn.max('notification_id').as('id')))
    .unionAll(sql.selectFrom('chat').select(({ fn }) => fn.max('chat_id').as('id')))
    .unionAll(sql.selectFrom('chat_message').select(({ fn }) => fn.max('message_id').as('id')))
    .unionAll(sql.selectFrom('webhook').select(({ fn }) => fn.max('webhook_id').as('id')))
    .unionAll(sql.selectFrom('webhook_delivery').select(({ fn }) => fn.max('delivery_id').as('id'))),
)

/** The newest id of all tables, after which new ones are counted on; null in an empty database. */
export async function newestId(db: Db): Promise<Ulid | null> {
  const ids = (await db.all(newest, {})).flatMap(({ id }) => id ?? [])
  return ids.toSorted().at(-1) ?? null
}
