import type { FieldValues } from '#src/domain/field-values.ts'
import { pastRename } from '#src/domain/past-rename.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import { laterThan } from '#src/domain/precondition.ts'
import { entryRenamer } from '#src/domain/renamed-entry.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** An item as it was. */
export interface ItemThen {
  /** What moved its time last: all events of one operation move it once. */
  moved_by: string
  name: string
  description: string | null
  created_at: string
  updated_at: string
  tags: Map<Ulid, { schema_version: number; values: FieldValues }>
}

/** What events of an item, and the renames of its tags, make of it: oldest first, one by one. */
export class ItemReplay {
  /** Null where it was not there yet. */
  made: ItemThen | null = null
  isDeleted = false

  /** Null where it was not there yet, or was deleted. */
  get item(): ItemThen | null {
    return this.isDeleted ? null : this.made
  }

  take(event: PastEvent): void {
    const { event_type } = event
    if (event_type === 'item_created') this.made = created(event)
    else if (event_type === 'item_deleted' || event_type === 'item_purged') this.isDeleted = true
    else if (event_type === 'item_restored') this.isDeleted = false
    else if (this.made && event_type === 'tag_updated') rename(this.made, event)
    else if (this.made && !event.redacted) change(this.made, event)
  }
}

/** What came and went without a word of what was in it does not lack in an item of then. */
const WORDLESS = new Set(['item_deleted', 'item_restored', 'item_purged', 'audit_redacted'])

/** An event without whose details nobody can tell what the item was. */
export const isMissing = ({ redacted, event_type }: Pick<PastEvent, 'redacted' | 'event_type'>): boolean =>
  redacted && !WORDLESS.has(event_type)

const moverOf = ({ change_id, state }: PastEvent) => `${change_id} ${state?.part}`

/** As the base moves it: by a millisecond at least. */
function move(item: ItemThen, mover: string, { state, created_at }: PastEvent): void {
  if (item.moved_by === mover) return
  item.moved_by = mover
  const time = state?.updated_at ?? created_at
  item.updated_at = time > item.updated_at ? time : laterThan(item.updated_at, new Date(time))
}

function created(event: PastEvent): ItemThen {
  const { details, state, created_at } = event
  const time = state?.updated_at ?? created_at
  return {
    moved_by: moverOf(event),
    name: details.name!,
    description: details.description ?? null,
    created_at: time,
    updated_at: time,
    tags: new Map(), // each has an event of its own
  }
}

function change(item: ItemThen, event: PastEvent): void {
  const { event_type, tag_id, details, state } = event
  if (state?.updated_at !== null) move(item, moverOf(event), event)
  if (event_type === 'item_updated') Object.assign(item, details.new_values)
  else if (event_type === 'tag_removed') item.tags.delete(tag_id!)
  else if (event_type === 'tag_applied')
    item.tags.set(tag_id!, {
      schema_version: state?.schema_version ?? 1,
      values: details.initial_values!,
    })
  else if (event_type === 'tag_values_updated') {
    const entry = item.tags.get(tag_id!)
    if (!entry) return
    const values = new Map(Object.entries(entry.values))
    const after = details.new_values!
    for (const field of details.fields_changed!)
      if (Object.hasOwn(after, field)) values.set(field, after[field])
      else values.delete(field)
    entry.values = Object.fromEntries(values)
    entry.schema_version = state?.schema_version ?? entry.schema_version
  }
}

/** What a rename did to the item, which is not reported item by item. */
function rename(item: ItemThen, event: PastEvent): void {
  const past = pastRename(event)
  const entry = past && item.tags.get(past.tag_id)
  if (!entry) return
  const now = entryRenamer(past)(entry)
  if (now === entry) return
  item.tags.set(past.tag_id, now)
  move(item, event.event_id, event)
}

/** How many of the events had happened by a time, of which an item's own time may be a little behind theirs. */
export function happenedBy(events: readonly Pick<PastEvent, 'created_at' | 'state'>[], time: string): number {
  return (
    events.findLastIndex(
      ({ created_at, state }) => created_at <= time || (state?.updated_at ?? created_at) <= time,
    ) + 1
  )
}
