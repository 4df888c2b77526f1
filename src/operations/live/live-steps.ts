import { ServiceError } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { jsonUpTo, MAX_KEPT_FILTER } from '#src/domain/up-to.ts'
import { goesByTime } from '#src/filter/meaning/lasting-filter.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { bindSelection, type ItemSelection } from '#src/operations/items/item-selection.ts'
import { type LiveCursor, momentAt, momentId } from '#src/operations/live/live-cursor.ts'
import { readableView } from '#src/operations/views/own-view.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { listedTexts } from '#src/storage/items/listed-items.ts'
import { LookTime, TookTooLong } from '#src/storage/live/look-time.ts'
import type { CachedFilter } from '#src/storage/live/cached-plans.ts'
import { newestSeen } from '#src/storage/live/log-window.ts'
import { type Effect, type Followed, netEffects } from '#src/storage/live/net-effect.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findDeletedTag, findDeletedTagByName } from '#src/storage/tags/tags.ts'
import { limitOf } from '#src/storage/accounts/limits.ts'
import { limitedDb } from '#src/storage/sight/read-sight.ts'
import { withinSight } from '#src/storage/sight/sight.ts'
import { filterSeen, filterVersions, lastFilterChange } from '#src/storage/views/view-filters.ts'
import { findViews } from '#src/storage/views/views.ts'

/** Items that may have changed for a filter at once, or since its follower was there. */
const MOST_ITEMS = 10_000
/** Characters of items that are sent at once. */
const MOST_TEXT = 16_000_000

/** A filter as it was given, and with whom it is followed. */
export interface LiveRequest {
  filter?: Record<string, unknown> | undefined
  view_id?: string | undefined
  fields?: readonly string[] | undefined
  /** Where they were who come back. */
  from?: LiveCursor | undefined
}

export interface LiveStart {
  filter: CachedFilter
  /** Of a view whose filter was another one where they were. */
  seen?: CachedFilter
  /** Of a view: which change of its filter is the last. */
  version?: number
  view_id?: Ulid
  /** The newest event. */
  head: Ulid
  warnings: readonly string[]
}

/** A filter that was kept as it is, with ids in place of names. */
const keptFilter = (filter: unknown, text = JSON.stringify(filter)): CachedFilter => ({
  filter: text,
  timely: goesByTime(filter),
})

/**
 * What is followed, from now on.
 * @throws BadRequest, NotFound
 */
export const beginLive = defineStep({
  name: 'beginLive',
  effect: 'read',
  async run(context, { filter: given, view_id, fields, from }: LiveRequest): Promise<LiveStart> {
    const { db, caller } = context
    const limited = caller.limited ? caller.client! : undefined
    if (fields) await bindSelection(fields, tagCatalog(context))
    const head = await newestSeen(db)
    if (view_id !== undefined) {
      const view = await readableView(db, caller, view_id)
      const seen = from && (await filterSeen(db, view.view_id, from))
      return {
        filter: keptFilter(JSON.parse(view.filter)),
        ...(seen !== undefined && { seen: keptFilter(JSON.parse(seen)) }),
        version: (await filterVersions(db, [view.view_id])).get(view.view_id) ?? 0,
        view_id: view.view_id,
        head,
        warnings: [],
      }
    }
    const { filter, plan, warnings } = await readFilter(
      given,
      limited ? tagCatalog(context) : withDeletedTags(context),
    )
    withinSight(db, plan)
    const resolved = resolvedFilter(filter)
    const { timely, ...kept } = keptFilter(resolved, jsonUpTo(resolved, 'filter', MAX_KEPT_FILTER))
    const goes = timely || goesByTime(limited && (await limitOf(db, limited)))
    return { filter: { ...kept, timely: goes, limited }, head, warnings }
  },
})

/** One who comes back may name a tag that was deleted meanwhile: it may be restored. */
function withDeletedTags(context: SqlContext): TagCatalog {
  const { db } = context
  const living = tagCatalog(context)
  return {
    ...living,
    byId: async (tag_id) => (await living.byId(tag_id)) ?? (await findDeletedTag(db, tag_id))?.catalog,
    byName: async (name) => (await living.byName(name)) ?? (await findDeletedTagByName(db, name))?.catalog,
  }
}

interface LiveFilter extends Followed {
  fields?: readonly string[] | undefined
  /** Of a view: the last change of its filter that is known. */
  version?: number | undefined
  /** The newest event when the filter was read, until it has been looked at. */
  read_at?: Ulid | undefined
}

/** Filters that are followed from one event on. */
export interface LiveSpan {
  after: Ulid
  followed: LiveFilter[]
}

export interface LiveMessage {
  kind: Effect['kind']
  item_id: Ulid
  event_id: Ulid | null
  change_id: Ulid | null
  /** Of an item that is there: its place in `items`. */
  item?: number
  /** From where one can go on who has got this. */
  id?: string
}

export interface ToldOfFilter {
  messages: LiveMessage[] | { count: number }
  /** As it is followed from now on. */
  filter: string
}

export interface LiveAnswer {
  /** By which relative times went. */
  moment: number
  /** By span and filter; `head` is the newest event. */
  spans: { head: Ulid; told: (ToldOfFilter | null)[] }[]
  /** JSON texts. */
  items: string[]
  /** Which change of any view's filter was the last. */
  last_filter_change: number
}

/**
 * What has happened to filters, each since it was looked at last, by one look at the base. null: the base that was looked
 * at lags behind what is known of the filter, as a replica may, so that this cannot be said yet.
 */
