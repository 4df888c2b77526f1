import type { Ulid } from '#src/domain/ulid.ts'
import { renameInFilter } from '#src/filter/language/rename-in-filter.ts'
import { byEventId } from '#src/domain/past-event.ts'
import type { PastRename } from '#src/domain/past-rename.ts'
import type { Db } from '#src/sql/query.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import { renamesSince } from '#src/storage/changes/past-renames.ts'
import { replayedBefore, stateBefore, type StoredItem, storedItems } from '#src/storage/live/item-states.ts'
import { type CachedFilter, Plans } from '#src/storage/live/cached-plans.ts'
import { type LiveEvent, type LogWindow, readWindow } from '#src/storage/live/log-window.ts'
import {
  type BothPlans,
  type BothWorlds,
  type Causes,
  reachedItems,
  TooMany,
} from '#src/storage/live/reached-items.ts'
import { concernsLimit, countAsSeen, isSeenEvent } from '#src/storage/live/limited-effects.ts'
import { catalogThen, type TagsThen, tagsBefore, textFieldsThen } from '#src/storage/live/tags-before.ts'
import { LookTime, TookTooLong } from '#src/storage/live/look-time.ts'
import { planDifference } from '#src/storage/live/plan-difference.ts'
import { referringTo, World } from '#src/storage/live/world.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import type { Sight } from '#src/storage/sight/sight.ts'
import { textFields } from '#src/storage/tags/text-fields.ts'
import { findTagById } from '#src/storage/tags/tags.ts'
import { findRowIds } from '#src/storage/value-index/reference-targets.ts'

/** A filter that somebody follows. */
export interface Followed extends CachedFilter {
  /** What has taken its place since: also what differs between both is reported. */
  next?: CachedFilter | undefined
  time_zone: string
  /** The moment, in milliseconds, by which its relative times went before. */
  moment: number
}

/** What became of an item for a filter. */
export interface Effect {
  kind: 'enter' | 'change' | 'leave'
  /** Row id. */
  item: number
  item_id: Ulid
  /** The last event that did it; null: the time did. */
  event: LiveEvent | null
  /** Its own events, oldest first. */
  own: readonly LiveEvent[]
  /** Nothing that is reported later began before the event. */
  whole: boolean
}

/** For each filter what has happened to it, or how many items that would have to be looked at for it. */
export interface NetEffects {
  head: Ulid
  effects: (Effect[] | { count: number })[]
  /** The filters as they are followed from now on: names of fields and variants have followed. */
  filters: string[]
}

/** What is looked at: filters, from an event on. */
interface Look {
  after: Ulid
  followed: readonly Followed[]
  now: Date
  /** Items that are gone through. */
  most: number
}

/** What becomes of filters by all that has happened after an event, and by the time that has passed. */
export async function netEffects(db: Db, look: Look): Promise<NetEffects> {
  const found = await effectsOf(db, look)
  return { ...found, effects: await countAsSeen(db, found.effects, look.followed, look.now) }
}

async function effectsOf(db: Db, { after, followed, now, most }: Look): Promise<NetEffects> {
  const window = await readWindow(db, after, most)
  if ('count' in window) return allOver(window, followed, await renamesSince(db, after))
  const { head, ofItems, ofTags } = window
  const stays = !ofItems.size && !ofTags.length
  if (stays && followed.every(({ timely, next, moment }) => !next && (!timely || moment >= now.getTime())))
    return { head, effects: followed.map(() => []), filters: followed.map(({ filter }) => filter) }
  const plans = await Plans.of(db)
  const tags = await tagsBefore(db, ofTags)
  if (tags.lost) return allOver({ head, count: ofItems.size }, followed, tags.renames)
  const renamed = followed.map((each) => renamedFilter(each, tags.renames))
  const span = await Span.of(db, { window, plans, tags, now, most }, renamed)
  const effects: NetEffects['effects'] = []
  for (const [i, each] of renamed.entries()) {
    const told = isUnclear(followed[i]!, tags.renames) ? undefined : await span?.effects(each)
    effects.push(told ?? { count: ofItems.size })
  }
  plans.keep()
  return { head, effects, filters: renamed.map(({ filter, next }) => next?.filter ?? filter) }
}

const allOver = (
  { head, count }: { head: Ulid; count: number },
  followed: readonly Followed[],
  renames: readonly PastRename[],
): NetEffects => ({
  head,
  effects: followed.map(() => ({ count })),
  filters: followed.map((each) => each.next?.filter ?? renamedFilter(each, renames).filter),
})

function renamedFilter(followed: Followed, renames: readonly PastRename[]): Followed {
  if (!renames.length) return followed
  const given: unknown = JSON.parse(followed.filter)
  const renamed = renames.reduce((filter, each) => renameInFilter(filter, each.tag_id, each.renames), given)
  return renamed === given ? followed : { ...followed, filter: JSON.stringify(renamed) }
}

