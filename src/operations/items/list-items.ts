import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { After, Limit, SearchText } from '#src/operations/schemas/inputs.ts'
import { ListedItem } from '#src/operations/schemas/answers.ts'
import { Expand, ItemFields } from '#src/operations/paging.ts'
import { searchItems } from '#src/operations/items/search-items.ts'

export const listItems = defineOperation({
  name: 'listItems',
  summary: 'List items, oldest first; for more than a text use POST /api/items/search.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'GET /api/items',
  input: Type.Object(
    {
      limit: Type.Optional(Limit),
      after: Type.Optional(After),
      search: Type.Optional(SearchText),
      expand: Type.Optional(Expand),
      fields: Type.Optional(ItemFields),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(ListedItem),
  paged: true,
  run: (context, { search, ...page }) =>
    searchItems.run(context, { ...page, ...(search !== undefined && { filter: { search } }) }),
})
