import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { itemRestored } from '#src/operations/items/item-events.ts'
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
  input: Type.Object({ item_id: ItemId }, { additionalProperties: false }),
  output: Item,
  errors: ['NotFound'],
  async run(context, { item_id }) {
    const { db } = context
    const item = await deletedItem(db, item_id)
    await reviveItems(context, [item])
    await appendEvents(db, context, [itemRestored(item)])
    return new Reply(await itemJson(db, item_id))
  },
})
