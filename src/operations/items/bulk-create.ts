import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { addItems } from '#src/operations/items/add-items.ts'
import { upsertMany } from '#src/operations/items/upsert-many.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { ItemsToAdd, MatchBy, MAX_BULK } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'

export const bulkCreate = defineOperation({
  name: 'bulkCreate',
  summary: `Create up to ${MAX_BULK} items in one transaction: all or none.`,
  description:
    'An element is what creating one item takes, or just its name. The ids come in the order given. `match_by`: ' +
    'as upsert_items.',
  tool_description: 'The ids come in the order given. `match_by`: as upsert_items.',
  access: 'user',
  in_part: true,
  effect: 'write',
  long: true,
  retryable: true,
  rest: 'POST /api/items/bulk',
  tool: 'bulk_add_items',
  input: Type.Object(
    {
      items: ItemsToAdd,
      match_by: Type.Optional(MatchBy),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(
    Type.Object({
      item_id: Ulid,
      created: Type.Optional(Type.Boolean({ description: 'With match_by: whether it was not there' })),
    }),
  ),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: { items: ['Buy soil', { name: 'Water the plants', tags: [{ tag_ref: { Existing: 'Task' } }] }] },
  },
  async run(context, { items, match_by }) {
    if (match_by !== undefined) return upsertMany(context, match_by, items)
    const ids = await addItems(
      context,
      items.map((item) => (typeof item === 'string' ? { name: item } : item)),
      (index) => `items[${index}].`,
    )
    return new Reply(`[${ids.map((item_id) => `{"item_id":"${item_id}"}`).join()}]`)
  },
})