/**
 * Whether names that changed may mean something else to a filter than they did: a field that has left and whose name
 * another one has got, texts that variants are looked for by, the times of items, which a rename moves.
 */
function isUnclear({ filter }: Followed, renames: readonly PastRename[]): boolean {
  if (renames.length && filter.includes(UPDATED)) return true
  return renames.some(
    ({ tag_id, renames: { fields, variants } }) =>
      [...fields.values()].some((name) => filter.includes(`${tag_id}.${name}`)) ||
      (variants.size > 0 && (filter.includes(tag_id) || filter.includes('"values"'))),
  )
}

/** Items of tags that were changed: their values are the same, and were something else to the index. */
async function itemsOfTags(db: Db, { changed }: TagsThen, most: number): Promise<StoredItem[]> {
  const ids = new Set<number>()
  for (const { indexed } of changed.values())
    if (indexed && ids.size <= most)
      for (const id of await referringTo(db, HAS_TAG, [indexed.id], most + 1)) ids.add(id)
  return ids.size > most ? [] : [...(await storedItems(db, [...ids])).values()]
}

const UPDATED = 'updated_at'

/** Nobody goes back in time. */
const later = (now: Date, moment: number): Date => new Date(Math.max(now.getTime(), moment))

interface SpanParts {
  window: LogWindow
  plans: Plans
  tags: TagsThen
  now: Date
  most: number
}

/** All that is known of the time between an event and now, for one filter after the other. */
class Span {
  private readonly parts: SpanParts
  private readonly worlds: BothWorlds
  private readonly events: readonly LiveEvent[]
  /** Items with events of their own, by row id. */
  private readonly touched: ReadonlyMap<number, readonly LiveEvent[]>
  private readonly seeds: Causes
  private readonly time: LookTime

  private constructor(
    parts: SpanParts,
    worlds: BothWorlds,
    touched: ReadonlyMap<number, readonly LiveEvent[]>,
    time: LookTime,
  ) {
    const { ofItems, ofTags } = parts.window
    this.parts = parts
    this.worlds = worlds
    this.touched = touched
    this.time = time
    this.events = [...[...ofItems.values()].flat(), ...ofTags].toSorted(byEventId)
    const places = new Map(this.events.map((event, i) => [event, i]))
    this.seeds = new Map([...touched].map(([id, own]) => [id, places.get(own.at(-1)!)!]))
  }

  /** Undefined where the log does not tell what some item was. */
  static async of(db: Db, parts: SpanParts, followed: readonly Followed[]): Promise<Span | undefined> {
    const { window, tags, most } = parts
    const rowIds = await findRowIds(db, [...window.ofItems.keys()])
    const present = await storedItems(db, [...rowIds.values()])
    const touched = new Map<number, readonly LiveEvent[]>()
    const past = new Map<number, StoredItem | null>()
    const byUpdate = followed.some(({ filter }) => filter.includes(UPDATED))
    for (const [item_id, events] of window.ofItems) {
      const id = rowIds.get(item_id)
      if (id === undefined) continue
      const isReplayed = byUpdate || events.some(({ event_type }) => event_type === 'item_purged')
      const state = isReplayed
        ? await replayedBefore(db, { id, item_id, events }, tags.renames)
        : await stateBefore(db, present.get(id), events, tags.renames)
      if (state === 'lost') return undefined
      touched.set(id, events)
      past.set(id, state)
    }
    for (const each of await itemsOfTags(db, tags, most)) if (!past.has(each.id)) past.set(each.id, each)
    const fields = await textFields(db)
    const tagOf = (tag_id: Ulid) => findTagById(db, tag_id)
    const time = new LookTime(db)
    const before = new World(db, textFieldsThen(fields, tags.changed), {
      items: past,
      time,
      until: window.after,
      tagOf: async (tag_id) => {
        const changed = tags.changed.get(tag_id)
        return changed ? changed.indexed : tagOf(tag_id)
      },
    })
    const worlds = { db, before, now: new World(db, fields, { items: new Map(), time, tagOf }), most }
    return new Span(parts, worlds, touched, time)
  }

  async effects(followed: Followed): Promise<Effect[] | { count: number }> {
    this.time.next()
    try {
      const sight = await this.sightOf(followed)
      if (sight === 'changed') return { count: this.touched.size }
      const plans = await this.plansOf(followed)
      const causes = await this.candidates(followed, plans)
      return await this.told(plans, causes, sight)
    } catch (error) {
      if (error instanceof TooMany) return { count: this.worlds.most + 1 }
      if (error instanceof TookTooLong) return { count: this.touched.size }
      throw error
    }
  }

  /** Of a limited follower: `changed` where it may be another one since tags were changed. */
  private async sightOf({ limited, ...followed }: Followed): Promise<Sight | undefined | 'changed'> {
    if (!limited) return undefined
    const { plans, tags, now } = this.parts
    const { filter, time_zone, moment } = followed
    const sight = await plans.sight({ ...followed, limited }, { now: later(now, moment), time_zone })
    const { db } = this.worlds
    return (await concernsLimit(db, { filter, limited }, sight, tags)) ? 'changed' : sight
  }

