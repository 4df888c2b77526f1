import { laterThan } from '#src/domain/precondition.ts'
import { checkFieldValues, checkSubFields } from '#src/domain/check-field-values.ts'
import { badRequest, type ServiceError } from '#src/domain/errors.ts'
import type { FlatFields } from '#src/domain/field-schema.ts'
import { sameShape } from '#src/domain/field-shape.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import {
  hasRenames,
  inTheWay,
  renameInSchema,
  renameInValues,
  type TagRenames,
} from '#src/domain/tag-renames.ts'
import type { FieldMap } from '#src/domain/field-schema.ts'
import type { SqlContext } from '#src/operations/operation.ts'
import type { TagChange } from '#src/operations/tags/plan-tag-change.ts'
import { appendEvents } from '#src/storage/audit-log.ts'
import { replaceItemTags } from '#src/storage/items/item-tags.ts'
import { touchItems } from '#src/storage/items/items.ts'
import { pagesOfTaggedItems, type TaggedItem } from '#src/storage/items/tagged-items.ts'
import { updateTagRow } from '#src/storage/tags/change-tags.ts'
import { allBasesOf } from '#src/storage/tags/tag-bases.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { reindexField } from '#src/storage/value-index/field-values.ts'
import { renameInViews } from '#src/storage/views/rename-in-views.ts'

/**
 * Brings a tag to what `planTagChange` found: with renames, its values on all items, deleted ones too, and the filters
 * of views follow. One event.
 * @throws BadRequest where a renamed value would stand upon another
 */
export async function storeTagChange(
  context: SqlContext,
  tag: StoredTag,
  change: TagChange,
): Promise<StoredTag> {
  const { db, now } = context
  const { name, description, fields, renames, bases, schema_version, old_values, new_values } = change
  const state = bases && { old_extends: await allBasesOf(db, tag.id) }
  const { tag: updated, retyped } = await updateTagRow(
    db,
    tag,
    {
      name,
      description,
      fields: new_values.fields ? JSON.stringify(fields) : tag.fields,
      schema_version,
      updated_at: laterThan(tag.updated_at, now),
    },
    bases && bases.map(({ id }) => id),
    renames.fields,
  )
  if (hasRenames(renames)) {
    await renameValues(context, tag, updated, renames)
    await renameInViews(db, tag.tag_id, renames, now)
  }
  const again = new Map(retyped.map((row) => [row.name, row]))
  for (const field of renames.variants.keys()) {
    const row = updated.rows.get(field)
    if (row) again.set(field, row)
  }
  for (const field of again.values()) await reindexField(db, tag.id, field)
  await appendEvents(db, context, [
    {
      event_type: 'tag_updated',
      entity_type: 'tag',
      tag_id: tag.tag_id,
      name: tag.name,
      ...(state && { state }),
      details: {
        fields_changed: Object.keys(new_values),
        old_values,
        new_values,
        ...renamesInEvent(renames),
      },
    },
  ])
  return updated
}

/** All that an inverse needs, and the history, whose paths follow. */
function renamesInEvent({ fields, variants }: TagRenames) {
  const byField = [...variants].map(([field, names]) => [field, Object.fromEntries(names)])
  return {
    ...(fields.size && { renamed_fields: Object.fromEntries(fields) as Record<string, string> }),
    ...(variants.size && { renamed_variants: Object.fromEntries(byField) as Record<string, object> }),
  }
}

async function renameValues(
  { db, now }: SqlContext,
  before: StoredTag,
  tag: StoredTag,
  renames: TagRenames,
): Promise<void> {
  const map = JSON.parse(before.fields) as FieldMap
  // Only renamed: what was up to date stays so.
  const alike = sameShape(renameInSchema(map, renames), JSON.parse(tag.fields))
  for await (const page of pagesOfTaggedItems(db, tag.id, tag.schema_version)) {
    const rows = page.flatMap((row) => {
      const stored = JSON.parse(row.field_values) as FieldValues
      const obstacle = inTheWay(stored, renames)
      if (obstacle !== undefined) throw occupied(row, obstacle)
      const values = renameInValues(withoutNulls(stored, renames), renames)
      const moves = (alike && row.schema_version === before.schema_version) || fits(tag.schema, values)
      if (values === stored && !moves) return []
      const schema_version = moves ? tag.schema_version : row.schema_version
      return [{ item: row.item, schema_version, field_values: JSON.stringify(values) }]
    })
    if (!rows.length) continue
    await replaceItemTags(db, tag.id, rows)
    await touchItems(
      db,
      rows.map(({ item }) => item),
      now,
    )
  }
}

/** A null of an earlier field is not in the way. */
function withoutNulls(values: FieldValues, { fields }: TagRenames): FieldValues {
  const names = [...fields.values()].filter((name) => Object.hasOwn(values, name))
  if (!names.length) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

const fits = (schema: FlatFields, values: FieldValues): boolean =>
  !checkFieldValues(schema, values).problems.length && !checkSubFields(schema, values, values).length

const occupied = ({ item_id }: TaggedItem, obstacle: string): ServiceError =>
  badRequest(`The item '${item_id}' still has ${obstacle}`, {
    suggestion: 'Choose another name, or clear that value first',
  })
