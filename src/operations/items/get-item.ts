import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { Item, ItemId } from '#src/operations/schemas.ts'
import { Expand } from '#src/operations/paging.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { liveItem } from '#src/storage/items/items.ts'
import { referencesOf } from '#src/storage/references/referenced-items.ts'

export const getItem = defineOperation({
  name: 'getItem',
  summary: 'Read one item with its tags and their values.',
  access: 'user',
  effect: 'read',
  conditional: 'item',
  inline: true,
  rest: 'GET /api/items/{item_id}',
  tool: 'get_item',
  input: Type.Object({ item_id: ItemId, expand: Type.Optional(Expand) }, { additionalProperties: false }),
  output: Item,
  errors: ['NotFound'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } },
  async run({ db }, { item_id, expand = false }) {
    const json = await itemJson(db, item_id)
    if (!expand) return new Reply(json)
    const { id } = await liveItem(db, item_id)
    const references = (await referencesOf(db, [id])).get(id) ?? {}
    return new Reply(`${json.slice(0, -1)},"references":${JSON.stringify(references)}}`)
  },
})
