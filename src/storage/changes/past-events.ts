import type { EventDetails, EventState, PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { detailsOf, shortDetails } from '#src/storage/changes/event-details.ts'

/** Events that are read at once. */
const PAGE = 5000

export const EVENT_COLUMNS = [
  'event_id',
  'event_type',
  'item_id',
  'tag_id',
  'created_at',
  'change_id',
  shortDetails,
  'state',
  'redacted',
] as const

/** An event as it is read, none of it parsed. */
export interface EventRow {
  event_id: Ulid
  event_type: string
  item_id: Ulid | null
  tag_id: Ulid | null
  created_at: string
  change_id: Ulid | null
  /** Null where they are long. */
  details: string | null
  state: string | null
  redacted: number
}

/** An event whose details are not parsed, nor, where they are long, read. */
export interface UnreadEvent extends Omit<PastEvent, 'details'> {
  details: string | null
}

export const unreadEvent = (row: EventRow): UnreadEvent => ({
  event_id: row.event_id,
  change_id: row.change_id ?? row.event_id,
  event_type: row.event_type,
  item_id: row.item_id,
  tag_id: row.tag_id,
  created_at: row.created_at,
  details: row.details,
  redacted: row.redacted === 1,
  state: row.state === null ? null : (JSON.parse(row.state) as EventState),
})

/** An event whose details are not long, without waiting: of thousands that costs more than to read them. */
export const readShort = (event: UnreadEvent): PastEvent | undefined =>
  event.details === null ? undefined : { ...event, details: JSON.parse(event.details) as EventDetails }

/** @param onText is called with the length of the details, before they are parsed */
export async function readEvent(
  db: Db,
  event: UnreadEvent,
  onText?: (length: number) => void,
): Promise<PastEvent> {
  const details = await detailsOf(db, event)
  onText?.(details.length)
  return { ...event, details: JSON.parse(details) as EventDetails }
}

const between = query((p: { from: Ulid; to: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('event_id', '>=', p.from)
    .where('event_id', '<=', p.to)
    .orderBy('event_id')
    .limit(PAGE),
)

/**
 * The events of a change, oldest first: no others are between its id and its last event.
 * @param onText is called with the length of each event's details, before they are parsed
 */
export async function eventsOfChange(
  db: Db,
  { change_id, last_event }: { change_id: Ulid; last_event: Ulid },
  onText: (length: number) => void,
): Promise<PastEvent[]> {
  await requireWholeLog(db)
  const events: PastEvent[] = []
  for (let from = change_id; ;) {
    const rows = await db.all(between, { from, to: last_event })
    for (const row of rows)
      if (row.event_id !== events.at(-1)?.event_id) events.push(await readEvent(db, unreadEvent(row), onText))
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
export async function eventsOfItem(db: Db, item_id: Ulid, until: Ulid): Promise<UnreadEvent[]> {
  await requireWholeLog(db)
  const events: UnreadEvent[] = []
  for (let after = ''; ;) {
    const rows = await db.all(ofItem, { item_id, after, until })
    events.push(...rows.map(unreadEvent))
    if (rows.length < PAGE) return events
    after = rows.at(-1)!.event_id
  }
}
