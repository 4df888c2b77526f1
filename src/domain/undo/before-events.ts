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

/** What events changed of an item. */
export interface Touched {
  /** It was made, deleted or restored. */
  presence: boolean
  texts: Set<'name' | 'description'>
  /** By tag: the fields, or `whole` where the tag came or went. */
  tags: Map<Ulid, Set<string> | 'whole'>
}

export function touchedBy(events: readonly PastEvent[]): Touched {
  const touched: Touched = { presence: false, texts: new Set(), tags: new Map() }
  for (const { event_type, tag_id, details } of events)
    if (tag_id === null) {
      if (event_type !== 'item_updated') touched.presence = true
      for (const field of details.fields_changed ?? []) touched.texts.add(field as 'name')
    } else {
      const fields = touched.tags.get(tag_id) ?? new Set()
      if (event_type !== 'tag_values_updated') touched.tags.set(tag_id, 'whole')
      else if (fields !== 'whole') touched.tags.set(tag_id, fields.union(new Set(details.fields_changed)))
    }
  return touched
}

/** What an item was before some of its events, as far as they changed it. */
export class BeforeEvents {
  private presence: 'live' | 'deleted' | undefined
  private readonly texts = new Map<'name' | 'description', string | null>()
  private readonly tags = new Map<Ulid, EntryBefore>()
  private isBeforeCreation = false
  /** Of a redacted event nobody knows. */
  private isKnown = true

  /** Goes back by one more event: each is older than those before. */
  add(event: PastEvent): void {
    const { event_type, tag_id, details } = event
    if (isMissing(event)) this.isKnown = false
    else if (event_type === 'item_created') this.isBeforeCreation = true
    else if (event_type === 'item_deleted') this.presence = 'live'
    else if (event_type === 'item_restored') this.presence = 'deleted'
    else if (event_type === 'item_updated')
      for (const field of details.fields_changed as ('name' | 'description')[])
        this.texts.set(field, details.old_values![field] as string | null)
    else if (event_type === 'tag_applied') this.tags.set(tag_id!, null)
    else if (event_type === 'tag_removed')
      this.tags.set(tag_id!, { whole: true, values: new Map(Object.entries(details.old_values!)) })
    else if (event_type === 'tag_values_updated') this.addValues(tag_id!, details)
    else this.isKnown = false
  }

  private addValues(tag_id: Ulid, { fields_changed, old_values }: PastEvent['details']): void {
    const entry = this.tags.get(tag_id) ?? { whole: false, values: new Map<string, unknown>() }
    for (const field of fields_changed!)
      entry.values.set(field, Object.hasOwn(old_values!, field) ? old_values![field] : NONE)
    this.tags.set(tag_id, entry)
  }

  /** Whether an event made the item, of that which it changed, what it was before these. */
  isReachedBy({ event_type, tag_id, details }: PastEvent): boolean {
    if (this.isBeforeCreation) return true
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
        return !!entry?.whole && sameValues(given(entry.values), details.initial_values!)
      case 'tag_removed':
        return entry === null
      case 'tag_values_updated':
        return details.fields_changed!.every((field) => hasField(entry, field, wanted))
      default:
        return false
    }
  }

  /** Whether an item is so again in all that is asked for, by whatever way. */
  areBack(item: UndoItem | undefined, { presence, texts, tags }: Touched): boolean {
    if (!this.isKnown || !item || item.presence === 'purged') return false
    if (this.isBeforeCreation) return presence && item.presence === 'deleted'
    if (presence && item.presence !== this.presence) return false
    for (const field of texts) if (item[field] !== this.texts.get(field)) return false
    for (const [tag_id, fields] of tags)
      if (!isBack(this.tags.get(tag_id), item.tags.get(tag_id)?.values, fields)) return false
    return true
  }
}

const given = (values: ReadonlyMap<string, unknown>) =>
  new Map([...values].filter(([, value]) => value !== NONE))

/** Whether a field was as it is among these values. */
function hasField(entry: EntryBefore | undefined, field: string, wanted: FieldValues): boolean {
  if (!entry) return false
  const isThere = Object.hasOwn(wanted, field)
  if (!entry.values.has(field)) return entry.whole && !isThere
  const before = entry.values.get(field)
  return before === NONE ? !isThere : isThere && sameJson(before, wanted[field])
}

function isBack(
  before: EntryBefore | undefined,
  values: ReadonlyMap<string, unknown> | undefined,
  fields: ReadonlySet<string> | 'whole',
): boolean {
  if (!before || !values) return before === null && !values
  const now = Object.fromEntries(values)
  if (fields === 'whole') return before.whole && sameValues(given(before.values), now)
  return [...fields].every((field) => hasField(before, field, now))
}
