import { sql as raw } from 'kysely'
import type { PastEvent } from '#src/domain/past-event.ts'
import { lastUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { shortDetails } from '#src/storage/changes/event-details.ts'

/** An event of an item, with who made it. */
export interface HistoryEvent extends Pick<PastEvent, 'event_id' | 'event_type' | 'tag_id' | 'redacted'> {
  /** JSON text; null where it is long. */
  details: string | null
  /** What is shown of it as it is stored, which is all but what it changed: the members of a JSON object. */
  told: string
}

// A page may hold a thousand: the database puts together what is only passed on.
const ofItem = query((p: { item_id: Ulid; before: Ulid; limit: number }, sql, dialect) => {
  const userName = dialect.jsonQuote(raw.ref('account.display_name'))
  return sql
    .selectFrom('audit_event')
    .leftJoin('account', 'account.user_id', 'audit_event.user_id')
    .select([
      'event_id',
      'event_type',
      'tag_id',
      shortDetails,
      'redacted',
      raw<string>`'"change_id":"' || coalesce(change_id, event_id) || '","event_id":"' || event_id || '","event_type":"' || event_type || '","created_at":"' || audit_event.created_at || '","user_id":' || coalesce('"' || audit_event.user_id || '"', 'null') || ',"user_name":' || ${userName} || ',"source":"' || source || '","client":' || coalesce(client, 'null')`.as(
        'told',
      ),
    ])
    .where('item_id', '=', p.item_id)
    .where('event_id', '<', p.before)
    .orderBy('event_id', 'desc')
    .limit(p.limit)
})

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
  return rows.map(({ event_id, event_type, tag_id, details, redacted, told }) => ({
    event_id,
    event_type,
    tag_id,
    details,
    redacted: redacted === 1,
    told,
  }))
}

const newestOf = query((p: { item_id: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select('created_at')
    .where('item_id', '=', p.item_id)
    .orderBy('event_id', 'desc')
    .limit(1),
)

/** When something last happened to the item itself; null where the log has nothing of it. */
export async function newestOwnEvent(db: Db, item_id: Ulid): Promise<string | null> {
  await requireWholeLog(db)
  return (await db.get(newestOf, { item_id }))?.created_at ?? null
}