export const lookAtFilters = defineStep({
  name: 'lookAtFilters',
  effect: 'read',
  late: true,
  async run(
    context,
    { spans, most = MOST_ITEMS }: { spans: LiveSpan[]; most?: number },
  ): Promise<LiveAnswer> {
    const { db } = context
    const now = new Date(momentAt(context.now.getTime()))
    const texts = new ItemTexts(context)
    const last_filter_change = await lastFilterChange(db)
    const answer: LiveAnswer = { moment: now.getTime(), spans: [], items: texts.all, last_filter_change }
    const newest = await newestSeen(db)
    for (const { after, followed } of spans) {
      const isKnown = ({ version = 0, read_at = after }: LiveFilter) =>
        version <= last_filter_change && newest >= after && newest >= read_at
      const known = followed.filter(isKnown)
      const { head, effects, filters } = await netEffects(db, { after, followed: known, now, most })
      const told = new Map<LiveFilter, ToldOfFilter>()
      for (const [i, each] of known.entries()) {
        const found = effects[i]!
        const messages = 'count' in found ? found : await messagesOf(found, each, { head, now, texts })
        told.set(each, { messages, filter: filters[i]! })
      }
      answer.spans.push({ head, told: followed.map((each) => told.get(each) ?? null) })
    }
    return answer
  },
})

async function messagesOf(
  effects: readonly Effect[],
  followed: LiveSpan['followed'][number],
  { head, now, texts }: { head: Ulid; now: Date; texts: ItemTexts },
): Promise<LiveMessage[] | { count: number }> {
  const there = effects.filter(({ kind }) => kind !== 'leave').map(({ item }) => item)
  const places = await texts.placesOf(there, followed)
  if (!places) return { count: effects.length }
  const byTime = effects.some(({ event }) => event === null)
  const moment = Math.max(now.getTime(), followed.moment)
  return effects.map(({ kind, item, item_id, event, whole }, i): LiveMessage => {
    const isLast = effects[i + 1]?.event !== event
    const id = event === null ? momentId({ event: head, moment, version: followed.version }) : event.event_id
    const goesOn = isLast && whole && (event === null || !byTime)
    const place = places.get(item)
    return {
      kind,
      item_id,
      event_id: event?.event_id ?? null,
      change_id: event?.change_id ?? null,
      ...(place !== undefined && kind !== 'leave' && { item: place }),
      ...(goesOn && { id }),
    }
  })
}

/** Items as they are reported, each once however many filters it is reported for. */
class ItemTexts {
  readonly all: string[] = []
  private readonly context: SqlContext
  private readonly places = new Map<string, Map<number, number>>()
  private size = 0
  private readonly time: LookTime

  constructor(context: SqlContext) {
    this.context = context
    this.time = new LookTime(context.db)
  }

  /** Undefined where they are too much, or what is seen of them takes too long to find out. */
  async placesOf(
    ids: readonly number[],
    { fields, limited }: LiveSpan['followed'][number],
  ): Promise<ReadonlyMap<number, number> | undefined> {
    if (!ids.length) return new Map() // what a limit shows is not looked up for nothing
    const { db, now, time_zone } = this.context
    const key = JSON.stringify([fields, limited?.kind, limited?.id])
    this.time.next()
    const seen = limited
      ? await this.time.search(() => limitedDb(db, limited, { now, time_zone })).catch(noneIfTooLong)
      : db
    if (!seen) return undefined
    const places = this.places.get(key) ?? new Map<number, number>()
    this.places.set(key, places)
    const selection = fields && (await selectionOf({ ...this.context, db: seen }, fields))
    const missing = ids.filter((id) => !places.has(id))
    for (let at = 0; at < missing.length; at += CHUNK) {
      if (this.size > MOST_TEXT) return undefined
      for (const [id, text] of await listedTexts(seen, missing.slice(at, at + CHUNK), selection)) {
        places.set(id, this.all.push(text) - 1)
        this.size += text.length
      }
    }
    return this.size > MOST_TEXT ? undefined : places
  }
}

function noneIfTooLong(error: unknown): undefined {
  if (!(error instanceof TookTooLong)) throw error
}

/** A field whose tag has been deleted since has no values. */
async function selectionOf(context: SqlContext, fields: readonly string[]): Promise<ItemSelection> {
  const catalog = tagCatalog(context)
  const names: string[] = []
  const paths = new Map<string, ItemSelection['paths'] extends ReadonlyMap<string, infer P> ? P : never>()
  for (const field of fields)
    try {
      const bound = await bindSelection([field], catalog)
      names.push(...bound.names)
      for (const [name, path] of bound.paths) paths.set(name, path)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  return { names, paths }
}
/** Items that are read at once. */
const CHUNK = 200

/** The filters of views that are followed, by those who follow them; null where they may not see one any more. */
export const findFollowedViews = defineStep({
  name: 'findFollowedViews',
  effect: 'read',
  async run({ db }, { views }: { views: { view_id: Ulid; user_id: Ulid }[] }): Promise<FollowedView[]> {
    const rows = await findViews(db, [...new Set(views.map(({ view_id }) => view_id))])
    const found = new Map(rows.map((row) => [row.view_id, row]))
    const versions = await filterVersions(db, [...found.keys()])
    const read_at = await newestSeen(db)
    return views.map(({ view_id, user_id }) => {
      const view = found.get(view_id)
      if (!view) return { end: 'deleted' }
      if (view.user_id !== user_id && !view.shared) return { end: 'not_shared' }
      return { ...keptFilter(JSON.parse(view.filter)), version: versions.get(view_id) ?? 0, read_at }
    })
  },
})

export type FollowedView =
  | (CachedFilter & { version: number; read_at: Ulid })
  | { end: 'deleted' | 'not_shared' }
