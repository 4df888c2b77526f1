import { type Static, Type } from 'typebox'
import { deletedOnPaths } from '#src/domain/deleted-met.ts'
import { Reply } from '#src/domain/reply.ts'
import { Together } from '#src/domain/together.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { goesByTime } from '#src/filter/meaning/lasting-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import {
  type AskedBase,
  AsOf,
  planAt,
  planned,
  readFilterAt,
  withBaseAt,
} from '#src/operations/items/base-at.ts'
import { bindSelection } from '#src/operations/items/item-selection.ts'
import { momentId } from '#src/operations/live/live-cursor.ts'
import { checkPage, Expand, ItemFields, pageInput, Snippets, STREAM_PAGE } from '#src/operations/paging.ts'
import { ListedItem } from '#src/operations/schemas/answers.ts'
import { ItemFilter, TimeZone } from '#src/operations/schemas/inputs.ts'
import { NarrowingView } from '#src/operations/views/view-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { newestSeen } from '#src/storage/live/log-window.ts'
import { findPastItems } from '#src/storage/past/find-past-items.ts'
import { markedBy, snippetsOf } from '#src/storage/search/item-snippets.ts'
import { bindSort, RELEVANCE, usualOrder } from '#src/storage/search/search-order.ts'
import { findItems } from '#src/storage/search/search.ts'
import { correctionsIn, cursorWith } from '#src/storage/words/stands-for.ts'
import { filterChangeAt, filterVersions } from '#src/storage/views/view-filters.ts'

const input = Type.Object(
  {
    filter: Type.Optional(ItemFilter),
    view_id: Type.Optional(NarrowingView),
    as_of: AsOf,
    ...pageInput,
    time_zone: Type.Optional(TimeZone),
    expand: Type.Optional(Expand),
    fields: Type.Optional(ItemFields),
    snippets: Type.Optional(Snippets),
  },
  { additionalProperties: false },
)

export const searchItems = defineOperation({
  name: 'searchItems',
  summary: 'Find items by a filter; without one, all items.',
  description:
    'Oldest first unless `sort` is given. Conditions that can never match (an unknown variant, a field that the tag has not) find nothing and are named in the warnings.',
  tool_description: 'Warnings beside the answer name conditions that can never match.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'POST /api/items/search',
  tool: 'get_items',
  input,
  output: Type.Array(ListedItem),
  paged: true,
  errors: ['NotFound'],
  example: {
    input: {
      filter: { and: [{ has_tag: 'Task' }, { 'Task.due': { lt: '2026-02-01' } }] },
      sort: [{ by: 'Task.due' }],
      limit: 20,
    },
  },
  run: (context, { as_of, ...wanted }) =>
    withBaseAt(context, as_of, (asked) => search(asked, wanted), { parts: true }),
})

/** What is searched is what the stream of a view follows. */
const idOfView = (filter: unknown, view_id: string | undefined): Ulid | undefined =>
  filter === undefined && view_id !== undefined ? (parseUlid(view_id) ?? undefined) : undefined

type Wanted = Omit<Static<typeof input>, 'as_of'>

async function search(asked: AskedBase, wanted: Wanted): Promise<Reply> {
  const { filter, view_id, sort, expand, fields, snippets, ...page } = wanted
  const parts = new Together()
  await parts.read(() => checkPage(page))
  const { limit = STREAM_PAGE, skip = 0, count = false } = page
  const before = page.after === undefined ? undefined : correctionsIn(page.after)
  const after = before?.cursor
  const { context, catalog, past } = asked
  const { page_text } = context
  const db = past?.db ?? context.db
  const read = await parts.read(() => readFilterAt(asked, filter, view_id))
  // What a filter that is at fault looks for is not known.
  const isUnknown = parts.isFaulty && sort?.some(({ by }) => by === RELEVANCE)
  const order = await parts.read(() =>
    sort?.length && !isUnknown
      ? bindSort(sort, catalog, read?.filter)
      : usualOrder(read?.filter, context.caller),
  )
  const bound = fields && (await parts.read(() => bindSelection(fields, catalog)))
  parts.done()
  const said = [...asked.warnings, ...(read?.warnings ?? [])]
  // On its way together with the search: on PostgreSQL a statement of its own would cost the answer a round trip.
  const newest = asked.head === undefined ? newestSeen(context.db) : Promise.resolve(asked.head)
  newest.catch(() => {}) // thrown below, unless something else has failed before
  const { plan, corrections, warnings } = await planned(asked, read, before?.corrections)
  const met = new Set<string>()
  const selection = bound && { ...bound, met }
  const marked = snippets ? markedBy(plan) : undefined
  const snippetsOfItems = snippets ? (ids: readonly number[]) => snippetsOf(db, marked, ids) : undefined
  const page_wanted = { order: order!, limit, after, skip, count, expand, selection, page_text }
  const search = { plan: planAt(asked, plan), ...page_wanted, snippets: snippetsOfItems }
  const { json, meta } = past ? await findPastItems(context.db, past, search) : await findItems(db, search)
  const all = [...said, ...warnings, ...(meta.warnings ?? []), ...deletedOnPaths(met.size)]
  const event_id = await searchedAt(asked, await newest, read?.filter, idOfView(filter, view_id))
  const next = meta.next === undefined ? {} : { next: cursorWith(meta.next, corrections) }
  return new Reply(json, { ...meta, ...next, event_id, ...(all.length && { warnings: all }) })
}

/** From where a stream goes on after a search: the newest event, and where relative times count, also the moment. What a view
 * showed by a filter that no event has come after says which one; so does what it showed of the past, by today's filter. */
async function searchedAt(
  { context: { db }, head, moment }: AskedBase,
  event: Ulid,
  filter: BoundFilter | undefined,
  view_id: Ulid | undefined,
): Promise<string> {
  const changeSeen = async (view: Ulid) =>
    head === undefined ? filterChangeAt(db, view, event) : (await filterVersions(db, [view])).get(view)
  const version = view_id === undefined ? undefined : await changeSeen(view_id)
  const isMoment = version !== undefined || (filter && goesByTime(resolvedFilter(filter)))
  return isMoment ? momentId({ event, moment, version }) : event
}
