import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { After, Limit, SearchText } from '#src/operations/schemas/inputs.ts'
import { Tag } from '#src/operations/schemas/answers.ts'
import { searchTags } from '#src/operations/tags/search-tags.ts'

export const listTags = defineOperation({
  name: 'listTags',
  summary: 'List tags, oldest first; for more than a text use POST /api/tags/search.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'GET /api/tags',
  input: Type.Object(
    {
      limit: Type.Optional(Limit),
      after: Type.Optional(After),
      search: Type.Optional(SearchText),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(Tag),
  paged: true,
  run: (context, { search, ...page }) =>
    searchTags.run(context, { ...page, ...(search !== undefined && { filter: { search } }) }),
})
