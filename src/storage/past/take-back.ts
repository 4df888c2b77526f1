import { valuesBefore } from '#src/domain/item-before.ts'
import type { EventDetails, EventState } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import type { EventRow } from '#src/storage/changes/past-events.ts'
import { eventsSince } from '#src/storage/past/item-events-since.ts'
import { parsedValues, type WholeItem } from '#src/storage/past/replay-items.ts'
import { readWholeItems } from '#src/storage/past/write-items.ts'

/** Items that are looked at at once. */
const CHUNK = 1000

/** Since when events are taken back. */
interface Since {
  cut: Ulid
  late: ReadonlyMap<Ulid, Ulid>
  /** Tags whose names, or whose place in the base, are others since. */
  moved: ReadonlySet<Ulid>
}

export interface Row {
  /** Row id. */
  id: number
  item_id: Ulid
}

/**
 * Items as they were: what has happened to them is taken back from what they are, which costs by what has
 * happened since, not by all that the log has of them. Times, and the order of a tag's values, it does not say.
 * @returns with them those of which this does not tell
 */
export async function takeItemsBack(
  base: Db,
  { cut, late, moved }: Since,
  rows: readonly Row[],
): Promise<{ items: WholeItem[]; left: readonly Row[] }> {
  const byItem = withoutLate(await eventsSince(base, cut, rows), late)
  if (!byItem) return { items: [], left: rows }
  const asked = rows.filter(({ item_id }) => !isNew(byItem.get(item_id)))
  const ids = asked.map(({ id }) => id)
  const items = (await readWholeItems(base, ids)).filter((item) => {
    const events = byItem.get(item.item_id)
    return events !== undefined && takeBack(item, events, moved)
  })
  const told = new Set(items.map(({ id }) => id))
  return { items, left: asked.filter(({ id }) => !told.has(id)) }
}

/** How many more of the items (row ids) satisfied a test than do now, and those of which this does not tell. */
export async function differenceSince(
  base: Db,
  { cut, late, moved }: Since,
  ids: readonly number[],
  holds: (item: WholeItem) => boolean,
): Promise<{ more: number; left: readonly number[] }> {
  const byItem = withoutLate(await eventsSince(base, cut, 'all'), late)
  if (!byItem) return { more: 0, left: ids }
  const left: number[] = []
  let more = 0
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK)
    const present = new Map((await readWholeItems(base, chunk)).map((item) => [item.id, item]))
    for (const id of chunk) {
      const item = present.get(id)
      const difference = item && differenceOf(item, byItem.get(item.item_id), moved, holds)
      if (difference === undefined) left.push(id)
      else more += difference
    }
  }
  return { more, left }
}

/** What had happened to items by then is not taken back. */
function withoutLate(
  byItem: Map<Ulid, EventRow[]> | undefined,
  late: ReadonlyMap<Ulid, Ulid>,
): Map<Ulid, EventRow[]> | undefined {
  for (const [item_id, until] of byItem ? late : []) {
    const events = byItem!.get(item_id)
    if (events)
      byItem!.set(
        item_id,
        events.filter(({ event_id }) => event_id > until),
      )
  }
  return byItem
}

function differenceOf(
  item: WholeItem,
  events: readonly EventRow[] | undefined,
  moved: ReadonlySet<Ulid>,
  holds: (item: WholeItem) => boolean,
): number | undefined {
  if (!events) return undefined
  const now = !item.deleted && holds(item)
  if (!isNew(events) && !takeBack(item, events, moved)) return undefined
  const then = !isNew(events) && !item.deleted && holds(item)
  return Number(then) - Number(now)
}

const isNew = (events: readonly EventRow[] | undefined): boolean => events?.[0]?.event_type === 'item_created'

/** Makes an item what it was; false where these events do not tell. */
function takeBack(item: WholeItem, events: readonly EventRow[], moved: ReadonlySet<Ulid>): boolean {
  if (moved.size && [...item.tags.keys()].some((tag_id) => moved.has(tag_id))) return false
  return events.toReversed().every((event) => {
    const { event_type, redacted, tag_id } = event
    if (redacted || (tag_id !== null && moved.has(tag_id))) return false
    const inverse = INVERSES[event_type]
    return inverse?.(item, event) ?? false
  })
}

const INVERSES: Readonly<Record<string, (item: WholeItem, event: EventRow) => boolean>> = {
  item_deleted: (item) => setDeleted(item, false),
  item_restored: (item) => setDeleted(item, true),
  item_updated(item, { details }) {
    if (details === null) return false
    Object.assign(item, (JSON.parse(details) as EventDetails).old_values)
    return true
  },
  tag_applied: ({ tags }, { tag_id }) => tags.delete(tag_id!),
  tag_removed({ tags }, { tag_id, details, state }) {
    const schema_version = versionBefore(state)
    if (details === null || schema_version === undefined || tags.has(tag_id!)) return false
    tags.set(tag_id!, { schema_version, values: (JSON.parse(details) as EventDetails).old_values! })
    return true
  },
  tag_values_updated({ tags }, { tag_id, details, state }) {
    const entry = tags.get(tag_id!)
    const schema_version = versionBefore(state)
    if (details === null || schema_version === undefined || !entry) return false
    const values = valuesBefore(parsedValues(entry.values), { details: JSON.parse(details) as EventDetails })
    tags.set(tag_id!, { schema_version, values })
    return true
  },
}

function setDeleted(item: WholeItem, deleted: boolean): true {
  item.deleted = deleted
  return true
}

/** Undefined on events that are older than it. */
const versionBefore = (state: string | null): number | undefined =>
  state === null ? undefined : (JSON.parse(state) as EventState).old_schema_version
