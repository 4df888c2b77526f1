import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Id } from '#src/operations/schemas/inputs.ts'
import { Item, Tag } from '#src/operations/schemas/answers.ts'
import { restoreTag } from '#src/operations/tags/restore-tag.ts'

export const restore = defineOperation({
  name: 'restore',
  summary: 'Bring a deleted item or tag back. Takes one of item_id and tag_id.',
  description:
    'An item comes back with the tags that it still has; a restored tag is not applied to items again.',
  access: 'user',
  effect: 'write',
  tool: 'restore_item',
  input: Type.Object(
    {
      item_id: Type.Optional(Id('Id of a deleted item')),
      tag_id: Type.Optional(Id('Id or name of a deleted tag')),
      return_fields: Type.Optional(ReturnFields),
    },
    { additionalProperties: false },
  ),
  output: Type.Union([Item, Tag]),
  errors: ['NotFound', 'Conflict'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } },
  async run(context, { item_id, tag_id, return_fields }) {
    if (item_id !== undefined && tag_id === undefined)
      return restoreItem.run(context, { item_id, return_fields })
    if (tag_id !== undefined && item_id === undefined && return_fields)
      throw badRequest('return_fields are of items: leave them out where a tag is restored')
    if (tag_id !== undefined && item_id === undefined) return restoreTag.run(context, { tag_id })
    throw badRequest('Give exactly one of item_id and tag_id', {
      suggestion: 'list_deleted_items shows what can be restored',
    })
  },
})
