import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { badRequest, invalid } from '#src/domain/errors.ts'
import { readKeyValue, readMatchKey } from '#src/operations/items/match-key.ts'
import { upsert } from '#src/operations/items/upsert.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Description, Name, NewItem } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'

export const upsertItem = defineOperation({
  name: 'upsertItem',
  summary: 'Change the one item that has a value, or create it where there is none.',
  description:
    'Values are merged into those that the item has; tags that it lacks are applied. Where several items have the ' +
    'value nothing happens (409). A new item gets the value, and is given no other there (400).',
  access: 'user',
  in_part: true,
  effect: 'write',
  rest: 'PUT /api/items/upsert',
  input: Type.Object(
    {
      match: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        minProperties: 1,
        maxProperties: 1,
        description: 'One of "name" and "<Tag>.<field>", with the value that the item has there',
        examples: [{ 'Person.email': 'ada@example.org' }],
      }),
      name: Type.Optional(Name),
      description: Type.Optional(Description),
      tags: NewItem.properties.tags,
      return_fields: Type.Optional(ReturnFields),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item_id: Ulid, created: Type.Boolean() }),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      match: { 'Person.email': 'ada@example.org' },
      name: 'Ada',
      tags: [{ tag_ref: { Existing: 'Person' }, field_values: { age: 36 } }],
    },
  },
  async run(context, { match, return_fields, ...given }) {
    const [entry, ...others] = Object.entries(match)
    if (!entry || others.length) throw badRequest('match: expected exactly one key')
    const [by, value] = entry
    const key = await readMatchKey(context, by, `match.${by}`)
    if ('message' in key) throw invalid([key])
    const read = readKeyValue(key, value, `match.${by}`)
    if (read.problems.length) throw invalid(read.problems)
    const [answer] = await upsert(context, key, [{ ...given, key: read.value, path: '' }])
    if (return_fields) return new Reply(await answerFieldsOf(context, return_fields, answer!.item_id))
    return answer!
  },
})
