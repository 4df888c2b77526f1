import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { pageInput, STREAM_PAGE } from '#src/operations/paging.ts'
import { ItemFilter, ListedItem, TimeZone } from '#src/operations/schemas.ts'
import { searchItems as searchStored } from '#src/storage/search/search-items.ts'
import { bindSort, OLDEST_FIRST } from '#src/storage/search/search-order.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

export const searchItems = defineOperation({
  name: 'searchItems',
  summary: 'Find items by a filter; without one, all items.',
  description:
    'Oldest first unless `sort` is given. Conditions that can never match (an unknown variant, a field that the tag has not) find nothing and are named in the warnings.',
  access: 'user',
  effect: 'read',
  rest: 'POST /api/items/search',
  tool: 'get_items',
  input: Type.Object(
    { filter: Type.Optional(ItemFilter), ...pageInput, time_zone: Type.Optional(TimeZone) },
    { additionalProperties: false },
  ),
  output: Type.Array(ListedItem),
  paged: true,
  example: {
    input: {
      filter: { and: [{ has_tag: 'Task' }, { 'Task.due': { lt: '2026-02-01' } }] },
      sort: [{ by: 'Task.due' }],
      limit: 20,
    },
  },
  async run(context, { filter, sort, limit = STREAM_PAGE, after, count = false }) {
    const { db } = context
    const catalog = tagCatalog(context)
    const { plan, warnings } = filter
      ? await readFilter(filter, catalog)
      : { plan: { kind: 'always' } as const, warnings: [] }
    const order = sort?.length ? await bindSort(sort, catalog) : OLDEST_FIRST
    const { json, notes } = await searchStored(db, { plan, order, limit, after, count })
    return new Reply(json, warnings.length ? { ...notes, warnings: [...warnings] } : notes)
  },
})
