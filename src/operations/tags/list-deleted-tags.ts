import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { DeletedTag } from '#src/operations/schemas/answers.ts'
import { tagJson } from '#src/operations/tags/tag-reply.ts'
import { deletedTags } from '#src/storage/tags/tags.ts'

export const listDeletedTags = defineOperation({
  name: 'listDeletedTags',
  summary: 'List the deleted tags, oldest first; each can be restored or purged.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/tags/deleted',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(DeletedTag),
  async run({ db }) {
    return new Reply(`[${(await deletedTags(db)).map(tagJson).join()}]`)
  },
})
