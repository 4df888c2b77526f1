import type { FieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { EventState } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { AuditEvent } from '#src/storage/log/audit-log.ts'

interface NamedTag {
  tag_id: Ulid
  name: string
}

/** A tag as it is on an item: `schema_version` is the entry's own. */
interface EntryTag extends NamedTag {
  schema_version: number
}

/** `values`, here and below: JSON text as it is stored. */
export const tagApplied = (item_id: Ulid, tag: EntryTag, values: string): AuditEvent => ({
  event_type: 'tag_applied',
  entity_type: 'item',
  item_id,
  tag_id: tag.tag_id,
  tag_name: tag.name,
  state: { schema_version: tag.schema_version },
  details: `{"tag_name":${JSON.stringify(tag.name)},"initial_values":${values}}`,
})

export const tagRemoved = (
  item_id: Ulid,
  tag: NamedTag,
  values: string,
  state: EventState & { old_schema_version: number },
): AuditEvent => ({
  event_type: 'tag_removed',
  entity_type: 'item',
  item_id,
  tag_id: tag.tag_id,
  tag_name: tag.name,
  state,
  details: `{"tag_name":${JSON.stringify(tag.name)},"old_values":${values}}`,
})

export const tagValuesUpdated = (
  item_id: Ulid,
  tag: EntryTag,
  { fields_changed, old_values, new_values }: FieldValueChanges,
  old_schema_version: number,
): AuditEvent => ({
  event_type: 'tag_values_updated',
  entity_type: 'item',
  item_id,
  tag_id: tag.tag_id,
  details: { tag_name: tag.name, fields_changed, old_values, new_values },
  state: { schema_version: tag.schema_version, old_schema_version },
})

export interface CreatedItem {
  item_id: Ulid
  name: string
  description: string | null
}

export const itemCreated = (
  { item_id, name, description }: CreatedItem,
  tags: readonly { tag: EntryTag; values: string }[],
): AuditEvent => {
  const applied = tags.map(
    ({ tag: { tag_id, name, schema_version }, values }) =>
      `${JSON.stringify({ tag_id, tag_name: name, schema_version }).slice(0, -1)},"initial_values":${values}}`,
  )
  return {
    event_type: 'item_created',
    entity_type: 'item',
    item_id,
    name,
    details: `${JSON.stringify({ name, description }).slice(0, -1)},"tags":[${applied.join()}]}`,
  }
}

interface NamedItem {
  item_id: Ulid
  name: string
}

export const itemRestored = ({ item_id, name }: NamedItem): AuditEvent => ({
  event_type: 'item_restored',
  entity_type: 'item',
  item_id,
  details: { name },
})

export const itemDeleted = ({ item_id, name }: NamedItem): AuditEvent => ({
  event_type: 'item_deleted',
  entity_type: 'item',
  item_id,
  details: { name },
})
