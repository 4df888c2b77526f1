import { itemState } from '#src/operations/items/item-state.ts'
import { Type } from 'typebox'
import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues as Values } from '#src/domain/field-values.ts'
import { Reply } from '#src/domain/reply.ts'
import { acceptValues } from '#src/operations/items/accept-values.ts'
import { tagValuesUpdated } from '#src/operations/items/item-events.ts'
import { tagOnItem } from '#src/operations/items/tag-on-item.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { FieldValues, ItemId, Merge, TagIdInPath, IfUpdatedAt } from '#src/operations/schemas/inputs.ts'
import { Item } from '#src/operations/schemas/answers.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { reindexValues } from '#src/storage/value-index/field-values.ts'
import { updateItemTag } from '#src/storage/items/item-tags.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { touchItems } from '#src/storage/items/items.ts'

export const updateTagValues = defineOperation({
  name: 'updateTagValues',
  summary: 'Change the values that an item has for one of its tags.',
  description:
    'Without `merge` the values are replaced whole: fields left out are cleared. With `merge: true` only the fields ' +
    'given change, null clears one. Either way the entry moves to the current version of the tag.',
  tool_description: 'Moves the entry to the current version of the tag.',
  access: 'user',
  in_part: true,
  effect: 'write',
  conditional: itemState,
  rest: 'PUT /api/items/{item_id}/tags/{tag_id}',
  tool: 'update_tag_field_values',
  hints: { destructive: true },
  input: Type.Object(
    {
      item_id: ItemId,
      tag_id: TagIdInPath,
      field_values: FieldValues,
      merge: Type.Optional(Merge),
      if_updated_at: Type.Optional(IfUpdatedAt),
      return_fields: Type.Optional(ReturnFields),
    },
    { additionalProperties: false },
  ),
  ignores: ['tag_name', 'schema_version'],
  output: Item,
  errors: ['NotFound'],
  example: {
    input: {
      item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
      tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG',
      field_values: { due: '2026-02-08' },
      merge: true,
    },
  },
  async run(context, { item_id, tag_id, field_values, merge = false, return_fields }) {
    const { db, now } = context
    const { item, tag, applied } = await tagOnItem(context, item_id, tag_id)
    const stored = JSON.parse(applied.field_values) as Values
    const { values, targets } = await acceptValues(context, [
      { tag, given: field_values, path: 'field_values', stored, merge },
    ])
    const after = values[0]!
    const changes = fieldValueChanges(stored, after)
    if (changes.fields_changed.length || applied.schema_version !== tag.schema_version) {
      await updateItemTag(db, {
        item: item.id,
        tag: tag.id,
        schema_version: tag.schema_version,
        field_values: JSON.stringify(after),
      })
      await reindexValues(db, { item: item.id, tag, values: after }, stored, targets)
      await touchItems(db, [item.id], now)
      await appendEvents(db, context, [tagValuesUpdated(item.item_id, tag, changes, applied.schema_version)])
    }
    if (return_fields) return new Reply(await answerFieldsOf(context, return_fields, item.item_id))
    return new Reply(await itemJson(db, item_id))
  },
})
