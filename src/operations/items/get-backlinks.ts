import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { Count } from '#src/operations/paging.ts'
import { After, ItemId, Limit, Ulid } from '#src/operations/schemas.ts'
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
  description: 'Oldest first; an item that refers to it by two fields stands there twice.',
  access: 'user',
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
    let { links: all, next } = await backlinks(db, item.id, start, limit ?? CHUNK)
    while (limit === undefined && next) {
      const more = await backlinks(db, item.id, next, CHUNK)
      all = [...all, ...more.links]
      next = more.next
    }
    return Reply.of(all, {
      ...(next && { next: `${next.item}.${next.field}` }),
      ...(count && { total: await countBacklinks(db, item.id) }),
    })
  },
})

function readCursor(text: string): BacklinkPosition {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(text)
  if (!match)
    throw badRequest('after: not a cursor of this list', { suggestion: 'Take X-Next-Cursor as it came' })
  return { item: Number(match[1]), field: Number(match[2]) }
}
