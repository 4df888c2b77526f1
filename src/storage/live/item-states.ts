import type { FieldValues } from '#src/domain/field-values.ts'
import { beforeEvent, type ItemState } from '#src/domain/item-before.ts'
import { ItemReplay } from '#src/domain/item-then.ts'
import { byEventId } from '#src/domain/past-event.ts'
import { netRenames } from '#src/domain/net-renames.ts'
import { detailsNow, type PastRename, valuesNow } from '#src/domain/past-rename.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { renameEventsOf } from '#src/storage/changes/past-renames.ts'
import { eventsOfItem, readEvent } from '#src/storage/changes/past-events.ts'
import { entriesOfWholeItems, wholeItemRows } from '#src/storage/items/whole-items.ts'
import type { LiveEvent } from '#src/storage/live/log-window.ts'

/** An item with all that a filter may look at. */
export interface StoredItem extends ItemState {
  /** Row id. */
  id: number
  item_id: Ulid
  created_at: string
  updated_at: string
}

/** Items by row id, living or deleted. */
export async function storedItems(db: Db, ids: readonly number[]): Promise<Map<number, StoredItem>> {
  const found = new Map<number, StoredItem>()
  for (const { deleted_at, ...row } of await wholeItemRows(db, ids))
    found.set(row.id, { ...row, alive: deleted_at === null, tags: new Map() })
  for (const { item, tag_id, field_values } of await entriesOfWholeItems(db, ids))
    found.get(item)?.tags.set(tag_id, JSON.parse(field_values) as FieldValues)
  return found
}

/** By which names go that were reported of a tag before these renames. */
const later = (
  renames: readonly PastRename[],
  { event_id, tag_id }: { event_id: Ulid; tag_id: Ulid | null },
) =>
  netRenames(
    renames.flatMap((each) => (each.tag_id === tag_id && each.event_id > event_id ? each.renames : [])),
  )

/** What an item was before these events of it (oldest first), under the names of now; null: not there. */
export async function stateBefore(
  db: Db,
  now: StoredItem | undefined,
  events: readonly LiveEvent[],
  renames: readonly PastRename[],
): Promise<StoredItem | null | 'lost'> {
  if (events[0]!.event_type === 'item_created') return null
  let state: ItemState | null | 'lost' = now ?? 'lost'
  for (const event of events.toReversed()) {
    if (state === null || state === 'lost') break
    const read = await readEvent(db, event)
    state = beforeEvent(state, { ...read, details: detailsNow(read.details, later(renames, event)) })
  }
  return state === null || state === 'lost' ? state : { ...now!, ...state }
}

/** The same by all that the log tells of it: of an item that has been purged since, and of when one had changed last. */
export async function replayedBefore(
  db: Db,
  { id, item_id, events }: { id: number; item_id: Ulid; events: readonly LiveEvent[] },
  renames: readonly PastRename[],
): Promise<StoredItem | null | 'lost'> {
  const { event_id } = events[0]!
  const own = await eventsOfItem(db, item_id, event_id)
  const renamed = await renameEventsOf(db, [...new Set(own.flatMap(({ tag_id }) => tag_id ?? []))])
  const earlier = [...own, ...renamed].filter((each) => each.event_id < event_id).toSorted(byEventId)
  const replay = new ItemReplay()
  for (const event of earlier) {
    if (event.redacted) return 'lost'
    replay.take(await readEvent(db, event))
  }
  if (!replay.item) return null
  const { tags: then, moved_by: _, ...item } = replay.item
  const tags = new Map(
    [...then].map(([tag_id, { values }]) => [
      tag_id,
      valuesNow(values, later(renames, { tag_id, event_id })),
    ]),
  )
  return { ...item, id, item_id, alive: true, tags }
}
