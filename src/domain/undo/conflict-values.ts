import { valueOf } from '#src/domain/field-values.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import type { Refusal } from '#src/domain/undo/undo-outcome.ts'
import type { ConflictValues, UndoEntry, UndoWorld } from '#src/domain/undo/undo-world.ts'

export function conflictValues(event: PastEvent, refusal: Refusal, world: UndoWorld): ConflictValues {
  const { item_id, event_type, details } = event
  const item = item_id === null ? undefined : world.items.get(item_id)
  const { path = null } = refusal
  const field = details.fields_changed?.find((each) => path !== null && pathOf(event, each, world) === path)
  const [present, restored] =
    event_type === 'item_created' ? [ofMade(refusal, event, world), null] : valuesAt(event, field, world)
  return {
    item_name: item && item.presence !== 'purged' ? item.name : null,
    present: present ?? null,
    restored: restored ?? null,
  }
}

/** Undo would take the item away whole. */
function ofMade({ path, tag_id }: Refusal, { item_id }: PastEvent, { items }: UndoWorld): unknown {
  const item = items.get(item_id!)
  if (tag_id) return valuesOf(item?.tags.get(tag_id))
  return path === 'name' || path === 'description' ? item?.[path] : null
}

const valuesOf = (entry: UndoEntry | undefined) => entry && Object.fromEntries(entry.values)

/** The path of a field that an event changed, under the names of now. */
export function pathOf({ event_type, tag_id, details }: PastEvent, field: string, world: UndoWorld): string {
  if (event_type !== 'tag_values_updated') return field
  return `${world.tags.get(tag_id!)?.name ?? details.tag_name ?? tag_id!}.${field}`
}

/** What is there now, and what an event is to bring back, where it changed that `field` or is of a whole tag. */
export function valuesAt(
  event: PastEvent,
  field: string | undefined,
  { items, tags }: UndoWorld,
): [unknown, unknown] {
  const { item_id, tag_id, details, event_type } = event
  const item = item_id === null ? undefined : items.get(item_id)
  const entry = tag_id === null ? undefined : item?.tags.get(tag_id)
  const asObject = valuesOf(entry)
  if (event_type === 'tag_removed') return [asObject, details.old_values]
  if (event_type === 'tag_applied') return [asObject, null]
  if (field === undefined) return [null, null]
  const wanted = valueOf(details.old_values!, field)
  if (event_type === 'tag_values_updated') return [entry?.values.get(field), wanted]
  const holder = item_id === null ? tags.get(tag_id!) : item
  return [holder?.[field as 'name'], wanted]
}
