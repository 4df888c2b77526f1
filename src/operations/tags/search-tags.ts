import { Type } from 'typebox'
import { invalid } from '#src/domain/errors.ts'
import { Together } from '#src/domain/together.ts'
import { textsUpTo } from '#src/domain/up-to.ts'
import { nearest } from '#src/domain/nearest.ts'
import { Reply } from '#src/domain/reply.ts'
import { readTagFilter } from '#src/filter/meaning/read-filter.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { checkPage, pageInput, type SortKey, STREAM_PAGE } from '#src/operations/paging.ts'
import { Tag } from '#src/operations/schemas/answers.ts'
import { TagFilter } from '#src/operations/schemas/inputs.ts'
import { tagJson } from '#src/operations/tags/tag-answer.ts'
import { ITEM_COLUMNS, type ItemColumn } from '#src/storage/search/search-order.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { countTags, cursorOf, findTags, type TagOrder } from '#src/storage/tags/search-tags.ts'

export const searchTags = defineOperation({
  name: 'searchTags',
  summary: 'Find tags by a filter over name and description; without one, all tags.',
  description: 'Oldest first unless `sort` (by created_at, updated_at or name) is given.',
  tool_description: 'Sorts by created_at, updated_at or name.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'POST /api/tags/search',
  tool: 'get_tags',
  input: Type.Object({ filter: Type.Optional(TagFilter), ...pageInput }, { additionalProperties: false }),
  output: Type.Array(Tag),
  paged: true,
  example: { input: { filter: { name: { contains: 'Task' } } } },
  async run({ db, page_text = MAX_PAGE_TEXT }, { filter, sort = [], ...page }) {
    const parts = new Together()
    await parts.read(() => checkPage(page))
    const { limit = STREAM_PAGE, after, skip = 0, count = false } = page
    const read = await parts.read(() => (filter ? readTagFilter(filter) : NO_FILTER))
    const order = await parts.read(() => tagOrder(sort))
    parts.done()
    const { plan, warnings } = read!
    const { tags, next } = await findTags(db, { plan, order: order!, limit, after, skip })
    const texts = await textsUpTo(tags, page_text, tagJson)
    const following = texts.length < tags.length ? cursorOf(tags[texts.length - 1]!) : next
    return new Reply(`[${texts.join()}]`, {
      ...(following !== undefined && { next: following }),
      ...(count && { total: await countTags(db, plan) }),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    })
  },
})

const NO_FILTER = { plan: { kind: 'always' }, warnings: [] } as const

/** @throws BadRequest with every key that tags cannot be sorted by */
function tagOrder(sort: readonly SortKey[]): TagOrder {
  const problems = sort.flatMap(({ by }, i) => {
    if (isColumn(by)) return []
    const meant = nearest(by, ITEM_COLUMNS)
    const hint = meant ? `did you mean '${meant}'?` : `expected ${ITEM_COLUMNS.join(', ')}`
    return [{ path: `sort[${i}].by`, message: `cannot sort tags by '${by}'; ${hint}` }]
  })
  if (problems.length) throw invalid(problems)
  const keys = sort.map(({ by, direction }) => ({
    column: by as ItemColumn,
    descending: direction === 'desc',
  }))
  return { keys, descending: keys.at(-1)?.descending ?? false }
}

const isColumn = (by: string): by is ItemColumn => (ITEM_COLUMNS as readonly string[]).includes(by)
