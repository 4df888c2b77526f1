import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { bindSelection } from '#src/operations/items/item-selection.ts'
import { checkPage, Expand, ItemFields, pageInput, Snippets, STREAM_PAGE } from '#src/operations/paging.ts'
import { ItemFilter, TimeZone } from '#src/operations/schemas/inputs.ts'
import { ListedItem } from '#src/operations/schemas/answers.ts'
import { narrowedByView } from '#src/operations/views/narrowed-by-view.ts'
import { NarrowingView } from '#src/operations/views/view-schemas.ts'
import { correctWords } from '#src/storage/words/stands-for.ts'
import { markedBy, snippetsOf } from '#src/storage/search/item-snippets.ts'
import { findItems } from '#src/storage/search/search.ts'
import { bindSort, usualOrder } from '#src/storage/search/search-order.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

const EVERYTHING = { plan: { kind: 'always' }, warnings: [] } as const

export const searchItems = defineOperation({
  name: 'searchItems',
  summary: 'Find items by a filter; without one, all items.',
  description:
    'Oldest first unless `sort` is given. Conditions that can never match (an unknown variant, a field that the tag has not) find nothing and are named in the warnings.',
  tool_description: 'Warnings beside the answer name conditions that can never match.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'POST /api/items/search',
  tool: 'get_items',
  input: Type.Object(
    {
      filter: Type.Optional(ItemFilter),
      view_id: Type.Optional(NarrowingView),
      ...pageInput,
      time_zone: Type.Optional(TimeZone),
      expand: Type.Optional(Expand),
      fields: Type.Optional(ItemFields),
      snippets: Type.Optional(Snippets),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(ListedItem),
  paged: true,
  errors: ['NotFound'],
  example: {
    input: {
      filter: { and: [{ has_tag: 'Task' }, { 'Task.due': { lt: '2026-02-01' } }] },
      sort: [{ by: 'Task.due' }],
      limit: 20,
    },
  },
  async run(context, { filter: given, view_id, sort, expand, fields, snippets, ...page }) {
    checkPage(page)
    const { limit = STREAM_PAGE, after, skip = 0, count = false } = page
    const { db, page_text } = context
    const catalog = tagCatalog(context)
    const filter = view_id === undefined ? given : await narrowedByView(context, view_id, given)
    const read = filter && (await readFilter(filter, catalog))
    const said = read?.warnings ?? []
    const { plan, warnings } = read ? await correctWords(db, read.plan) : EVERYTHING
    const order = sort?.length
      ? await bindSort(sort, catalog, read?.filter)
      : usualOrder(read?.filter, context.caller)
    const selection = fields && (await bindSelection(fields, catalog))
    const marked = snippets ? markedBy(plan) : undefined
    const page_wanted = { order, limit, after, skip, count, expand, selection, page_text }
    const snippetsOfItems = snippets ? (ids: readonly number[]) => snippetsOf(db, marked, ids) : undefined
    const search = { plan, ...page_wanted, snippets: snippetsOfItems }
    const { json, meta } = await findItems(db, search)
    const all = [...said, ...warnings, ...(meta.warnings ?? [])]
    return new Reply(json, all.length ? { ...meta, warnings: all } : meta)
  },
})
