import { Type } from 'typebox'
import { defaultsOf } from '#src/filter/meaning/defaults-of.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { FieldValues, ItemFilter, TimeZone } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { liveTargets } from '#src/storage/value-index/reference-targets.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

export const filterDefaults = defineOperation({
  name: 'filterDefaults',
  summary: 'Tell what a new item needs to satisfy a filter, in the form of POST /api/items.',
  description:
    'Positive conditions give tags and values; negations are ignored, and of an `or` the first branch counts that says a value.',
  access: 'user',
  effect: 'read',
  rest: 'POST /api/filters/defaults',
  input: Type.Object(
    { filter: ItemFilter, time_zone: Type.Optional(TimeZone) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    name: Type.Optional(Type.String()),
    tags: Type.Array(Type.Object({ tag_ref: Type.Object({ Existing: Ulid }), field_values: FieldValues })),
  }),
  example: { input: { filter: { 'Task.status': { match: 'open' } } } },
  async run(context, { filter: given }) {
    const { db } = context
    const { filter } = await readFilter(given, tagCatalog(context))
    return defaultsOf(filter, (ids) => liveTargets(db, ids))
  },
})
