import type { FieldValues } from '#src/domain/field-values.ts'
import { isMissing } from '#src/domain/item-then.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** What of an item its events change. */
export interface ItemState {
  name: string
  description: string | null
  alive: boolean
  tags: Map<Ulid, FieldValues>
}

/** What an item was before an event: null where it was not there yet, 'lost' where the log does not tell any more. */
export function beforeEvent(item: ItemState, event: PastEvent): ItemState | null | 'lost' {
  const { event_type, tag_id, details } = event
  if (event_type === 'item_created') return null
  if (event_type === 'item_purged' || isMissing(event)) return 'lost'
  if (event_type === 'item_deleted') return { ...item, alive: true }
  if (event_type === 'item_restored') return { ...item, alive: false }
  if (event_type === 'item_updated') return { ...item, ...details.old_values }
  if (tag_id === null) return item
  const tags = new Map(item.tags)
  if (event_type === 'tag_applied') tags.delete(tag_id)
  else if (event_type === 'tag_removed') tags.set(tag_id, details.old_values!)
  else if (event_type === 'tag_values_updated') tags.set(tag_id, valuesBefore(tags.get(tag_id) ?? {}, event))
  else return item
  return { ...item, tags }
}

/** The values of a tag before some of them were changed. */
export function valuesBefore(now: FieldValues, { details }: Pick<PastEvent, 'details'>): FieldValues {
  const values = new Map(Object.entries(now))
  const before = details.old_values!
  for (const field of details.fields_changed!)
    if (Object.hasOwn(before, field)) values.set(field, before[field])
    else values.delete(field)
  return Object.fromEntries(values)
}
