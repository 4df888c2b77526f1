import { Type } from 'typebox'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { ItemFilter, TimeZone } from '#src/operations/schemas/inputs.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

const Fault = Type.Object({
  path: Type.String({ description: 'Where it is, e.g. filter.and[1]' }),
  message: Type.String(),
  suggestion: Type.Optional(Type.String()),
})

export const validateFilter = defineOperation({
  name: 'validateFilter',
  summary: 'Check a filter without running it; a bad one is an answer, not a failure.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'POST /api/filters/validate',
  tool: 'validate_filter',
  input: Type.Object(
    {
      filter: Type.Unknown({ description: 'The filter, of whatever form' }),
      time_zone: Type.Optional(TimeZone),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    valid: Type.Boolean(),
    errors: Type.Array(Fault),
    warnings: Type.Array(Type.String(), { description: 'What can never match as it is written' }),
    filter: Type.Union([ItemFilter, Type.Null()], {
      description: 'The filter with tag ids in place of names; null where it is not valid',
    }),
  }),
  example: { input: { filter: { 'Task.due': { lt: '2026-02-01' } } } },
  async run(context, { filter: given }) {
    const { faults, warnings, filter } = await checkFilter(given, tagCatalog(context))
    return {
      valid: filter !== undefined,
      errors: faults.map(({ path, message, suggestion }) => ({
        path,
        message,
        ...(suggestion && { suggestion }),
      })),
      warnings: [...warnings],
      filter: filter ? resolvedFilter(filter) : null,
    }
  },
})
