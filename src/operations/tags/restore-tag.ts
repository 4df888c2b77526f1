import { Type } from 'typebox'
import { conflict } from '#src/domain/errors.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Tag } from '#src/operations/schemas/answers.ts'
import { TagIdInPath } from '#src/operations/schemas/inputs.ts'
import { nameTaken } from '#src/operations/tags/check-new-tag.ts'
import { tagReply } from '#src/operations/tags/tag-answer.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { setTagDeleted } from '#src/storage/tags/change-tags.ts'
import { circleThrough } from '#src/storage/tags/tag-bases.ts'
import {
  findDeletedTag,
  findDeletedTagByName,
  findTagById,
  findTagByName,
  tagNotDeleted,
} from '#src/storage/tags/tags.ts'

export const restoreTag = defineOperation({
  name: 'restoreTag',
  summary: 'Bring a deleted tag back; the items that had it do not get it again.',
  access: 'user',
  effect: 'write',
  rest: 'POST /api/tags/{tag_id}/restore',
  input: Type.Object({ tag_id: TagIdInPath }, { additionalProperties: false }),
  output: Tag,
  errors: ['NotFound', 'Conflict'],
  async run(context, { tag_id }) {
    const { db, change, caller, in_body = false } = context
    const byName = caller.source === 'rest' && !in_body ? undefined : findDeletedTagByName
    const tag = (await findDeletedTag(db, tag_id)) ?? (await byName?.(db, tag_id))
    if (!tag) throw await tagNotDeleted(db, tag_id)
    if (await findTagByName(db, tag.name))
      // It comes back under the name that it had.
      throw await nameTaken(db, tag.name, change, (that) => `Rename or delete ${that} first`)
    await setTagDeleted(db, tag, null)
    // The relation went on changing without the tag, so it may close a circle now.
    const circle = await circleThrough(db, tag, tag.bases)
    if (circle)
      throw conflict(`Restoring the tag would make it extend itself: ${[tag.name, ...circle].join(' → ')}`, {
        suggestion: `Take '${circle.at(-2) ?? tag.name}' out of that circle (PUT its 'extends') first`,
      })
    await appendEvents(db, context, [
      { event_type: 'tag_restored', entity_type: 'tag', tag_id: tag.tag_id, details: { name: tag.name } },
    ])
    return tagReply((await findTagById(db, tag.tag_id))!)
  },
})