  private async plansOf(followed: Followed): Promise<BothPlans> {
    const { plans, tags, now } = this.parts
    const { filter, next, time_zone, moment } = followed
    const present = await plans.plan(next ?? followed, { now: later(now, moment), time_zone })
    const time = { now: new Date(moment), time_zone }
    if (!tags.changed.size || followed.limited)
      return { now: present, before: await plans.plan(followed, time) }
    const { db } = this.worlds
    const catalog = catalogThen(db, tagCatalog({ db, ...time }), tags.changed)
    return { now: present, before: await plans.made(filter, catalog) }
  }

  /** Of which something may be different. */
  private async candidates(followed: Followed, plans: BothPlans): Promise<Causes> {
    const all: Causes = new Map(this.seeds)
    const add = (id: number, cause: number) => {
      all.set(id, Math.max(cause, all.get(id) ?? -1))
      if (all.size > this.worlds.most) throw new TooMany()
    }
    for (const id of await this.byTags(plans)) add(id, this.lastOfTags)
    for (const id of await this.byPlan(followed)) add(id, -1)
    const seeds = new Map(all)
    for (const [id, cause] of await reachedItems(this.worlds, plans, seeds)) add(id, cause)
    if (this.parts.tags.changed.size) {
      const past = { before: plans.before, now: plans.before }
      for (const [id, cause] of await reachedItems(this.worlds, past, seeds)) add(id, cause)
    }
    return all
  }

  /** The last change of a tag, whose place stands for all of them. */
  private get lastOfTags(): number {
    return this.events.findLastIndex(({ item_id }) => item_id === null)
  }

  /** Those of tags that were changed, and those of which another plan is true because of it. */
  private async byTags(plans: BothPlans): Promise<readonly number[]> {
    const { changed } = this.parts.tags
    const { db, before, now, most } = this.worlds
    const alike =
      JSON.stringify([plans.before, before.text_fields]) === JSON.stringify([plans.now, now.text_fields])
    if (!changed.size || alike) return []
    const differing = planDifference(plans.before, plans.now)
    const found = differing.kind === 'never' ? [] : await this.time.search(() => matchingItems(db, differing))
    for (const tag_id of changed.keys()) {
      const tag = await findTagById(db, tag_id) // where it is gone, an item lost it by an event of its own
      if (tag) found.push(...(await referringTo(db, HAS_TAG, [tag.id], most + 1)))
    }
    return found
  }

  /** Those of which the filter is true at one time and not at the other, or one of two filters. */
  private async byPlan(followed: Followed): Promise<number[]> {
    const { plans, now } = this.parts
    const { next, timely, time_zone, moment } = followed
    const passes = timely && moment < now.getTime()
    if (!passes && (!next || next.filter === followed.filter)) return []
    const before = await plans.plan(followed, { now: new Date(moment), time_zone })
    const differing = planDifference(
      before,
      await plans.plan(next ?? followed, { now: later(now, moment), time_zone }),
    )
    return differing.kind === 'never' ? [] : this.time.search(() => matchingItems(this.worlds.db, differing))
  }

  private async told(plans: BothPlans, causes: Causes, sight: Sight | undefined): Promise<Effect[]> {
    const { before, now } = this.worlds
    await before.load(causes.keys())
    await now.load(causes.keys())
    const told: (Omit<Effect, 'whole'> & { place: number })[] = []
    for (const [item, place] of causes) {
      const was = before.answer(plans.before, item) ?? (await before.holds(plans.before, item))
      const is = now.answer(plans.now, item) ?? (await now.holds(plans.now, item))
      const own = this.touched.get(item) ?? []
      if (was === is && !(is && own.length && isSeenEvent(sight, own))) continue
      const kind = is ? (was ? 'change' : 'enter') : 'leave'
      const { item_id } = (before.living(item) ?? now.living(item))!.item
      told.push({ kind, item, item_id, event: this.events[place] ?? null, own, place })
    }
    const rank = ({ place }: { place: number }) => (place < 0 ? Infinity : place)
    told.sort((a, b) => rank(a) - rank(b) || a.item - b.item)
    const isWhole = this.wholePlaces()
    return told.map(({ place, ...effect }) => ({ ...effect, whole: isWhole(place) }))
  }

  /** Whether all that began up to a place in the log is over there, so that one who comes back can go on from it. */
  private wholePlaces(): (place: number) => boolean {
    const first = new Map<number, number>()
    const places = new Map(this.events.map((event, i) => [event, i]))
    for (const [id, own] of this.touched) first.set(id, places.get(own[0]!)!)
    const spans = [...this.seeds].map(([id, last]) => [first.get(id)!, last] as const)
    return (place) => spans.every(([from, to]) => !(from <= place && place < to))
  }
}
