import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import { deletedPage } from '#src/operations/items/deleted-page.ts'
import { deletedInput, readDeletedQuery, type DeletedSearch } from '#src/operations/items/deleted-query.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { checkPage } from '#src/operations/paging.ts'
import { DeletedTag, FoundDeletedItem } from '#src/operations/schemas/answers.ts'
import { tagJson } from '#src/operations/tags/tag-answer.ts'
import type { Db } from '#src/sql/query.ts'
import { deletedTagsBefore, type StoredTag, type TagDeletion } from '#src/storage/tags/tags.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { isBy, tagDeletionsOf } from '#src/storage/trash/deleted-rows.ts'

/** Where the page before ended in each of the two lists; undefined: at its start. */
interface ListPlace {
  items: string | undefined
  tags: string | undefined
}
/** The place in a list of which nothing follows. */
const END = 'end'

export const listDeleted = defineOperation({
  name: 'listDeleted',
  summary: 'List deleted items and deleted tags, both newest deletion first.',
  description: 'Tags come, from the first page on, where neither `filter` nor `tag_id` is given.',
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
    const { db, page_text = MAX_PAGE_TEXT } = context
    const { limit = Infinity, count = false, search, filter, tag_id } = input
    const place = after === undefined ? { items: undefined, tags: undefined } : readCursor(after)
    const hasItems = place.items !== END
    const from = hasItems && place.items !== undefined ? { after: place.items } : {}
    const query = await readDeletedQuery(context, { ...input, ...from })
    const tagsOf = (wanted: WantedTags) =>
      filter === undefined && tag_id === undefined ? pageOfTags(db, query, search, wanted) : NO_TAGS
    const whole = { after: place.tags, limit, max: page_text, count }
    const half = { ...whole, limit: Math.floor(limit / 2), max: page_text / 2 }
    let tags = await tagsOf(hasItems ? half : whole)
    const room = { limit: hasItems ? limit - tags.texts.length : 0, count }
    const items = await deletedPage(
      { db, page_text: Math.max(1, page_text - sizeOf(tags.texts)) },
      query,
      room,
    )
    const left = limit - items.texts.length
    if (hasItems && items.meta.next === undefined && tags.more && tags.texts.length < left)
      tags = await tagsOf({ ...whole, limit: left, max: page_text - sizeOf(items.texts) })
    const meta = { ...items.meta, ...(count && { total: items.meta.total! + tags.total }) }
    const next = limit && nextPlace(items.meta.next, tags, place)
    return new Reply(`{"items":[${items.texts.join()}],"tags":[${tags.texts.join()}]}`, {
      ...meta,
      ...(next && { next }),
    })
  },
})

interface PageOfTags {
  texts: string[]
  /** The place of the last. */
  last: string | undefined
  more: boolean
  total: number
}

const NO_TAGS: PageOfTags = { texts: [], last: undefined, more: false, total: 0 }
/** Deleted tags that are read at once: each may be long. */
const PIECE = 16

const sizeOf = (texts: readonly string[]): number => texts.reduce((size, text) => size + text.length, 0)

interface WantedTags {
  after: string | undefined
  limit: number
  /** Characters after which the page ends. */
  max: number
  count: boolean
}

/** `total` is of all that match where they are to be counted. */
async function pageOfTags(
  db: Db,
  query: DeletedSearch,
  search: string | undefined,
  { after, limit, max, count }: WantedTags,
): Promise<PageOfTags> {
  const page: PageOfTags = { ...NO_TAGS, texts: [] }
  const start = placeOf(after)
  let left = max
  for (let from = count ? FIRST : start, isLast = false; !isLast;) {
    const piece = await deletedTagsBefore(db, from, PIECE)
    const isFound = await finder(db, piece, query, search)
    for (const tag of piece) {
      if (page.more && !count) break
      if (!isFound(tag)) continue
      page.total++
      if (placeText(tag) >= placeText(start)) continue
      if (page.more || page.texts.length >= limit || left <= 0) page.more = true
      else {
        const text = tagJson(tag)
        left -= text.length
        page.texts.push(text)
        page.last = placeText(tag)
      }
    }
    isLast = piece.length < PIECE || (page.more && !count)
    from = placeOf(placeText(piece.at(-1) ?? LAST))
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

/** Before all tags, and behind them. */
const FIRST: TagDeletion = { deleted_at: '~', tag_id: '' }
const LAST: TagDeletion = { deleted_at: '', tag_id: '' }

/** Compares as the order goes: a moment has the same length as any other. */
const placeText = ({ deleted_at, tag_id }: Pick<StoredTag, 'deleted_at' | 'tag_id'>): string =>
  `${deleted_at}.${tag_id}`

function placeOf(text: string | undefined): TagDeletion {
  if (text === undefined) return FIRST
  if (text === END) return LAST
  const at = text.lastIndexOf('.')
  return { deleted_at: text.slice(0, at), tag_id: text.slice(at + 1) }
}

/** The cursor of the following page; undefined where both lists are at their end. */
function nextPlace(items: string | undefined, tags: PageOfTags, before: ListPlace): string | undefined {
  if (items === undefined && !tags.more) return undefined
  return `${items ?? END}/${tags.more ? (tags.last ?? before.tags ?? '') : END}`
}

function readCursor(text: string): ListPlace {
  const [, items, tags] = /^([^/]*)\/(|end|\d{4}-[\d:.T-]+Z\.\w+)$/.exec(text) ?? []
  if (items === undefined || tags === undefined)
    throw badRequest('after: not a cursor of this list', { suggestion: 'Take next.after as it came' })
  return { items, tags: tags || undefined }
}
