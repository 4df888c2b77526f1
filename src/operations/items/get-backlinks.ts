import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Count } from '#src/operations/paging.ts'
import { After, ItemId, Limit } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import type { Db } from '#src/sql/query.ts'
import { liveItem } from '#src/storage/items/items.ts'
import {
  type Backlink,
  type BacklinkPosition,
  backlinks,
  countBacklinks,
} from '#src/storage/references/backlinks.ts'

/** Read at once where all are asked for. */
const CHUNK = 1000
const START: BacklinkPosition = { item: 0, field: 0 }

export const getBacklinks = defineOperation({
  name: 'getBacklinks',
  summary: 'List the items that refer to an item, and by which field.',
  description: 'Oldest first; an item that refers to it by two fields is there twice.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'GET /api/items/{item_id}/backlinks',
  tool: 'get_backlinks',
  paged: true,
  input: Type.Object(
    {
      item_id: ItemId,
      limit: Type.Optional(Limit),
      after: Type.Optional(After),
      count: Type.Optional(Count),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(
    Type.Object(
      {
        item_id: Ulid,
        name: Type.String(),
        tag_id: Ulid,
        tag_name: Type.String(),
        field: Type.String(),
      },
      { title: 'Backlink' },
    ),
  ),
  errors: ['NotFound'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', limit: 20 } },
  async run({ db }, { item_id, limit, after, count = false }) {
    const item = await liveItem(db, item_id)
    const start = after === undefined ? START : readCursor(after)
    const { links, next } =
      limit === undefined
        ? { links: await allFrom(db, item.id, start), next: undefined }
        : await backlinks(db, item.id, start, limit)
    return Reply.of(links, {
      ...(next && { next: `${next.item}.${next.field}` }),
      ...(count && { total: await countBacklinks(db, item.id) }),
    })
  },
})

async function allFrom(db: Db, item: number, start: BacklinkPosition): Promise<Backlink[]> {
  const all: Backlink[] = []
  for (let position: BacklinkPosition | undefined = start; position;) {
    const { links, next } = await backlinks(db, item, position, CHUNK)
    all.push(...links)
    position = next
  }
  return all
}

function readCursor(text: string): BacklinkPosition {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(text)
  if (!match)
    throw badRequest('after: not a cursor of this list', {
      suggestion: 'Take X-Next-Cursor (next.after) as it came',
    })
  return { item: Number(match[1]), field: Number(match[2]) }
}
