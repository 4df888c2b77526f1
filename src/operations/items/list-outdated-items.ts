import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { After, Limit, TagIdOrName } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { FIRST_POSITION, outdatedTags, type OutdatedPosition } from '#src/storage/items/outdated-tags.ts'
import { outdatedValues } from '#src/storage/items/outdated-values.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findTag, findTagByName, missingTag, type StoredTag, tagNames } from '#src/storage/tags/tags.ts'

/** Rows of a page that is asked for without a limit; all of them are one answer then. */
const CHUNK = 1000

export const listOutdatedItems = defineOperation({
  name: 'listOutdatedItems',
  summary: 'List items whose values for a tag were stored at an older version of it.',
  description:
    'Updating the values (a merge of nothing suffices) brings an entry to the current version. ' +
    'Tag by tag, the oldest versions first. With `summary` the values that do not fit the present schema, each with ' +
    'its field, its version and the number of items.',
  tool_description: 'Tag by tag, the oldest versions first; migrate_tag_values brings them up to date.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/items/outdated',
  tool: 'get_outdated_item_tags',
  paged: true,
  input: Type.Object(
    {
      tag_id: Type.Optional(TagIdOrName),
      summary: Type.Optional(
        Type.Boolean({
          description:
            'Instead the values that do not fit: [{field, value, schema_version, count}], with tag_name where no tag is given',
          inTools: 'The values that do not fit, each with its count',
        }),
      ),
      limit: Type.Optional(Limit),
      after: Type.Optional(After),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(
    Type.Object(
      {
        schema_version: Type.Integer({ minimum: 1 }),
        item_id: Type.Optional(Ulid),
        name: Type.Optional(Type.String()),
        tag_id: Type.Optional(Ulid),
        tag_name: Type.Optional(Type.String()),
        current_version: Type.Optional(Type.Integer({ minimum: 2 })),
        field: Type.Optional(Type.String()),
        value: Type.Optional(Type.Unsafe<unknown>({ description: 'As it is stored' })),
        count: Type.Optional(Type.Integer({ minimum: 1, description: 'Items' })),
      },
      { description: 'With `summary` field, value, schema_version and count; else the item’s and its tag’s' },
    ),
  ),
  errors: ['NotFound'],
  example: { input: { tag_id: 'Task', limit: 20 } },
  async run(context, { tag_id, summary = false, limit, after }) {
    const { db } = context
    const tag = tag_id === undefined ? undefined : await findTag(db, tag_id)
    if (tag_id !== undefined && !tag) throw await missingTag(db, tag_id)
    if (summary) return summaryOf(context, tag, limit, after)
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

async function summaryOf(
  context: SqlContext,
  only: StoredTag | undefined,
  limit = Number.POSITIVE_INFINITY,
  after = '0',
): Promise<Reply> {
  const { db } = context
  if (!/^\d{1,15}$/.test(after)) throw noCursor()
  const catalog = tagCatalog(context)
  const values: object[] = []
  for (const tag of only ? [only] : await changedTags(db))
    for (const each of await outdatedValues(db, tag, catalog))
      values.push(only ? each : { ...each, tag_name: tag.name })
  const end = Number(after) + limit
  return Reply.of(values.slice(Number(after), end), end < values.length ? { next: String(end) } : undefined)
}

async function changedTags(db: Db): Promise<StoredTag[]> {
  const tags: StoredTag[] = []
  for (const name of await tagNames(db)) tags.push((await findTagByName(db, name))!)
  return tags.filter(({ schema_version }) => schema_version > 1)
}

const cursorOf = ({ tag, schema_version, item }: OutdatedPosition) => `${tag}.${schema_version}.${item}`

function readCursor(text: string): OutdatedPosition {
  const match = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(text)
  if (!match) throw noCursor()
  return { tag: Number(match[1]), schema_version: Number(match[2]), item: Number(match[3]) }
}

const noCursor = () =>
  badRequest('after: not a cursor of this list', { suggestion: 'Take X-Next-Cursor (next.after) as it came' })
