import { type Static, Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { upsertMany } from '#src/operations/items/upsert-many.ts'
import { validateInput } from '#src/runtime/validate-input.ts'
import { answerFields } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { MAX_NAME } from '#src/domain/names.ts'
import { ItemsToAdd, MatchBy, MAX_BULK } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'

const Elements = Type.Object({ items: ItemsToAdd }, { additionalProperties: false })

export const upsertItems = defineOperation({
  name: 'upsertItems',
  summary:
    'Change items that are recognized by a value, and create those that are not there yet: all or none.',
  description:
    'Each element has the value to match by among its own. Values are merged, tags that an item lacks are applied; ' +
    'the same value twice is one item. Where several items have a value nothing happens.',
  tool_description:
    'Values are merged, tags that an item lacks are applied. Where several items have a value nothing happens.',
  access: 'user',
  in_part: true,
  effect: 'write',
  retryable: true,
  tool: 'upsert_items',
  input: Type.Object(
    {
      match_by: MatchBy,
      // Described in full by bulk_add_items, and checked against the same.
      items: Type.Array(Type.Unsafe<unknown>({ type: ['string', 'object'], maxLength: MAX_NAME }), {
        maxItems: MAX_BULK,
        description: 'Elements as bulk_add_items takes them',
      }),
      return_fields: Type.Optional(ReturnFields),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(Type.Object({ item_id: Ulid, created: Type.Boolean() })),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      match_by: 'Person.email',
      items: [
        {
          name: 'Ada',
          tags: [{ tag_ref: { Existing: 'Person' }, field_values: { email: 'ada@example.org' } }],
        },
      ],
    },
  },
  async run(context, { match_by, items, return_fields }) {
    const valid = await validateInput({ input: Elements }, { items })
    const upserted = await upsertMany(context, match_by, valid.items as Static<typeof ItemsToAdd>)
    if (!return_fields) return upserted
    const ids = upserted.map(({ item_id }) => item_id)
    return new Reply(await answerFields(context, return_fields, ids))
  },
})
