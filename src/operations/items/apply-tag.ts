import { itemState } from '#src/operations/items/item-state.ts'
import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { conflict, invalid, type Problem } from '#src/domain/errors.ts'
import { acceptValues } from '#src/operations/items/accept-values.ts'
import { tagApplied } from '#src/operations/items/item-events.ts'
import { resolveTagRef } from '#src/operations/items/resolve-tag-ref.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import { ItemId, TagToApply } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { indexApplied } from '#src/storage/value-index/field-values.ts'
import { findItemTag, insertItemTags } from '#src/storage/items/item-tags.ts'
import { liveItem, touchItems } from '#src/storage/items/items.ts'

export const applyTag = defineOperation({
  name: 'applyTag',
  summary: 'Apply a tag, existing or new, to an item, with values for its fields.',
  access: 'user',
  in_part: true,
  effect: 'write',
  conditional: itemState,
  rest: 'POST /api/items/{item_id}/tags',
  tool: 'apply_tag_to_item',
  input: Type.Object(
    { item_id: ItemId, tag: TagToApply, return_fields: Type.Optional(ReturnFields) },
    { additionalProperties: false },
  ),
  output: Type.Object({ tag_id: Ulid }),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
      tag: { tag_ref: { Existing: 'Task' }, field_values: { status: { variant: 'open' } } },
    },
  },
  async run(context, { item_id, tag, return_fields }) {
    const applied = await applyTagTo(context, item_id, tag)
    if (return_fields) return new Reply(await answerFieldsOf(context, return_fields, item_id))
    return applied
  },
})

/** `merge`: values may be edits, of which the item has none so far (`editValue`). @throws as the operation */
export async function applyTagTo(
  context: SqlContext,
  item_id: string,
  { tag_ref, field_values = {} }: TagToApply,
  { merge = false } = {},
): Promise<{ tag_id: string }> {
  const { db, now } = context
  const item = await liveItem(db, item_id)
  const problems: Problem[] = []
  const tag = await resolveTagRef(context, tag_ref, 'tag.tag_ref', problems)
  if (!tag) throw invalid(problems)
  if (await findItemTag(db, item.id, tag.id))
    throw conflict(`Tag '${tag.name}' is already applied to item '${item.item_id}'`, {
      suggestion: `Change its values: PUT /api/items/${item.item_id}/tags/${tag.tag_id} (update_tag_field_values)`,
    })
  const { values, targets } = await acceptValues(context, [
    { tag, given: field_values, path: 'tag.field_values', merge },
  ])
  const text = JSON.stringify(values[0]!)
  await insertItemTags(db, [[item.id, tag.id, tag.schema_version, text]])
  await indexApplied(db, [{ item: item.id, tag, values: values[0]! }], targets)
  await touchItems(db, [item.id], now)
  await appendEvents(db, context, [tagApplied(item.item_id, tag, text)])
  return { tag_id: tag.tag_id }
}
