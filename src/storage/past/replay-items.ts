import type { FieldValues } from '#src/domain/field-values.ts'
import { isMissing, ItemReplay } from '#src/domain/item-then.ts'
import { byEventId } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import {
  EVENT_COLUMNS,
  readEvent,
  readShort,
  type UnreadEvent,
  unreadEvent,
} from '#src/storage/changes/past-events.ts'
import type { WholeItemRow } from '#src/storage/items/whole-items.ts'

/** Items whose events are read at once. */
const CHUNK = 400

/** An item with its tags, of which the values may be JSON text still. */
export interface WholeItem extends Omit<WholeItemRow, 'deleted_at'> {
  deleted: boolean
  tags: Map<Ulid, { schema_version: number; values: FieldValues | string }>
}

export const parsedValues = (values: FieldValues | string): FieldValues =>
  typeof values === 'string' ? (JSON.parse(values) as FieldValues) : values

/** What the log says of an item; undefined where it was not there yet. */
export type Replayed = Omit<WholeItem, 'id' | 'item_id'> | 'redacted' | undefined

const ofItems = query((p: { item_ids: string; until: Ulid }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('item_id', 'in', dialect.texts(p.item_ids))
    .where('event_id', '<=', p.until),
)

/** The items as they were up to an event, or a later one of theirs, `renames` being those of all tags, oldest first. */
export async function replayItems(
  db: Db,
  item_ids: readonly Ulid[],
  { cut, late }: { cut: Ulid; late: ReadonlyMap<Ulid, Ulid> },
  renames: readonly UnreadEvent[],
): Promise<Map<Ulid, Replayed>> {
  const found = new Map<Ulid, Replayed>()
  for (let at = 0; at < item_ids.length; at += CHUNK) {
    const chunk = item_ids.slice(at, at + CHUNK)
    const untilOf = (item_id: Ulid) => late.get(item_id) ?? cut
    const until = chunk.map(untilOf).reduce((a, b) => (a < b ? b : a))
    const read = await db.all(ofItems, { item_ids: JSON.stringify(chunk), until })
    const rows = late.size ? read.filter(({ event_id, item_id }) => event_id <= untilOf(item_id!)) : read
    const byItem = Map.groupBy(rows.map(unreadEvent), ({ item_id }) => item_id)
    for (const item_id of chunk) {
      // Put in order here: the database would sort all that is in the rows.
      const events = (byItem.get(item_id) ?? []).sort(byEventId)
      const replayed = replay(db, withRenames(events, renames))
      found.set(item_id, replayed instanceof Promise ? await replayed : replayed)
    }
  }
  return found
}

function withRenames(events: UnreadEvent[], renames: readonly UnreadEvent[]): UnreadEvent[] {
  if (!renames.length) return events
  const tags = new Set(events.map(({ tag_id }) => tag_id))
  const own = renames.filter(({ tag_id }) => tags.has(tag_id))
  return own.length ? [...events, ...own].sort(byEventId) : events
}

/** Waits for what is long alone. */
function replay(db: Db, events: readonly UnreadEvent[]): Replayed | Promise<Replayed> {
  if (events.some(({ details }) => details === null)) return replayLong(db, events)
  const item = new ItemReplay()
  for (const event of events) item.take(readShort(event)!)
  return replayed(item, events)
}

async function replayLong(db: Db, events: readonly UnreadEvent[]): Promise<Replayed> {
  const item = new ItemReplay()
  for (const event of events) item.take(await readEvent(db, event))
  return replayed(item, events)
}

function replayed(item: ItemReplay, events: readonly UnreadEvent[]): Replayed {
  const { made, isDeleted } = item
  if (!made) return events.some(isMissing) ? 'redacted' : undefined
  if (events.some(isMissing)) return 'redacted'
  const { name, description, created_at, updated_at, tags } = made
  return { name, description, created_at, updated_at, deleted: isDeleted, tags }
}
