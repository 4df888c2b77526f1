import { conjunctsOf } from '#src/filter/meaning/conjuncts-of.ts'
import { type SqlBool, sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { fitsColumns } from '#src/storage/columns/plan-mask.ts'
import { type AccessPath, accessPathOf } from '#src/storage/search/access-paths.ts'
import type { Candidates, Condition } from '#src/storage/search/candidates.ts'
import { allItems, chooseCandidates } from '#src/storage/search/choose-candidates.ts'
import { type ColumnMatches, columnMatches } from '#src/storage/search/column-matches.ts'
import { targetsSource } from '#src/storage/search/filter-source.ts'
import { oftenFills, shapeKey } from '#src/storage/search/first-rows.ts'
import { type Tier, tiersOf } from '#src/storage/search/relevance.ts'
import { countItems, isRemembered, keyOf } from '#src/storage/search/search-counts.ts'
import type { CursorPlace } from '#src/storage/search/search-cursor.ts'
import { isByRank, type SearchOrder } from '#src/storage/search/search-order.ts'

/** One page of the items that satisfy a plan. */
export interface PageSearch {
  plan: FilterPlan
  order: SearchOrder
  /** Where the page begins; undefined at the beginning. */
  position: CursorPlace | undefined
  limit: number
}

/** How a page of a search is found. */
export type Strategy =
  /** No item can satisfy the plan. */
  | { readonly kind: 'nothing' }
  /** One page of each tier of relevance, best first, until the page is full; each tier is a search of its own. */
  | { readonly kind: 'tiers'; readonly tiers: readonly Tier[] }
  /** Look at the nearest rows alone: of what many items satisfy a page is full after a few. It may not become full. */
  | {
      readonly kind: 'first_rows'
      readonly candidates: Candidates
      /** By which it is remembered that they did not fill the page, and how they fill pages of such searches. */
      readonly key: string
      readonly shape: string
    }
  /** Go through the candidates in row order until the page is full. */
  | { readonly kind: 'row_order'; readonly candidates: Candidates }
  /** Indexes find many each, and what they have in common may be nothing: look at all items, over columns in memory. */
  | { readonly kind: 'columns'; readonly matches: ColumnMatches }
  /** The candidates are few: sort them whole. */
  | { readonly kind: 'sort'; readonly candidates: Candidates }
  /** Equals in relevance: walk the index that has all items in their order, probing those whose names may fit, until the page is full. */
  | { readonly kind: 'rank_walk'; readonly candidates: Candidates }
  /** Walk the index of the sort key, probing each entry, until the page is full. */
  | { readonly kind: 'order_index'; readonly candidates: Candidates }

/**
 * Chooses from the plan, the order and counts of the indexes (decision 20). `firstRows: false` and `moreRows: false` after they
 * did not fill the page, `columns: false` after another call has brought them further than this one sees.
 */
export async function chooseStrategy(
  db: Db,
  search: PageSearch,
  { firstRows = true, moreRows = true, columns = true } = {},
): Promise<Strategy> {
  const { plan, order, limit } = search
  if (plan.kind === 'never') return { kind: 'nothing' }
  if (order.relevance) return { kind: 'tiers', tiers: tiersOf(order.relevance, plan) }
  const inRowOrder = order.keys.length === 0
  const nearest = inRowOrder && firstRows ? firstRowsOf(db, search) : undefined
  if (nearest) return nearest
  const byRank = isByRank(order)
  const { candidates, few, mayBeSparse } = await chooseCandidates(db, {
    plan,
    limit,
    inRowOrder,
    passesBy: byRank,
  })
  if (inRowOrder) {
    const more = columns && moreRows && mayBeSparse ? await moreRowsOf(db, search) : undefined
    if (more) return more
    const matches = columns && mayBeSparse ? await columnMatches(db, plan) : undefined
    return matches ? { kind: 'columns', matches } : { kind: 'row_order', candidates }
  }
  if (few) return { kind: 'sort', candidates }
  return { kind: byRank ? 'rank_walk' : 'order_index', candidates }
}

/** Items that are looked at for one that is wanted before anything is counted. */
const LOOKED_AT = 10
/** The same of items that are referred to, each of which is probed by those who refer to it. */
const REFERRED_LOOKED_AT = 3

/** Columns look at this many items while a probe looks at one, through references at the most. */
const BY_COLUMNS = 60

/**
 * So many rows that they cost as much as columns would: where they fill the page they mostly do so long before the last,
 * and where they do not, the page has cost twice as much, once. Who is referred to is few: columns find them.
 */
async function moreRowsOf(db: Db, search: PageSearch): Promise<Strategy | undefined> {
  if (!fitsColumns(search.plan) || conjunctsOf(search.plan).some(({ kind }) => kind === 'referred'))
    return undefined
  const rows = Math.floor((await countItems(db)) / BY_COLUMNS)
  return rows > LOOKED_AT * search.limit ? firstRowsOf(db, search, rows) : undefined
}

/** Undefined where counting costs nothing, and where the page, or most pages of such searches, did not become full lately. */
function firstRowsOf(db: Db, { plan, position, limit }: PageSearch, more?: number): Strategy | undefined {
  const after = position?.item
  const nearest = nearestRows(plan, { after, limit, rows: more ?? LOOKED_AT * limit }, db.dialect)
  if (!nearest) return undefined
  const shape = shapeKey(plan, limit, more !== undefined)
  if (shape === undefined || !oftenFills(db, shape)) return undefined
  const key = keyOf(['first rows', limit, more !== undefined, plan])
  if (key === undefined || isRemembered(db, key)) return undefined
  return { kind: 'first_rows', candidates: nearest, key, shape }
}

interface Near {
  after: number | undefined
  limit: number
  /** How many items are looked at, where they are not those that are referred to. */
  rows: number
}

/**
 * This many of the items that the plan may find. Undefined where an index gives its items in row order anyway. A text
 * index does, but goes through all of its matches before the place where a page begins; so does who is referred to.
 */
function nearestRows(plan: FilterPlan, near: Near, dialect: Dialect): Candidates | undefined {
  const paths = conjunctsOf(plan).flatMap((part) => accessPathOf(part, dialect) ?? [])
  const isAtHand = ({ ordered, part }: AccessPath) =>
    ordered && (near.after === undefined || part.kind !== 'search') && part.kind !== 'referred'
  if (!paths.length || paths.some(isAtHand)) return undefined
  const referred = paths.map(({ part }) => part).find(({ kind }) => kind === 'referred')
  if (referred?.kind === 'referred') {
    const targets = targetsSource(referred.field, dialect.filter, {
      after: near.after,
      count: REFERRED_LOOKED_AT * near.limit,
    })
    return { sources: [targets], intersectWith: [], probe: plan, conditions: [] }
  }
  const end = (near.after ?? 0) + near.rows
  const isNear: Condition = (item) => sql<SqlBool>`${item} <= ${end}`
  return { ...allItems(plan, dialect), conditions: [isNear] }
}

/** A strategy in one line, for whoever asks how a search is carried out. */
export function strategyWords(strategy: Strategy): string {
  switch (strategy.kind) {
    case 'nothing':
      return 'nothing can match: no statement runs'
    case 'tiers':
      return `by relevance: tiers ${strategy.tiers.join(', ')}, one after the other until the page is full`
    case 'first_rows':
      return 'first rows: the nearest items are looked at; an index is chosen only where they do not fill the page'
    case 'row_order':
      return `in row order: ${candidatesWords(strategy.candidates)} until the page is full`
    case 'columns':
      return 'over columns in memory: all items are looked at, because indexes find many for each part'
    case 'sort':
      return `sorted whole: ${candidatesWords(strategy.candidates)}`
    case 'rank_walk':
      return 'by shorter names and newer changes, each item checked, until the page is full'
    case 'order_index':
      return 'by the index of the sort key, each entry checked, until the page is full'
  }
}

function candidatesWords({ sources, intersectWith }: Candidates): string {
  if (!sources) return 'all items, each checked,'
  if (intersectWith.length) return `the intersection of ${intersectWith.length + 1} indexes`
  return sources.length > 1 ? `the union of ${sources.length} ranges of an index` : 'one range of an index'
}
