import { type FlatFields, isReference } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import type { ProposedPart } from '#src/domain/proposals/proposed-part.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'

/** What has become of an item that a proposal refers to. */
export type Gone = 'deleted' | 'purged'

/** The ids among a value of a reference, or of several. */
const idsOf = (value: unknown): Ulid[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each) =>
    typeof each === 'string' ? (parseUlid(each) ?? []) : [],
  )

/** Those that the one value has and the other has not. */
function idsAdded(value: unknown, before: unknown): Ulid[] {
  const known = new Set(idsOf(before))
  return idsOf(value).filter((id) => !known.has(id))
}

/** Items to which a part would set references that are not there. */
export function newlyReferred(
  { made_item, events }: ProposedPart,
  fieldsOf: (tag_id: Ulid) => FlatFields | undefined,
): Set<Ulid> {
  const found = new Set<Ulid>()
  const look = (tag_id: Ulid, values: FieldValues, before: FieldValues) => {
    const fields = fieldsOf(tag_id)
    for (const [name, value] of Object.entries(values))
      if (isReference(fields?.get(name)?.type)) for (const id of idsAdded(value, before[name])) found.add(id)
  }
  if (made_item?.live) for (const { tag_id, values } of made_item.tags) look(tag_id, values, {})
  // The other way round: these events took it back.
  for (const { event_type, tag_id, details } of events)
    if (event_type === 'tag_removed' || event_type === 'tag_values_updated')
      look(tag_id!, details.old_values ?? {}, details.new_values ?? {})
  return found
}

/** A field whose value would refer to an item that is gone. */
export interface DanglingField {
  field: string
  item_id: Ulid
  state: Gone
}

/** Of values that are to be set, those that would dangle; what stood there before may. */
export function danglingFields(
  values: FieldValues,
  before: FieldValues,
  gone: ReadonlyMap<Ulid, Gone>,
): DanglingField[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const item_id = idsAdded(value, before[field]).find((id) => gone.has(id))
    return item_id === undefined ? [] : { field, item_id, state: gone.get(item_id)! }
  })
}

/** The event without these fields: the rest of it can be taken back. */
export function withoutFields(event: PastEvent, fields: ReadonlySet<string>): PastEvent {
  const { fields_changed = [] } = event.details
  const left = fields_changed.filter((field) => !fields.has(field))
  return { ...event, details: { ...event.details, fields_changed: left } }
}

/** Said where the item that a reference is to lead to is not there any more. */
export const reasonOfGone = (item_id: Ulid, state: Gone): string =>
  `The item '${item_id}', to which it would refer, has been ${state}`

/** Said where the item into which another one would be merged is not there any more. */
export const reasonOfMerge = (item_id: Ulid, state: Gone): string =>
  `The item '${item_id}', into which it would be merged, has been ${state}`
