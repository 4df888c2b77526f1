import { defineOperation } from '#src/runtime/operation.ts'
import { Tag } from '#src/operations/schemas/answers.ts'
import { planTagChange, TagChangeInput } from '#src/operations/tags/plan-tag-change.ts'
import { countReached } from '#src/operations/tags/reached-items.ts'
import { storeTagChange } from '#src/operations/tags/store-tag-change.ts'
import { tagOfCall, tagReply, tagState } from '#src/operations/tags/tag-answer.ts'

export const updateTag = defineOperation({
  name: 'updateTag',
  summary: 'Change a tag: name, description, fields, what it extends. Only what is given changes.',
  description:
    '`fields` replaces all fields; where they take other values than before, `schema_version` goes up by one. Items ' +
    'keep their values and version until they are updated, also values that do not fit. Renames come first: values ' +
    'and views follow, and items get the new version.',
  tool_description:
    '`fields` replaces all fields. Items keep their values, also those that do not fit (migrate_tag_values). Renames come first: values and views follow.',
  access: 'user',
  effect: 'write',
  long: true,
  conditional: tagState,
  rest: 'PUT /api/tags/{tag_id}',
  tool: 'edit_tag',
  input: TagChangeInput,
  output: Tag,
  ignores: ['tag_id', 'id', 'schema_version', 'created_at', 'updated_at'],
  errors: ['NotFound', 'Conflict'],
  example: { input: { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG', fields: { due: 'Date', effort: 'Number' } } },
  async run(context, input) {
    const tag = await tagOfCall(context, input.tag_id)
    const change = await planTagChange(context.db, tag, input, context.change)
    if (!Object.keys(change.new_values).length) return tagReply(tag)
    await countReached(context, tag, { ...change, extendsOthers: change.bases !== null })
    return tagReply(await storeTagChange(context, tag, change))
  },
})
