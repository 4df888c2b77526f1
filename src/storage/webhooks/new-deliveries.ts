import { type SqlBool, sql as rawSql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { type Db, query } from '#src/sql/query.ts'
import { matchingAmong } from '#src/storage/search/matching-items.ts'
import { matchingDeleted, settleTargets } from '#src/storage/trash/matching-deleted.ts'
import type { WebhookRow } from '#src/storage/webhooks/webhooks.ts'

/** What an event is chosen by. */
export interface EventHead {
  event_id: Ulid
  event_type: string
  item_id: Ulid | null
  tag_id: Ulid | null
}

const after = query((p: { after: string; limit: number }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(['event_id', 'event_type', 'item_id', 'tag_id'])
    .where('event_id', '>', p.after)
    .orderBy('event_id')
    .limit(p.limit),
)
const items = query((p: { item_ids: string }, sql, dialect) =>
  sql
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description', 'deleted_at'])
    .where('item_id', 'in', dialect.texts(p.item_ids)),
)
const waiting = query((p: { webhook: number; limit: number }, sql) =>
  sql
    .selectFrom((e) =>
      e
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhook', '=', p.webhook)
        .where(rawSql<SqlBool>`status = 'pending'`)
        .limit(p.limit)
        .as('pending'),
    )
    .select(({ fn }) => fn.countAll<number>().as('n')),
)

/** The events after the one at which the webhook is, oldest first. */
export const eventsAfter = (db: Db, { position }: WebhookRow, limit: number): Promise<EventHead[]> =>
  db.all(after, { after: position, limit })

/** Whether this many deliveries wait that the log should keep what follows. */
export const isFull = async (db: Db, { id }: WebhookRow, limit: number): Promise<boolean> =>
  (await db.get(waiting, { webhook: id, limit }))!.n >= limit

/** Those of the events whose types and tags the webhook asks for. */
export function wantedEvents(
  { event_types, tag_ids }: WebhookRow,
  events: readonly EventHead[],
): EventHead[] {
  const types = event_types === null ? null : new Set(JSON.parse(event_types) as string[])
  const tags = tag_ids === null ? null : new Set(JSON.parse(tag_ids) as (string | null)[])
  return events.filter(
    ({ event_type, tag_id }) => (!types || types.has(event_type)) && (!tags || tags.has(tag_id)),
  )
}

/** Those of the events whose item satisfies the plan: a living one as it is now, a deleted one as it was. */
export async function eventsOfMatching(
  db: Db,
  plan: FilterPlan,
  events: readonly EventHead[],
): Promise<EventHead[]> {
  const item_ids = [...new Set(events.flatMap(({ item_id }) => item_id ?? []))]
  if (!item_ids.length) return []
  const rows = await db.all(items, { item_ids: JSON.stringify(item_ids) })
  const living = rows.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)
  const deleted = rows.flatMap(({ deleted_at, ...row }) =>
    deleted_at === null ? [] : [{ ...row, deleted_at }],
  )
  const matching = new Set(living.length ? await matchingAmong(db, plan, living) : [])
  if (deleted.length)
    for (const id of await matchingDeleted(db, await settleTargets(db, plan), deleted)) matching.add(id)
  const chosen = new Set(rows.filter(({ id }) => matching.has(id)).map(({ item_id }) => item_id))
  return events.filter(({ item_id }) => item_id !== null && chosen.has(item_id))
}
