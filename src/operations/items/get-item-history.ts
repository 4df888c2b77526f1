import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { eventChanges } from '#src/domain/event-changes.ts'
import { detailsNow } from '#src/domain/past-rename.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { STREAM_PAGE } from '#src/operations/paging.ts'
import { After, HistoryEntry, ItemId, Limit } from '#src/operations/schemas.ts'
import { historyOfItem } from '#src/storage/changes/item-history.ts'
import { renamesOf } from '#src/storage/changes/past-renames.ts'
import { itemNotFound } from '#src/storage/items/items.ts'
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
  async run({ db }, { item_id, limit = STREAM_PAGE, after }) {
    const before = after === undefined ? undefined : parseUlid(after)
    if (before === null)
      throw badRequest('after: not a cursor of this list', {
        suggestion: 'Take X-Next-Cursor (next.after) as it came',
      })
    const id = parseUlid(item_id)
    const found = id === null ? [] : await historyOfItem(db, id, before, limit + 1)
    if (!found.length && before === undefined) throw itemNotFound(item_id)
    const page = found.slice(0, limit)
    const renames = await renamesOf(db, [...new Set(page.flatMap(({ event }) => event.tag_id ?? []))])
    const later = ({ tag_id, event_id }: PastEvent) =>
      renames.flatMap((each) => (each.tag_id === tag_id && each.event_id > event_id ? each.renames : []))
    const names = new Map<string, string>()
    for (const { event } of page)
      if (event.tag_id !== null && !names.has(event.tag_id)) {
        const tag = await findTagById(db, event.tag_id)
        if (tag) names.set(event.tag_id, tag.name)
      }
    const told = page.map((each) => {
      const { user_id, user_name, source, client } = each
      // Under the names that fields and variants have now (additions §8).
      const event = { ...each.event, details: detailsNow(each.event.details, later(each.event)) }
      const { change_id, event_id, event_type, created_at } = event
      const head = { change_id, event_id, event_type, created_at, user_id, user_name, source }
      const changes = eventChanges(event, (tag_id) => names.get(tag_id))
      return `${JSON.stringify(head).slice(0, -1)},"client":${client ?? 'null'},"changes":${JSON.stringify(changes)}${event.redacted ? ',"redacted":true' : ''}}`
    })
    const next = found.length > limit ? { next: page.at(-1)!.event.event_id } : undefined
    return new Reply(`[${told.join()}]`, next)
  },
})
