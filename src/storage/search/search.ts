import type { ReplyMeta } from '#src/domain/reply.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { JsonText } from '#src/json/join.ts'
import type { Db } from '#src/sql/query.ts'
import { listedItems, type WantedOfItems } from '#src/storage/items/listed-items.ts'
import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import { idsInOrder, idsOf } from '#src/storage/search/candidates.ts'
import { idsOfMask } from '#src/storage/search/column-matches.ts'
import { noteFirstRows } from '#src/storage/search/first-rows.ts'
import { countMatching } from '#src/storage/search/matching-items.ts'
import { OrderedWalk } from '#src/storage/search/ordered-walk.ts'
import { type RankedBy, RankedSearch } from '#src/storage/search/ranked-search.ts'
import { idsByRank } from '#src/storage/search/rank-walk.ts'
import { isImplied, type Tier, tierPlan } from '#src/storage/search/relevance.ts'
import { remembered } from '#src/storage/search/search-counts.ts'
import { cursorAfter, cursorById, placeOfCursor } from '#src/storage/search/search-cursor.ts'
import type { SearchOrder } from '#src/storage/search/search-order.ts'
import { idsSorted } from '#src/storage/search/sort-sql.ts'
import { withinSight } from '#src/storage/sight/sight.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { chooseStrategy, type PageSearch, type Strategy } from '#src/storage/search/strategy.ts'
import { knowingOfWaiting } from '#src/storage/large/waiting-texts.ts'
import {
  settleUnfolded,
  unfoldedWarning,
  unfoldedWordsWarning,
} from '#src/storage/text-folding/search-unfolded.ts'

export interface ItemSearch extends WantedOfItems {
  plan: FilterPlan
  order: SearchOrder
  limit: number
  /** The cursor of the page before. */
  after: string | undefined
  /** How many of its items come before the page. */
  skip?: number
  /** Whether all matches are counted too. */
  count: boolean
  /** Called with the row ids of the page before they are listed. */
  listing?: (ids: readonly number[]) => Promise<void>
  /** By what scores go, where the plan does not say. */
  by?: RankedBy
}

/**
 * One page of live items that satisfy a plan, as a JSON array in the list form, and what is sent along with it. The stages: regular
 * expressions that the database cannot run are evaluated, a strategy is chosen, it gives row ids, these are read.
 */
export async function findItems(db: Db, search: ItemSearch): Promise<{ json: JsonText; meta: ReplyMeta }> {
  const { order, limit, after, skip = 0, count, expand, selection, page_text, snippets } = search
  const given = withinSight(db, search.plan)
  if (order.by_score !== undefined && limit > 0) return findRanked(db, { ...search, plan: given })
  // A page does not wait for what an upgrade has left to do; what changes items does.
  const warning = await unfoldedWarning(db, given)
  const as_folded = warning !== undefined
  const plan = await settlePlan(db, given, { as_folded })
  const warnings = [warning, await unfoldedWordsWarning(db, given)].filter((each) => each !== undefined)
  const meta: ReplyMeta = warnings.length ? { warnings } : {}
  if (limit === 0) return { json: '[]', meta: { ...meta, total: await countMatching(db, plan) } }
  const position = after === undefined ? undefined : await placeOfCursor(db, order, after)
  // One more than is wanted says whether a page follows.
  const ids = (await pageOfIds(db, { plan, order, position, limit: skip + limit + 1, as_folded })).slice(skip)
  const wanted = ids.slice(0, limit)
  await search.listing?.(wanted)
  const { json, taken, last } = await listedItems(db, wanted, { expand, selection, page_text, snippets })
  if (taken < ids.length)
    meta.next =
      last !== undefined && !order.keys.length
        ? cursorById(last)
        : await cursorAfter(db, order, wanted.slice(0, taken), after)
  if (count) meta.total = await countMatching(db, plan)
  return { json, meta }
}

