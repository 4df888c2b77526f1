import { type Static, Type } from 'typebox'
import type { Ulid } from '#src/domain/ulid.ts'
import { Reply } from '#src/domain/reply.ts'
import { addItems } from '#src/operations/items/add-items.ts'
import { upsertMany } from '#src/operations/items/upsert-many.ts'
import { answerFields } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { ItemsToAdd, MatchBy, MAX_BULK } from '#src/operations/schemas/inputs.ts'
import { Ulid as UlidText } from '#src/operations/schemas/answers.ts'

const Created = Type.Array(
  Type.Object({
    item_id: UlidText,
    created: Type.Optional(Type.Boolean({ description: 'With match_by: whether it was not there' })),
  }),
)

export const bulkCreate = defineOperation({
  name: 'bulkCreate',
  summary: `Create up to ${MAX_BULK} items in one transaction: all or none.`,
  description:
    'An element is what creating one item takes, or just its name. The ids come in the order given. `match_by`: ' +
    'as upsert_items.',
  tool_description: 'The ids come in the order given. With `match_by`, items that it recognizes are changed.',
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
      return_fields: Type.Optional(ReturnFields),
    },
    { additionalProperties: false },
  ),
  output: Created,
  errors: ['NotFound', 'Conflict'],
  example: {
    input: { items: ['Buy soil', { name: 'Water the plants', tags: [{ tag_ref: { Existing: 'Task' } }] }] },
  },
  async run(context, { items, match_by, return_fields }) {
    const answer = async (ids: readonly Ulid[], usual: () => Static<typeof Created> | Reply) =>
      return_fields ? new Reply(await answerFields(context, return_fields, ids)) : usual()
    if (match_by !== undefined) {
      const upserted = await upsertMany(context, match_by, items)
      return answer(
        upserted.map(({ item_id }) => item_id),
        () => upserted,
      )
    }
    const ids = await addItems(
      context,
      items.map((item) => (typeof item === 'string' ? { name: item } : item)),
      (index) => `items[${index}].`,
    )
    return answer(ids, () => new Reply(`[${ids.map((item_id) => `{"item_id":"${item_id}"}`).join()}]`))
  },
})
