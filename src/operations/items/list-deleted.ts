import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply, type ReplyMeta } from '#src/domain/reply.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import { deletedPage } from '#src/operations/items/deleted-page.ts'
import { deletedInput, readDeletedQuery, type DeletedSearch } from '#src/operations/items/deleted-query.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { checkPage } from '#src/operations/paging.ts'
import { DeletedTag, FoundDeletedItem } from '#src/operations/schemas/answers.ts'
import { tagJson } from '#src/operations/tags/tag-answer.ts'
import type { Db } from '#src/sql/query.ts'
import { deletedTagsAfter, type StoredTag } from '#src/storage/tags/tags.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
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
    const { page_text = MAX_PAGE_TEXT } = context
    const { limit = Infinity, count = false, search, filter, tag_id } = input
    const from = after === undefined ? ({ list: 'items', after } as const) : readCursor(after)
    const place = from.list === 'items' && from.after !== undefined ? { after: from.after } : {}
    const query = await readDeletedQuery(context, { ...input, ...place })
    const hasTags = filter === undefined && tag_id === undefined
    const wanted = { limit: from.list === 'items' ? limit : 0, count }
    const { texts, meta } = await deletedPage(context, query, wanted)
    const end: ReplyMeta = { ...meta }
    const itemsFollow = meta.next !== undefined
    if (itemsFollow) end.next = `items.${meta.next}`
    const tags =
      hasTags && (count || !itemsFollow)
        ? await pageOfTags(context.db, query, search, {
            after: from.list === 'tags' ? from.after : undefined,
            limit: itemsFollow ? 0 : limit - texts.length,
            max: page_text - texts.reduce((size, text) => size + text.length, 0),
            count,
          })
        : NO_TAGS
    if (count) end.total = meta.total! + tags.total
    if (!itemsFollow && limit && tags.more) end.next = `tags.${tags.last ?? ''}`
    return new Reply(`{"items":[${texts.join()}],"tags":[${tags.texts.join()}]}`, end)
  },
})

const NO_TAGS = { texts: [], last: undefined, more: false, total: 0 }
/** Deleted tags that are read at once: each may be long. */
const PIECE = 16

interface WantedTags {
  after: string | undefined
  limit: number
  /** Characters after which the page ends. */
  max: number
  count: boolean
}

/** Oldest first; `total` is of all that match where they are to be counted. */
async function pageOfTags(
  db: Db,
  query: DeletedSearch,
  search: string | undefined,
  { after = '', limit, max, count }: WantedTags,
) {
  const page = { texts: [] as string[], last: undefined as string | undefined, more: false, total: 0 }
  let left = max
  for (let from = count ? '' : after, isLast = false; !isLast;) {
    const piece = await deletedTagsAfter(db, from, PIECE)
    const isFound = await finder(db, piece, query, search)
    for (const tag of piece) {
      if (page.more && !count) break
      if (!isFound(tag)) continue
      page.total++
      if (tag.tag_id <= after) continue
      if (page.more || page.texts.length >= limit || left <= 0) page.more = true
      else {
        const text = tagJson(tag)
        left -= text.length
        page.texts.push(text)
        page.last = tag.tag_id
      }
    }
    isLast = piece.length < PIECE || (page.more && !count)
    from = piece.at(-1)?.tag_id ?? from
  }
  return page
}

/** Says which of some tags are looked for; texts are folded one by one. */
async function finder(db: Db, piece: readonly StoredTag[], { wanted }: DeletedSearch, search = '') {
  const text = foldForSearch(search)
  const { deleted_after = '', deleted_before, deleted_by, change_id } = wanted
  const ids = piece.map(({ tag_id }) => tag_id)
  const isAny = deleted_by === undefined && change_id === undefined
  const deletions = isAny ? undefined : await tagDeletionsOf(db, ids)
  const holds = (place: string | null) => !text || foldForSearch(place ?? '').includes(text)
  return ({ tag_id, name, description, deleted_at }: StoredTag) =>
    deleted_at! > deleted_after &&
    (deleted_before === undefined || deleted_at! < deleted_before) &&
    (!deletions || isBy(deletions.get(tag_id), wanted)) &&
    (holds(name) || holds(description))
}

function readCursor(text: string): ListPlace {
  const [, list, after] = /^(items|tags)\.(.*)$/.exec(text) ?? []
  if (!list)
    throw badRequest('after: not a cursor of this list', { suggestion: 'Take next.after as it came' })
  return { list: list as ListPlace['list'], after }
}
