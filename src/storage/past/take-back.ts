import { valuesBefore } from '#src/domain/item-before.ts'
import type { EventDetails, EventState } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import type { EventRow } from '#src/storage/changes/past-events.ts'
import { parsedValues, type WholeItem } from '#src/storage/past/replay-items.ts'
import { readWholeItems } from '#src/storage/past/write-items.ts'

/** Items that are looked at at once. */
const CHUNK = 1000
/** Characters of events that are kept to be taken back. */
const MOST_TEXT = 32_000_000

interface Row {
  /** Row id. */
  id: number
  item_id: Ulid
}

/**
 * What has happened to items since a moment. Taken back from what they are it says what they were, which costs by what
 * has happened since, not by all that the log has of them. Times, and the order of a tag's values, it does not say.
 */
export class EventsToTakeBack {
  private readonly byItem = new Map<Ulid, EventRow[]>()
  private readonly taken = new Set<Ulid>()
  private text = 0

  /** Oldest first. */
  add(events: readonly EventRow[]): void {
    for (const event of events) {
      if (event.item_id === null || this.taken.has(event.item_id) || this.text > MOST_TEXT) continue
      this.text += event.details?.length ?? 0
      const known = this.byItem.get(event.item_id)
      if (known) known.push(event)
      else this.byItem.set(event.item_id, [event])
    }
  }

  /**
   * The items as they were, and those of which this does not tell.
   * @param moved tags whose names, or whose place in the base, are others since
   */
  async take(
    base: Db,
    rows: readonly Row[],
    moved: ReadonlySet<Ulid>,
  ): Promise<{ items: WholeItem[]; left: readonly Row[] }> {
    if (this.text > MOST_TEXT) return { items: [], left: rows }
    const wasThere = ({ item_id }: Row) => this.byItem.get(item_id)?.[0]?.event_type !== 'item_created'
    const asked = rows.filter(wasThere)
    const present = await readWholeItems(
      base,
      asked.map(({ id }) => id),
    )
    const items: WholeItem[] = []
    const told = new Set<number>()
    for (const item of present) {
      const events = this.byItem.get(item.item_id)
      if (!events || !takeBack(item, events, moved)) continue
      items.push(item)
      told.add(item.id)
    }
    for (const { item_id } of rows) {
      this.byItem.delete(item_id)
      this.taken.add(item_id)
    }
    return { items, left: asked.filter(({ id }) => !told.has(id)) }
  }

  /** How many more of the items satisfied a test than do now, and those of which this does not tell. */
  async difference(
    base: Db,
    rows: readonly Row[],
    moved: ReadonlySet<Ulid>,
    holds: (item: WholeItem) => boolean,
  ): Promise<{ more: number; left: Row[] }> {
    const left: Row[] = []
    let more = 0
    for (let at = 0; at < rows.length; at += CHUNK) {
      const chunk = rows.slice(at, at + CHUNK)
      const ids = chunk.map(({ id }) => id)
      const present = new Map((await readWholeItems(base, ids)).map((item) => [item.id, item]))
      for (const row of chunk) {
        const item = present.get(row.id)
        const difference = item && this.differenceOf(item, moved, holds)
        if (difference === undefined) left.push(row)
        else more += difference
      }
    }
    return { more, left }
  }

  private differenceOf(
    item: WholeItem,
    moved: ReadonlySet<Ulid>,
    holds: (item: WholeItem) => boolean,
  ): number | undefined {
    const events = this.text > MOST_TEXT ? undefined : this.byItem.get(item.item_id)
    if (!events) return undefined
    const now = !item.deleted && holds(item)
    const isNew = events[0]!.event_type === 'item_created'
    if (!isNew && !takeBack(item, events, moved)) return undefined
    const then = !isNew && !item.deleted && holds(item)
    return Number(then) - Number(now)
  }
}

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
