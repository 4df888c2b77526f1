import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { addItems } from '#src/operations/items/add-items.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Id, NewItem, TimeZone } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { fillFromView, matchesView } from '#src/operations/views/fill-from-view.ts'

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
      return_fields: Type.Optional(ReturnFields),
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
  async run(context, { view_id, return_fields, name, description, tags }) {
    const given = { name, description, tags }
    const by_view = view_id === undefined ? undefined : await fillFromView(context, given, view_id)
    const ids = await addItems(context, [by_view?.item ?? given], () => '')
    const item_id = ids[0]!
    if (!return_fields) return { item_id }
    const told = await answerFieldsOf(context, return_fields, item_id)
    if (!by_view) return new Reply(told)
    const view = { filled: by_view.filled, matches: await matchesView(context, by_view, item_id) }
    return new Reply(`${told.slice(0, -1)},"view":${JSON.stringify(view)}}`)
  },
})
