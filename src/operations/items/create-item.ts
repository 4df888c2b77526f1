import { Type } from 'typebox'
import { addItems } from '#src/operations/items/add-items.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { NewItem, Ulid } from '#src/operations/schemas.ts'

export const createItem = defineOperation({
  name: 'createItem',
  summary: 'Create an item, with tags and their values where they are given.',
  description:
    'A tag is named by id or name (`Existing`) or created along with the item (`New`). All or nothing: one fault and ' +
    'neither the item nor a tag is created.',
  access: 'user',
  effect: 'write',
  rest: 'POST /api/items',
  tool: 'add_item',
  input: Type.Object(NewItem.properties, { additionalProperties: false }),
  output: Type.Object({ item_id: Ulid }),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      name: 'Water the plants',
      tags: [{ tag_ref: { Existing: 'Task' }, field_values: { due: '2026-02-01' } }],
    },
  },
  async run(context, item) {
    const [item_id] = await addItems(context, [item], () => '')
    return { item_id: item_id! }
  },
})