/** The same where scores make the order. */
async function findRanked(
  db: Db,
  { plan, order, limit, after, skip = 0, count, listing, by, ...wanted }: ItemSearch,
): Promise<{ json: JsonText; meta: ReplyMeta }> {
  const most = count ? undefined : skip + limit + 1
  const ranked = await RankedSearch.of(db, { plan, order, after, wanted: most, by })
  const ids = (await ranked.page(skip + limit + 1)).slice(skip)
  await listing?.(ids.slice(0, limit))
  const { json, taken } = await listedItems(db, ids.slice(0, limit), wanted)
  const meta: ReplyMeta = {}
  if (ranked.warning) meta.warnings = [ranked.warning]
  if (taken < ids.length) meta.next = await ranked.cursorAfter(skip + taken)
  if (count) meta.total = await ranked.count()
  return { json, meta }
}

const NO_FIRST_ROWS = { firstRows: false }
/** What may be chosen, one after the other where the one before did not lead there. */
const TRIES = [{}, NO_FIRST_ROWS, { ...NO_FIRST_ROWS, moreRows: false }, { ...NO_FIRST_ROWS, columns: false }]

/** Row ids of live items that satisfy a plan, in order: one page. */
export async function pageOfIds(db: Db, search: PageSearch): Promise<number[]> {
  for (const allowed of TRIES) {
    const ids = await idsBy(db, await chooseStrategy(db, search, allowed), search)
    if (ids) return ids
  }
  return []
}

/** Undefined where the strategy did not lead there: the first rows did not fill the page, columns have moved on. */
async function idsBy(db: Db, strategy: Strategy, search: PageSearch): Promise<number[] | undefined> {
  const { order, position, limit } = search
  const span = { after: position?.item, descending: false, limit }
  switch (strategy.kind) {
    case 'nothing':
      return []
    case 'tiers':
      return idsByTier(db, strategy.tiers, search)
    case 'first_rows': {
      const ids = await idsOf(db, idsInOrder(strategy.candidates, span, db.dialect))
      noteFirstRows(db, strategy.shape, ids.length >= limit)
      if (ids.length >= limit) return ids
      await remembered(db, strategy.key, 0, async () => ids.length)
      return undefined
    }
    case 'row_order':
      return idsOf(db, idsInOrder(strategy.candidates, span, db.dialect))
    case 'columns': {
      const mask = strategy.matches()
      return mask && idsOfMask(mask, position?.item, limit)
    }
    case 'sort':
      return idsOf(db, idsSorted(strategy.candidates, order, { position, limit }, db.dialect))
    case 'rank_walk':
      return idsByRank(db, strategy.candidates, position, limit)
    case 'order_index':
      return new OrderedWalk(db, strategy.candidates, order, limit).page(order.keys, position)
  }
}

/** One tier after the other, so that no more are put in order than the page needs. */
async function idsByTier(
  db: Db,
  tiers: readonly Tier[],
  { plan, order, position, limit, as_folded = false }: PageSearch,
): Promise<number[]> {
  const within: SearchOrder = { ...order, relevance: undefined }
  const [first = 1, ...values] = position?.values ?? []
  const ids: number[] = []
  for (const tier of tiers) {
    if (tier < Number(first)) continue
    const narrower = tierPlan(order.relevance!, tier)
    if (!narrower) continue
    const ofTier = conjunctsOf(narrower)
    const children = [...conjunctsOf(plan).filter((each) => !isImplied(each, ofTier)), ...ofTier]
    const place = position && tier === first ? { item: position.item, values } : undefined
    const all = children.length > 1 ? ({ kind: 'and', children } as const) : (children[0] ?? plan)
    const part = await knowingOfWaiting(db, as_folded ? all : await settleUnfolded(db, all))
    const wanted = limit - ids.length
    ids.push(...(await pageOfIds(db, { plan: part, order: within, position: place, limit: wanted })))
    if (ids.length >= limit) break
  }
  return ids
}
