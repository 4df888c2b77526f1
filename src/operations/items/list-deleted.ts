import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply, type ReplyMeta } from '#src/domain/reply.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import { deletedPage } from '#src/operations/items/deleted-page.ts'
import { deletedInput, readDeletedQuery, type DeletedSearch } from '#src/operations/items/deleted-query.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { checkPage } from '#src/operations/paging.ts'
import { DeletedTag, FoundDeletedItem } from '#src/operations/schemas/answers.ts'
import { tagJson } from '#src/operations/tags/tag-reply.ts'
import type { Db } from '#src/sql/query.ts'
import { deletedTags } from '#src/storage/tags/tags.ts'
import { isBy, tagDeletionsOf } from '#src/storage/trash/deleted-rows.ts'

/** The items come first, then the tags; a page holds this many of both together. */
interface ListPlace {
  list: 'items' | 'tags'
  /** Where the page before ended in that list; undefined at its start. */
  after: string | undefined
}

export const listDeleted = defineOperation({
  name: 'listDeleted',
  summary: 'List deleted items, newest deletion first, then deleted tags.',
  description: 'Tags come where neither `filter` nor `tag_id` is given.',
  access: 'user',
  effect: 'read',
  tool: 'list_deleted_items',
  paged: true,
  input: Type.Object(deletedInput, { additionalProperties: false }),
  output: Type.Object({ items: Type.Array(FoundDeletedItem), tags: Type.Array(DeletedTag) }),
  errors: ['NotFound'],
  example: { input: { limit: 20, fields: ['item_id', 'tag_id', 'name', 'deleted_at'] } },
  async run(context, { after, ...input }) {
    checkPage({ ...input, ...(after !== undefined && { after }) })
    const { limit = Infinity, count = false, search, filter, tag_id } = input
    const from = after === undefined ? ({ list: 'items', after } as const) : readCursor(after)
    const place = from.list === 'items' && from.after !== undefined ? { after: from.after } : {}
    const query = await readDeletedQuery(context, { ...input, ...place })
    const hasTags = filter === undefined && tag_id === undefined
    const tags = hasTags ? await matchingTags(context.db, query, search) : []
    const wanted = { limit: from.list === 'items' ? limit : 0, count }
    const { texts, meta } = await deletedPage(context, query, wanted)
    if (count) meta.total = meta.total! + tags.length
    const page: string[] = []
    const end: ReplyMeta = { ...meta }
    if (meta.next !== undefined) end.next = `items.${meta.next}`
    else if (limit) {
      const left = tags.filter(({ tag_id: id }) => from.list === 'items' || id > (from.after ?? ''))
      const some = left.slice(0, limit - texts.length)
      page.push(...some.map(tagJson))
      if (some.length < left.length) end.next = `tags.${some.at(-1)?.tag_id ?? ''}`
    }
    return new Reply(`{"items":[${texts.join()}],"tags":[${page.join()}]}`, end)
  },
})

/** Oldest first; they are few. */
async function matchingTags(db: Db, { wanted }: DeletedSearch, search = '') {
  const text = foldForSearch(search)
  const { deleted_after = '', deleted_before, deleted_by, change_id } = wanted
  const tags = (await deletedTags(db)).filter(
    ({ name, description, deleted_at }) =>
      deleted_at! > deleted_after &&
      (deleted_before === undefined || deleted_at! < deleted_before) &&
      (foldForSearch(name).includes(text) || foldForSearch(description ?? '').includes(text)),
  )
  if (deleted_by === undefined && change_id === undefined) return tags
  const ids = tags.map(({ tag_id }) => tag_id)
  const deletions = await tagDeletionsOf(db, ids)
  return tags.filter(({ tag_id }) => isBy(deletions.get(tag_id), wanted))
}

function readCursor(text: string): ListPlace {
  const [, list, after] = /^(items|tags)\.(.*)$/.exec(text) ?? []
  if (!list)
    throw badRequest('after: not a cursor of this list', { suggestion: 'Take next.after as it came' })
  return { list: list as ListPlace['list'], after }
}
