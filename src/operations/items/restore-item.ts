import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { itemRestored } from '#src/operations/items/item-events.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { reviveItems } from '#src/operations/items/revive-items.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Item } from '#src/operations/schemas/answers.ts'
import { ItemId } from '#src/operations/schemas/inputs.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { deletedItem } from '#src/storage/items/deleted-items.ts'
import { itemJson } from '#src/storage/items/item-json.ts'

export const restoreItem = defineOperation({
  name: 'restoreItem',
  summary: 'Bring a deleted item back with the tags that it still has.',
  access: 'user',
  effect: 'write',
  rest: 'POST /api/items/{item_id}/restore',
  input: Type.Object(
    { item_id: ItemId, return_fields: Type.Optional(ReturnFields) },
    { additionalProperties: false },
  ),
  output: Item,
  errors: ['NotFound'],
  async run(context, { item_id, return_fields }) {
    const { db } = context
    const item = await deletedItem(db, item_id)
    await reviveItems(context, [item])
    await appendEvents(db, context, [itemRestored(item)])
    if (return_fields) return new Reply(await answerFieldsOf(context, return_fields, item.item_id))
    return new Reply(await itemJson(db, item_id))
  },
})
