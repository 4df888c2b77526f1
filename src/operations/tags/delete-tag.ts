import { Type } from 'typebox'
import type { Reply } from '#src/domain/reply.ts'
import { recordChange, writeChange } from '#src/operations/changes/recorded-change.ts'
import { tagRemoved } from '#src/operations/items/item-events.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import { Tag } from '#src/operations/schemas/answers.ts'
import { TagIdInPath } from '#src/operations/schemas/inputs.ts'
import { tagOfCall, tagReply, tagState } from '#src/operations/tags/tag-answer.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { setTagDeleted } from '#src/storage/tags/change-tags.ts'
import { unindexTagEverywhere } from '#src/storage/value-index/unindex.ts'
import { countEntries, pagesOfTaggedItems, untagAllItems } from '#src/storage/items/tagged-items.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

export const deleteTag = defineOperation({
  name: 'deleteTag',
  summary: 'Delete a tag and take it off all items, with the values that they have for it.',
  description: 'Restoring the tag does not apply it again; undoing the change does, with the values.',
  tool_description: 'restore_item brings the tag back, undo_changes also its values.',
  access: 'user',
  effect: 'write',
  long: true,
  conditional: tagState,
  rest: 'DELETE /api/tags/{tag_id}',
  tool: 'delete_tag',
  hints: { destructive: true },
  input: Type.Object({ tag_id: TagIdInPath }, { additionalProperties: false }),
  output: Tag,
  errors: ['NotFound'],
  example: { input: { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG' } },
  plan: (context, { tag_id }) => recordChange(context, (recording) => remove(recording, tag_id)),
  async run(context, { tag_id }) {
    const tag = await tagOfCall(context, tag_id)
    // What has got it since then must lose it too.
    const written = await writeChange(context, {
      holds: async (items) => (await countEntries(context.db, tag.id)) === items,
    })
    return written ?? remove(context, tag_id)
  },
})

async function remove(context: SqlContext, tag_id: string): Promise<Reply> {
  const { db, now } = context
  const tag = await tagOfCall(context, tag_id)
  await appendEvents(db, context, [
    { event_type: 'tag_deleted', entity_type: 'tag', tag_id: tag.tag_id, details: { name: tag.name } },
  ])
  await takeOffAllItems(context, tag)
  await setTagDeleted(db, tag, now.toISOString())
  return tagReply(tag)
}

/** Deleted items too: a restored item must not come back with a tag that is gone. */
async function takeOffAllItems(context: SqlContext, tag: StoredTag): Promise<void> {
  const { db } = context
  for await (const page of pagesOfTaggedItems(db, tag.id))
    await appendEvents(
      db,
      context,
      page.map(({ item_id, field_values, schema_version }) =>
        tagRemoved(item_id, tag, field_values, { old_schema_version: schema_version, updated_at: null }),
      ),
    )
  await unindexTagEverywhere(db, tag)
  await untagAllItems(db, tag.id)
}
