import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { DeletedItem } from '#src/operations/schemas/answers.ts'
import { deletedItemsPage } from '#src/storage/items/item-json.ts'

export const listDeletedItems = defineOperation({
  name: 'listDeletedItems',
  summary: 'List the deleted items, oldest first; each can be restored or purged.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/items/deleted',
  paged: true,
  input: Type.Object(
    { limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Array(DeletedItem),
  async run({ db, page_text }, { limit = Infinity, after }) {
    const from = after === undefined ? '' : parseUlid(after)
    if (from === null)
      throw badRequest('after: not a cursor of this list', {
        suggestion: 'Take X-Next-Cursor (next.after) as it came',
      })
    const { texts, next } = await deletedItemsPage(db, from, limit, page_text)
    return new Reply(`[${texts.join()}]`, next === null ? undefined : { next })
  },
})
