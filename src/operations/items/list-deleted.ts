import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { After, DeletedItem, DeletedTag, Limit } from '#src/operations/schemas.ts'
import { tagJson } from '#src/operations/tags/tag-reply.ts'
import type { Db } from '#src/sql/query.ts'
import { deletedItemsPage } from '#src/storage/items/item-json.ts'
import { deletedTags } from '#src/storage/tags/tags.ts'

/** The items come first, then the tags; a page holds so many of both together. */
interface Position {
  list: 'items' | 'tags'
  /** The id of the last one of the page before; empty at the start. */
  after: string
}

export const listDeleted = defineOperation({
  name: 'listDeleted',
  summary: 'List the deleted items and tags, oldest first; restore_item brings one back.',
  access: 'user',
  effect: 'read',
  tool: 'list_deleted_items',
  paged: true,
  input: Type.Object(
    { limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Object({ items: Type.Array(DeletedItem), tags: Type.Array(DeletedTag) }),
  example: { input: { limit: 20, fields: ['item_id', 'tag_id', 'name', 'deleted_at'] } },
  async run({ db }, { limit = Infinity, after }) {
    let position: Position | null = after === undefined ? { list: 'items', after: '' } : readCursor(after)
    const items: string[] = []
    while (position?.list === 'items' && items.length < limit) {
      const page = await deletedItemsPage(db, position.after, limit - items.length)
      items.push(...page.texts)
      position = page.next === null ? { list: 'tags', after: '' } : { list: 'items', after: page.next }
      if (limit !== Infinity) break
    }
    const tags: string[] = []
    if (position.list === 'tags') position = await tagsAfter(db, position.after, limit - items.length, tags)
    const json = `{"items":[${items.join()}],"tags":[${tags.join()}]}`
    return new Reply(json, position ? { next: `${position.list}.${position.after}` } : undefined)
  },
})

/** Where to go on; null at the end. */
async function tagsAfter(db: Db, after: string, limit: number, into: string[]): Promise<Position | null> {
  const left = (await deletedTags(db)).filter(({ tag_id }) => tag_id > after)
  const page = left.slice(0, limit)
  into.push(...page.map(tagJson))
  return page.length < left.length ? { list: 'tags', after: page.at(-1)?.tag_id ?? '' } : null
}

function readCursor(text: string): Position {
  const [, list, id] = /^(items|tags)\.(.*)$/.exec(text) ?? []
  const after = id === '' ? '' : parseUlid(id ?? '')
  if (!list || after === null)
    throw badRequest('after: not a cursor of this list', { suggestion: 'Take next.after as it came' })
  return { list: list as Position['list'], after }
}
