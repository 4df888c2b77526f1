import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { After, Limit, TagIdOrName } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { FIRST_POSITION, outdatedTags, type OutdatedPosition } from '#src/storage/items/outdated-tags.ts'
import { findTag, missingTag } from '#src/storage/tags/tags.ts'

/** Rows of a page that is asked for without a limit; all of them are one answer then. */
const CHUNK = 1000

export const listOutdatedItems = defineOperation({
  name: 'listOutdatedItems',
  summary: 'List items whose values for a tag were stored at an older version of it.',
  description:
    'Updating the values (a merge of nothing suffices) brings an entry to the current version. ' +
    'Tag by tag, the oldest versions first.',
  tool_description: 'Tag by tag, the oldest versions first; migrate_tag_values brings them up to date.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/items/outdated',
  tool: 'get_outdated_item_tags',
  paged: true,
  input: Type.Object(
    { tag_id: Type.Optional(TagIdOrName), limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Array(
    Type.Object({
      item_id: Ulid,
      name: Type.String(),
      tag_id: Ulid,
      tag_name: Type.String(),
      schema_version: Type.Integer({ minimum: 1 }),
      current_version: Type.Integer({ minimum: 2 }),
    }),
  ),
  errors: ['NotFound'],
  example: { input: { tag_id: 'Task', limit: 20 } },
  async run({ db }, { tag_id, limit, after }) {
    const tag = tag_id === undefined ? undefined : await findTag(db, tag_id)
    if (tag_id !== undefined && !tag) throw await missingTag(db, tag_id)
    let position: OutdatedPosition | null = after === undefined ? FIRST_POSITION : readCursor(after)
    if (limit !== undefined) {
      const { entries, next } = await outdatedTags(db, position, limit, tag?.id)
      return Reply.of(entries, next ? { next: cursorOf(next) } : undefined)
    }
    const all: object[] = []
    while (position) {
      const { entries, next } = await outdatedTags(db, position, CHUNK, tag?.id)
      all.push(...entries)
      position = next
    }
    return Reply.of(all)
  },
})

const cursorOf = ({ tag, schema_version, item }: OutdatedPosition) => `${tag}.${schema_version}.${item}`

function readCursor(text: string): OutdatedPosition {
  const match = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(text)
  if (!match)
    throw badRequest('after: not a cursor of this list', {
      suggestion: 'Take X-Next-Cursor (next.after) as it came',
    })
  return { tag: Number(match[1]), schema_version: Number(match[2]), item: Number(match[3]) }
}
