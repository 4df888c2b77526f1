import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { EVENT_COLUMNS, type UnreadEvent, unreadEvent } from '#src/storage/changes/past-events.ts'

/** Events that are read at once. */
const PAGE = 1000
/** More events, or characters of their details, are not gone through. */
const MOST_EVENTS = 100_000
const MOST_TEXT = 64_000_000

export interface LiveEvent extends UnreadEvent {
  user_id: Ulid | null
}

/** What has happened after an event, up to the newest. */
export interface LogWindow {
  after: string
  head: Ulid
  /** Oldest first, by item. */
  ofItems: ReadonlyMap<Ulid, readonly LiveEvent[]>
  /** Of tags by themselves. */
  ofTags: readonly LiveEvent[]
}

/** The same where that is too much to be gone through: how many items it was. */
export interface LargeWindow {
  head: Ulid
  count: number
}

const after = query((p: { after: string; limit: number }, sql) =>
  sql
    .selectFrom('audit_event')
    .select([...EVENT_COLUMNS, 'user_id'])
    .where('event_id', '>', p.after)
    .orderBy('event_id')
    .limit(p.limit),
)
const newest = query((_: object, sql) =>
  sql.selectFrom('audit_event').select('event_id').orderBy('event_id', 'desc').limit(1),
)
const items = query((p: { after: string }, sql) =>
  sql
    .selectFrom((e) =>
      e
        .selectFrom('audit_event')
        .select('item_id')
        .distinct()
        .where('event_id', '>', p.after)
        .where('item_id', 'is not', null)
        .as('touched'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count')),
)

/** @param most Items whose events are gone through. */
export async function readWindow(db: Db, from: string, most: number): Promise<LogWindow | LargeWindow> {
  await requireWholeLog(db)
  const ofItems = new Map<Ulid, LiveEvent[]>()
  const ofTags: LiveEvent[] = []
  let [head, count, text] = [from, 0, 0]
  for (;;) {
    const rows = await db.all(after, { after: head, limit: PAGE })
    for (const row of rows) {
      const event = { ...unreadEvent(row), user_id: row.user_id }
      text += row.details?.length ?? 0
      if (row.item_id === null) ofTags.push(event)
      else (ofItems.get(row.item_id) ?? ofItems.set(row.item_id, []).get(row.item_id)!).push(event)
    }
    count += rows.length
    head = rows.at(-1)?.event_id ?? head
    if (ofItems.size > most || count > MOST_EVENTS || text > MOST_TEXT) return large(db, from)
    if (rows.length < PAGE) return { after: from, head, ofItems, ofTags }
  }
}

async function large(db: Db, from: string): Promise<LargeWindow> {
  const { event_id: head } = (await db.get(newest, {}))!
  return { head, count: (await db.get(items, { after: from }))!.count }
}

const seen = query((_: object, sql) =>
  sql.selectNoFrom((e) => [
    e.selectFrom('audit_event').select('event_id').orderBy('event_id', 'desc').limit(1).as('entered'),
    e.selectFrom('audit_draft').select('last_event').orderBy('id', 'desc').limit(1).as('drafted'),
  ]),
)
/** Before the first event. */
export const FIRST_EVENT = '0'.repeat(26)

/** The newest event whose change can be seen, though it may still have to be entered into the log. */
export async function newestSeen(db: Db): Promise<Ulid> {
  const { entered, drafted } = (await db.get(seen, {}))!
  return drafted ?? entered ?? FIRST_EVENT
}
