import { byEventId } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { EVENT_COLUMNS, type EventRow } from '#src/storage/changes/past-events.ts'

/** Events that are read at once. */
const PAGE = 2000
/** Characters of events that are kept to be taken back. */
const MOST_TEXT = 32_000_000
/** Items whose events are looked up; those of more are read one after the other, with all that are between them. */
const FEW = 1000

const after = query((p: { after: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('event_id', '>', p.after)
    .where('item_id', 'is not', null)
    .orderBy('event_id')
    .limit(PAGE),
)
const ofItems = query((p: { item_ids: string; after: Ulid }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('item_id', 'in', dialect.texts(p.item_ids))
    .where('event_id', '>', p.after)
    .limit(2 * PAGE),
)

/** By item, oldest first; undefined where they are more than can be kept. */
export async function eventsSince(
  base: Db,
  cut: Ulid,
  items: readonly { item_id: Ulid }[] | 'all',
): Promise<Map<Ulid, EventRow[]> | undefined> {
  if (items !== 'all' && items.length <= FEW) {
    const item_ids = JSON.stringify(items.map(({ item_id }) => item_id))
    const events = await base.all(ofItems, { item_ids, after: cut })
    // Put in order here: the database would sort all that is in the rows.
    if (events.length < 2 * PAGE) return byItem(events.sort(byEventId))
  }
  const events: EventRow[] = []
  let text = 0
  for (let from = cut; ;) {
    const rows = await base.all(after, { after: from })
    for (const row of rows) text += row.details?.length ?? 0
    if (text > MOST_TEXT) return undefined
    events.push(...rows)
    if (rows.length < PAGE) return byItem(events)
    from = rows.at(-1)!.event_id
  }
}

const byItem = (events: readonly EventRow[]): Map<Ulid, EventRow[]> =>
  Map.groupBy(events, ({ item_id }) => item_id!)
