import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

const since = query((p: { after: Ulid; limit: number }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(['entity_type', 'item_id'])
    .where('event_id', '>', p.after)
    .orderBy('event_id')
    .limit(p.limit),
)

/**
 * Items that were changed after an event, null for the beginning of the log; undefined where a tag was changed, or
 * where there are more than `most` events: then anything may be different.
 */
export async function idsChangedSince(
  db: Db,
  event_id: Ulid | null,
  most: number,
): Promise<Set<Ulid> | undefined> {
  await requireWholeLog(db)
  const events = await db.all(since, { after: event_id ?? '', limit: most + 1 })
  if (events.length > most) return undefined
  const items = new Set<Ulid>()
  for (const { entity_type, item_id } of events) {
    if (entity_type !== 'item' || item_id === null) return undefined
    items.add(item_id)
  }
  return items
}
