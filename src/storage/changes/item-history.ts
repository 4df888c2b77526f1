import type { PastEvent } from '#src/domain/past-event.ts'
import { lastUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/audit-drafts.ts'
import { readEvent } from '#src/storage/changes/past-events.ts'

/** An event of an item with who made it. */
export interface HistoryEvent {
  event: PastEvent
  user_id: Ulid | null
  user_name: string | null
  source: string
  /** JSON text. */
  client: string | null
}

const ofItem = query((p: { item_id: Ulid; before: Ulid; limit: number }, sql) =>
  sql
    .selectFrom('audit_event')
    .leftJoin('account', 'account.user_id', 'audit_event.user_id')
    .select([
      'audit_event.event_id',
      'audit_event.event_type',
      'audit_event.item_id',
      'audit_event.tag_id',
      'audit_event.created_at',
      'audit_event.change_id',
      'audit_event.details',
      'audit_event.state',
      'audit_event.redacted',
      'audit_event.user_id',
      'audit_event.source',
      'audit_event.client',
      'account.display_name as user_name',
    ])
    .where('audit_event.item_id', '=', p.item_id)
    .where('audit_event.event_id', '<', p.before)
    .orderBy('audit_event.event_id', 'desc')
    .limit(p.limit),
)

/** Above every id. */
const NEWEST = lastUlidAt(2 ** 48 - 1)

/** Newest first; `before` is exclusive. */
export async function historyOfItem(
  db: Db,
  item_id: Ulid,
  before: Ulid = NEWEST,
  limit: number,
): Promise<HistoryEvent[]> {
  await requireWholeLog(db)
  const rows = await db.all(ofItem, { item_id, before, limit })
  return rows.map(({ user_id, user_name, source, client, ...row }) => ({
    event: readEvent(row),
    user_id,
    user_name,
    source,
    client,
  }))
}
