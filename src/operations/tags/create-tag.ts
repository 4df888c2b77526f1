import { Type } from 'typebox'
import { invalid } from '#src/domain/errors.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { NewTag } from '#src/operations/schemas/inputs.ts'
import { Tag } from '#src/operations/schemas/answers.ts'
import { addNewTag } from '#src/operations/tags/add-new-tag.ts'
import { checkNewTag } from '#src/operations/tags/check-new-tag.ts'
import { tagReply } from '#src/operations/tags/tag-answer.ts'

export const createTag = defineOperation({
  name: 'createTag',
  summary: 'Create a tag: a named schema of typed fields that can then be applied to items.',
  access: 'user',
  effect: 'write',
  rest: 'POST /api/tags',
  tool: 'add_tag',
  input: Type.Object(NewTag.properties, { additionalProperties: false }),
  output: Tag,
  errors: ['Conflict'],
  example: {
    input: {
      name: 'Task',
      fields: {
        due: 'Date',
        assignee: { type: 'Reference', description: 'Who does it' },
        status: {
          type: 'Select',
          variants: ['open', 'doing', { name: 'done', fields: { finished_on: 'Date' } }],
        },
      },
    },
  },
  async run(context, input) {
    const problems = await checkNewTag(context.db, input)
    if (problems.length) throw invalid(problems)
    return tagReply(await addNewTag(context, input))
  },
})
