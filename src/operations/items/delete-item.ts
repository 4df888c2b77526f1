import { itemState } from '#src/operations/items/item-state.ts'
import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { itemDeleted } from '#src/operations/items/item-events.ts'
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
    { item_id: ItemId, if_updated_at: Type.Optional(IfUpdatedAt) },
    { additionalProperties: false },
  ),
  output: Item,
  errors: ['NotFound'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } },
  async run(context, { item_id }) {
    const { db, now } = context
    const item = await liveItem(db, item_id)
    const json = await itemJson(db, item_id)
    await softDeleteItems(db, [item.id], now)
    await appendEvents(db, context, [itemDeleted(item)])
    return new Reply(json)
  },
})
