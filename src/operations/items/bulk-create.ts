import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { addItems } from '#src/operations/items/add-items.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { MAX_BULK, Name, NewItem, Ulid } from '#src/operations/schemas.ts'

export const bulkCreate = defineOperation({
  name: 'bulkCreate',
  summary: `Create up to ${MAX_BULK} items in one transaction: all or none.`,
  description:
    'An element is what creating one item takes, or just its name. The ids come in the order given.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/items/bulk',
  tool: 'bulk_add_items',
  input: Type.Object(
    {
      items: Type.Array(Type.Union([Name, NewItem]), {
        maxItems: MAX_BULK,
        description: `Up to ${MAX_BULK} items; a text alone is a name`,
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(Type.Object({ item_id: Ulid })),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: { items: ['Buy soil', { name: 'Water the plants', tags: [{ tag_ref: { Existing: 'Task' } }] }] },
  },
  async run(context, { items }) {
    const ids = await addItems(
      context,
      items.map((item) => (typeof item === 'string' ? { name: item } : item)),
      (index) => `items[${index}].`,
    )
    return new Reply(`[${ids.map((item_id) => `{"item_id":"${item_id}"}`).join()}]`)
  },
})
