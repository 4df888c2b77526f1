import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { deletedPage } from '#src/operations/items/deleted-page.ts'
import { deletedInput, readDeletedQuery } from '#src/operations/items/deleted-query.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { checkPage, STREAM_PAGE } from '#src/operations/paging.ts'
import { FoundDeletedItem } from '#src/operations/schemas/answers.ts'

export const searchDeletedItems = defineOperation({
  name: 'searchDeletedItems',
  summary:
    'Find deleted items, newest deletion first: by a filter of what they were, by tag, text, time, who.',
  description:
    'A filter sees a deleted item as it was when it was deleted; what it refers to, and what refers to it, has to live.',
  access: 'user',
  effect: 'read',
  rest: 'POST /api/items/deleted/search',
  paged: true,
  input: Type.Object(deletedInput, { additionalProperties: false }),
  output: Type.Array(FoundDeletedItem),
  errors: ['NotFound'],
  example: { input: { filter: { 'Task.status': 'done' }, deleted_after: '2026-01-01', limit: 20 } },
  async run(context, input) {
    checkPage(input)
    const { limit = STREAM_PAGE, count = false } = input
    const { texts, meta } = await deletedPage(context, await readDeletedQuery(context, input), {
      limit,
      count,
    })
    return new Reply(`[${texts.join()}]`, meta)
  },
})
