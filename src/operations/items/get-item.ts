import { itemState } from '#src/operations/items/item-state.ts'
import { Type } from 'typebox'
import { badRequest, invalid } from '#src/domain/errors.ts'
import { parseIsoTime, type IsoTime } from '#src/domain/iso-time.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Expand } from '#src/operations/paging.ts'
import { GivenTime, ItemId } from '#src/operations/schemas/inputs.ts'
import { Item } from '#src/operations/schemas/answers.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { liveItem } from '#src/storage/items/items.ts'
import { itemJsonAt } from '#src/storage/items/past-item.ts'
import { referencesOf } from '#src/storage/references/referenced-items.ts'

export const getItem = defineOperation({
  name: 'getItem',
  summary: 'Read one item with its tags and their values.',
  access: 'user',
  in_part: true,
  effect: 'read',
  conditional: itemState,
  // What was long ago may take long to find.
  inline: ({ as_of }) => as_of === undefined,
  rest: 'GET /api/items/{item_id}',
  tool: 'get_item',
  input: Type.Object(
    {
      item_id: ItemId,
      expand: Type.Optional(Expand),
      as_of: Type.Optional(GivenTime('The item as it was then, that millisecond included')),
    },
    { additionalProperties: false },
  ),
  output: Item,
  errors: ['NotFound'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } },
  async run({ db }, { item_id, expand = false, as_of }) {
    if (as_of !== undefined && expand)
      throw badRequest('as_of and expand do not go together', {
        suggestion: 'Read the item as of then, and what it referred to by its ids',
      })
    if (as_of !== undefined) return new Reply(await itemJsonAt(db, item_id, pastTime(as_of)))
    const json = await itemJson(db, item_id)
    if (!expand) return new Reply(json)
    const { id } = await liveItem(db, item_id)
    const references = (await referencesOf(db, [id])).get(id) ?? {}
    return new Reply(`${json.slice(0, -1)},"references":${JSON.stringify(references)}}`)
  },
})

function pastTime(text: string): IsoTime {
  const time = parseIsoTime(text)
  if (!time) throw invalid([{ path: 'as_of', message: 'expected an ISO 8601 date or date-time' }])
  return time
}
