import { Type } from 'typebox'
import { addItems } from '#src/operations/items/add-items.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Id, NewItem, TimeZone } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { fillFromView } from '#src/operations/views/fill-from-view.ts'

export const createItem = defineOperation({
  name: 'createItem',
  summary: 'Create an item, with tags and their values where they are given.',
  description:
    'A tag is named by id or name (`Existing`) or created along with the item (`New`). All or nothing: one fault and ' +
    'neither the item nor a tag is created.',
  tool_description: 'All or nothing.',
  access: 'user',
  in_part: true,
  effect: 'write',
  retryable: true,
  rest: 'POST /api/items',
  tool: 'add_item',
  input: Type.Object(
    {
      ...NewItem.properties,
      view_id: Type.Optional(
        Id(
          'A view, yours or a shared one: tags and values that its filter asks for are filled in where you give none',
        ),
      ),
      time_zone: Type.Optional(TimeZone),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item_id: Ulid }),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      name: 'Water the plants',
      tags: [{ tag_ref: { Existing: 'Task' }, field_values: { due: '2026-02-01' } }],
    },
  },
  async run(context, { view_id, name, description, tags }) {
    const item = { name, description, tags }
    const whole = view_id === undefined ? item : await fillFromView(context, item, view_id)
    const [item_id] = await addItems(context, [whole], () => '')
    return { item_id: item_id! }
  },
})
