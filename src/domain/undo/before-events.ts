import type { FieldValues } from '#src/domain/field-values.ts'
import { isMissing } from '#src/domain/item-then.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { sameValues } from '#src/domain/undo/undo-outcome.ts'
import type { UndoItem } from '#src/domain/undo/undo-world.ts'

/** Of a tag: all values that the item had, or those fields of it that were changed; null: it did not have the tag. */
type EntryBefore = { whole: boolean; values: Map<string, unknown> } | null

/** A field that had no value, not even null. */
const NONE = Symbol('none')

/** What an item was before some of its events, as far as they changed it. */
export class BeforeEvents {
  private presence: 'live' | 'deleted' | undefined
  private readonly texts = new Map<'name' | 'description', string | null>()
  private readonly tags = new Map<Ulid, EntryBefore>()
  /** Of a redacted event nobody knows. */
  private known = true

  /** Goes back by one more event: each is older than those before. */
  add(event: PastEvent): void {
    const { event_type, tag_id, details } = event
    if (isMissing(event)) this.known = false
    else if (event_type === 'item_created') {
      this.presence = 'deleted'
      this.texts.clear()
      this.tags.clear()
    } else if (event_type === 'item_deleted') this.presence = 'live'
    else if (event_type === 'item_restored') this.presence = 'deleted'
    else if (event_type === 'item_updated')
      for (const field of details.fields_changed as ('name' | 'description')[])
        this.texts.set(field, details.old_values![field] as string | null)
    else if (event_type === 'tag_applied') this.tags.set(tag_id!, null)
    else if (event_type === 'tag_removed')
      this.tags.set(tag_id!, { whole: true, values: new Map(Object.entries(details.old_values!)) })
    else if (event_type === 'tag_values_updated') this.addValues(tag_id!, details)
    else this.known = false
  }

  private addValues(tag_id: Ulid, { fields_changed, old_values }: PastEvent['details']): void {
    const entry = this.tags.get(tag_id) ?? { whole: false, values: new Map<string, unknown>() }
    for (const field of fields_changed!)
      if (Object.hasOwn(old_values!, field)) entry.values.set(field, old_values![field])
      else if (entry.whole) entry.values.delete(field)
      else entry.values.set(field, NONE)
    this.tags.set(tag_id, entry)
  }

  /** Whether an event made the item, of that which it changed, what it was before these. */
  isReachedBy({ event_type, tag_id, details }: PastEvent): boolean {
    const entry = tag_id === null ? undefined : this.tags.get(tag_id)
    const wanted = details.new_values ?? {}
    switch (event_type) {
      case 'item_deleted':
        return this.presence === 'deleted'
      case 'item_restored':
        return this.presence === 'live'
      case 'item_updated':
        return Object.entries(wanted).every(([field, text]) => this.texts.get(field as 'name') === text)
      case 'tag_applied':
        return !!entry?.whole && sameValues(entry.values, details.initial_values!)
      case 'tag_removed':
        return entry === null
      case 'tag_values_updated':
        return details.fields_changed!.every((field) => hasField(entry, field, wanted))
      default:
        return false
    }
  }

  /** Whether an item is so again, by whatever way. */
  areBack(item: UndoItem | undefined): boolean {
    if (!this.known || !item || item.presence === 'purged') return false
    if (this.presence && item.presence !== this.presence) return false
    for (const [field, text] of this.texts) if (item[field] !== text) return false
    for (const [tag_id, before] of this.tags) if (!isBack(before, item.tags.get(tag_id)?.values)) return false
    return true
  }
}

function hasField(entry: EntryBefore | undefined, field: string, wanted: FieldValues): boolean {
  if (!Object.hasOwn(wanted, field))
    return entry?.values.get(field) === NONE || (!!entry?.whole && !entry.values.has(field))
  return !!entry?.values.has(field) && sameJson(entry.values.get(field), wanted[field])
}

function isBack(before: EntryBefore, values: ReadonlyMap<string, unknown> | undefined): boolean {
  if (!before || !values) return !before && !values
  if (before.whole) return sameValues(values, Object.fromEntries(before.values))
  return [...before.values].every(([field, value]) =>
    value === NONE ? !values.has(field) : values.has(field) && sameJson(values.get(field), value),
  )
}
