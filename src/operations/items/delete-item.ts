import { itemState } from '#src/operations/items/item-state.ts'
import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { itemDeleted } from '#src/operations/items/item-events.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Item } from '#src/operations/schemas/answers.ts'
import { ItemId, IfUpdatedAt } from '#src/operations/schemas/inputs.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { liveItem, softDeleteItems } from '#src/storage/items/items.ts'

export const deleteItem = defineOperation({
  name: 'deleteItem',
  summary: 'Delete an item; it can be restored until it is purged.',
  description:
    'References to it stay and dangle: a traversal through them matches nothing until it is restored.',
  access: 'user',
  in_part: true,
  effect: 'write',
  conditional: itemState,
  rest: 'DELETE /api/items/{item_id}',
  tool: 'delete_item',
  hints: { destructive: true },
  input: Type.Object(
    {
      item_id: ItemId,
      if_updated_at: Type.Optional(IfUpdatedAt),
      return_fields: Type.Optional(ReturnFields),
    },
    { additionalProperties: false },
  ),
  output: Item,
  errors: ['NotFound'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } },
  async run(context, { item_id, return_fields }) {
    const { db, now } = context
    const item = await liveItem(db, item_id)
    const json = return_fields
      ? await answerFieldsOf(context, return_fields, item.item_id)
      : await itemJson(db, item_id)
    await softDeleteItems(db, [item.id], now)
    await appendEvents(db, context, [itemDeleted(item)])
    return new Reply(json)
  },
})
