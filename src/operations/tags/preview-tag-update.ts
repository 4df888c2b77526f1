import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { planTagChange, TagChangeInput } from '#src/operations/tags/plan-tag-change.ts'
import { previewFields } from '#src/operations/tags/preview-fields.ts'
import { previewViews } from '#src/operations/tags/preview-views.ts'
import { countTagged } from '#src/storage/items/tagged-items.ts'
import { tagOfCall } from '#src/operations/tags/tag-answer.ts'

const Field = Type.Object({
  field: Type.String({ description: 'The new name; of a removed field the old' }),
  change: Type.Unsafe<'added' | 'removed' | 'renamed' | 'retyped' | 'variants'>({
    enum: ['added', 'removed', 'renamed', 'retyped', 'variants'],
  }),
  renamed_from: Type.Optional(Type.String()),
  with_value: Type.Integer({ minimum: 0, description: 'Items that have a value' }),
  fitting: Type.Integer({
    minimum: 0,
    description: 'Of those, as it is or as migrate_tag_values converts it',
  }),
  not_fitting: Type.Integer({ minimum: 0 }),
  samples: Type.Array(Type.Object({ item_id: Ulid, name: Type.String(), value: Type.Unsafe<unknown>({}) }), {
    description: 'Values that do not fit; where all do, some that do',
  }),
})

export const previewTagUpdate = defineOperation({
  name: 'previewTagUpdate',
  summary:
    'See what a change of a tag would do to the values that items have, and to your views. Changes nothing.',
  description: 'Takes what changing the tag takes and refuses what that refuses.',
  tool_description: 'Takes what edit_tag takes.',
  access: 'user',
  effect: 'read',
  rest: 'POST /api/tags/{tag_id}/preview',
  tool: 'preview_tag_update',
  input: TagChangeInput,
  ignores: ['tag_id', 'id', 'schema_version', 'created_at', 'updated_at'],
  output: Type.Object({
    schema_version: Type.Integer({ minimum: 1, description: 'That the tag would have' }),
    affected_items: Type.Integer({
      minimum: 0,
      description: 'Items that have the tag, where its schema gets a new version',
    }),
    fields: Type.Array(Field),
    views: Type.Array(Type.Object({ view_id: Ulid, name: Type.String(), effect: Type.String() })),
  }),
  errors: ['NotFound', 'Conflict'],
  example: { input: { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG', rename_fields: { due: 'deadline' } } },
  async run(context, input) {
    const { db, caller } = context
    const tag = await tagOfCall(context, input.tag_id)
    const change = await planTagChange(db, tag, input)
    const moves = change.schema_version !== tag.schema_version
    return {
      schema_version: change.schema_version,
      affected_items: moves ? await countTagged(db, tag.id) : 0,
      fields: moves ? await previewFields(db, tag, change) : [],
      views: moves ? await previewViews(context, tag, change, caller.user_id!) : [],
    }
  },
})
