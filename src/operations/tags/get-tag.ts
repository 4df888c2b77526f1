import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { Tag } from '#src/operations/schemas/answers.ts'
import { TagIdInPath } from '#src/operations/schemas/inputs.ts'
import { tagOfCall, tagReply, tagState } from '#src/operations/tags/tag-answer.ts'

export const getTag = defineOperation({
  name: 'getTag',
  summary: 'Read one tag with its fields.',
  access: 'user',
  in_part: true,
  effect: 'read',
  conditional: tagState,
  inline: true,
  rest: 'GET /api/tags/{tag_id}',
  tool: 'get_tag',
  input: Type.Object({ tag_id: TagIdInPath }, { additionalProperties: false }),
  output: Tag,
  errors: ['NotFound'],
  example: { input: { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG' } },
  async run(context, { tag_id }) {
    return tagReply(await tagOfCall(context, tag_id))
  },
})
