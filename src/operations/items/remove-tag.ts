import { itemState } from '#src/operations/items/item-state.ts'
import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { tagRemoved } from '#src/operations/items/item-events.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { tagOnItem } from '#src/operations/items/tag-on-item.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Item } from '#src/operations/schemas/answers.ts'
import { ItemId, TagIdInPath } from '#src/operations/schemas/inputs.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { unindexTag } from '#src/storage/value-index/unindex.ts'
import { removeItemTags } from '#src/storage/items/item-tags.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { touchItems } from '#src/storage/items/items.ts'

export const removeTag = defineOperation({
  name: 'removeTag',
  summary: 'Take a tag off an item; its values for it are dropped.',
  access: 'user',
  in_part: true,
  effect: 'write',
  conditional: itemState,
  rest: 'DELETE /api/items/{item_id}/tags/{tag_id}',
  tool: 'remove_tag_from_item',
  hints: { destructive: true },
  input: Type.Object(
    { item_id: ItemId, tag_id: TagIdInPath, return_fields: Type.Optional(ReturnFields) },
    { additionalProperties: false },
  ),
  output: Item,
  errors: ['NotFound'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG' } },
  async run(context, { item_id, tag_id, return_fields }) {
    const { db, now } = context
    const { item, tag, applied } = await tagOnItem(context, item_id, tag_id)
    await unindexTag(db, tag, [item.id])
    await removeItemTags(db, tag.id, [item.id])
    await touchItems(db, [item.id], now)
    const { field_values, schema_version: old_schema_version } = applied
    await appendEvents(db, context, [tagRemoved(item.item_id, tag, field_values, { old_schema_version })])
    if (return_fields) return new Reply(await answerFieldsOf(context, return_fields, item.item_id))
    return new Reply(await itemJson(db, item_id))
  },
})
