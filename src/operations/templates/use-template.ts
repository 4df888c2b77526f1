import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { Template } from '#src/operations/templates/template.ts'
import { fillTemplate } from '#src/operations/templates/template-steps.ts'

const Count = Type.Integer({ minimum: 0 })

export const useTemplate = defineOperation({
  name: 'useTemplate',
  summary: 'Make the tags, views and sample items of a template: all, as one change, or nothing.',
  description:
    'Views become shared ones of yours. What the base has already by name, a tag, a view or an item, is 409, and nothing is made. Two items with one `ref`, or two tags with one name, are 400.',
  access: 'user',
  effect: 'compose',
  rest: 'POST /api/template',
  input: Type.Object({ template: Template }, { additionalProperties: false }),
  output: Type.Object({
    tags: Count,
    views: Count,
    items: Count,
    change_id: Type.Union([Ulid, Type.Null()]),
  }),
  errors: ['Conflict'],
  run: ({ text }, { template }) => text(fillTemplate, { template }),
})
