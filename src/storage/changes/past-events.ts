import type { EventDetails, EventState, PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/audit-drafts.ts'

/** Events that are read at once. */
const PAGE = 5000

export const EVENT_COLUMNS = [
  'event_id',
  'event_type',
  'item_id',
  'tag_id',
  'created_at',
  'change_id',
  'details',
  'state',
  'redacted',
] as const

interface Row {
  event_id: Ulid
  event_type: string
  item_id: Ulid | null
  tag_id: Ulid | null
  created_at: string
  change_id: Ulid | null
  details: string
  state: string | null
  redacted: number
}

export const readEvent = (row: Row): PastEvent => ({
  event_id: row.event_id,
  change_id: row.change_id ?? row.event_id,
  event_type: row.event_type,
  item_id: row.item_id,
  tag_id: row.tag_id,
  created_at: row.created_at,
  details: JSON.parse(row.details) as EventDetails,
  redacted: row.redacted === 1,
  state: row.state === null ? null : (JSON.parse(row.state) as EventState),
})

const between = query((p: { from: Ulid; to: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('event_id', '>=', p.from)
    .where('event_id', '<=', p.to)
    .orderBy('event_id')
    .limit(PAGE),
)

/** The events of a change, oldest first: no others are between its id and its last event. */
export async function eventsOfChange(
  db: Db,
  { change_id, last_event }: { change_id: Ulid; last_event: Ulid },
): Promise<PastEvent[]> {
  await requireWholeLog(db)
  const events: PastEvent[] = []
  for (let from = change_id; ;) {
    const rows = await db.all(between, { from, to: last_event })
    for (const row of rows) if (row.event_id !== events.at(-1)?.event_id) events.push(readEvent(row))
    if (rows.length < PAGE) return events
    from = rows.at(-1)!.event_id
  }
}

const newest = query((_: object, sql) =>
  sql.selectFrom('audit_event').select('event_id').orderBy('event_id', 'desc').limit(1),
)

/** Id of the newest event; null in an empty log. */
export async function newestEvent(db: Db): Promise<Ulid | null> {
  await requireWholeLog(db)
  return (await db.get(newest, {}))?.event_id ?? null
}

const ofItem = query((p: { item_id: Ulid; after: Ulid; until: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('item_id', '=', p.item_id)
    .where('event_id', '>', p.after)
    .where('event_id', '<=', p.until)
    .orderBy('event_id')
    .limit(PAGE),
)

/** The events of an item up to one, oldest first. */
export async function eventsOfItem(db: Db, item_id: Ulid, until: Ulid): Promise<PastEvent[]> {
  await requireWholeLog(db)
  const events: PastEvent[] = []
  for (let after = ''; ;) {
    const rows = await db.all(ofItem, { item_id, after, until })
    events.push(...rows.map(readEvent))
    if (rows.length < PAGE) return events
    after = rows.at(-1)!.event_id
  }
}
