import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { pageById, PageById } from '#src/operations/page-by-id.ts'
import { DeletedTag } from '#src/operations/schemas/answers.ts'
import { tagJson } from '#src/operations/tags/tag-answer.ts'
import { deletedTagsAfter, type StoredTag } from '#src/storage/tags/tags.ts'

export const listDeletedTags = defineOperation({
  name: 'listDeletedTags',
  summary: 'List the deleted tags, oldest first; each can be restored or purged.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/tags/deleted',
  paged: true,
  input: PageById,
  output: Type.Array(DeletedTag),
  run: (context, page) =>
    pageById<StoredTag>(context, page, {
      read: (after, limit) => deletedTagsAfter(context.db, after, limit),
      idOf: ({ tag_id }) => tag_id,
      textOf: tagJson,
    }),
})
