import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { eventChanges } from '#src/domain/event-changes.ts'
import type { EventDetails } from '#src/domain/past-event.ts'
import { detailsNow, renamesAfter } from '#src/domain/past-rename.ts'
import { Reply } from '#src/domain/reply.ts'
import { textsUpTo } from '#src/domain/up-to.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { STREAM_PAGE } from '#src/operations/paging.ts'
import { After, ItemId, Limit } from '#src/operations/schemas/inputs.ts'
import { HistoryEntry } from '#src/operations/schemas/answers.ts'
import type { Db } from '#src/sql/query.ts'
import { detailsOf } from '#src/storage/changes/event-details.ts'
import { type HistoryEvent, historyOfItem } from '#src/storage/changes/item-history.ts'
import { renamesOf } from '#src/storage/changes/past-renames.ts'
import { itemNotFound } from '#src/storage/items/items.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { findTagById } from '#src/storage/tags/tags.ts'

export const getItemHistory = defineOperation({
  name: 'getItemHistory',
  summary:
    'Read what became of an item, newest first, also of a deleted one: each change with old and new values.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/items/{item_id}/history',
  tool: 'get_item_history',
  paged: true,
  input: Type.Object(
    { item_id: ItemId, limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Array(HistoryEntry),
  errors: ['NotFound'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', limit: 20 } },
  async run({ db, page_text = MAX_PAGE_TEXT }, { item_id, limit = STREAM_PAGE, after }) {
    const before = after === undefined ? undefined : parseUlid(after)
    if (before === null)
      throw badRequest('after: not a cursor of this list', {
        suggestion: 'Take X-Next-Cursor (next.after) as it came',
      })
    const id = parseUlid(item_id)
    const found = id === null ? [] : await historyOfItem(db, id, before, limit + 1)
    if (!found.length && before === undefined) throw itemNotFound(item_id)
    const page = found.slice(0, limit)
    const toText = await historyWriter(db, page)
    const texts = await textsUpTo(page, page_text, async (event) => toText(event, await detailsOf(db, event)))
    const next = texts.length < found.length ? { next: page[texts.length - 1]!.event_id } : undefined
    return new Reply(`[${texts.join()}]`, next)
  },
})

/** What writes events as JSON texts: under the names that tags, fields and variants have now (additions §8). */
async function historyWriter(
  db: Db,
  events: readonly HistoryEvent[],
): Promise<(event: HistoryEvent, details: string) => string> {
  const tag_ids = new Set(events.flatMap(({ tag_id }) => tag_id ?? []))
  const names = new Map<Ulid, string>()
  for (const tag_id of tag_ids) {
    const tag = await findTagById(db, tag_id)
    if (tag) names.set(tag_id, tag.name)
  }
  const nameOf = (tag_id: Ulid) => names.get(tag_id)
  const renames = Map.groupBy(await renamesOf(db, [...tag_ids]), ({ tag_id }) => tag_id)
  return ({ event_id, event_type, tag_id, told, redacted }, text) => {
    const later = (tag_id !== null && renames.get(tag_id)) || []
    const details = detailsNow(JSON.parse(text) as EventDetails, renamesAfter(later, event_id))
    const changes = eventChanges({ event_type, tag_id, details, redacted }, nameOf)
    return `{${told},"changes":${JSON.stringify(changes)}${redacted ? ',"redacted":true' : ''}}`
  }
}
