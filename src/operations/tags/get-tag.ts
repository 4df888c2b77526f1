import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { Tag, TagIdInPath } from '#src/operations/schemas.ts'
import { tagReply } from '#src/operations/tags/tag-reply.ts'
import { findTagById, missingTag } from '#src/storage/tags/tags.ts'

export const getTag = defineOperation({
  name: 'getTag',
  summary: 'Read one tag by its id.',
  access: 'user',
  effect: 'read',
  inline: true,
  rest: 'GET /api/tags/{tag_id}',
  tool: 'get_tag',
  input: Type.Object({ tag_id: TagIdInPath }, { additionalProperties: false }),
  output: Tag,
  errors: ['NotFound'],
  example: { input: { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG' } },
  async run({ db }, { tag_id }) {
    const tag = await findTagById(db, tag_id)
    if (!tag) throw await missingTag(db, tag_id)
    return tagReply(tag)
  },
})
