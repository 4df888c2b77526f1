import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import {
  type AccessPath,
  accessPathOf,
  accessPathsOver,
  MAX_MERGED,
} from '#src/storage/search/access-paths.ts'
import { allIds, allItems, type Candidates, fromIndexes } from '#src/storage/search/candidates.ts'
import { type ColumnMatches, columnMatches } from '#src/storage/search/column-matches.ts'
import { type FirstRows, firstRowsOf, moreRowsOf } from '#src/storage/search/first-rows.ts'
import { type Tier, tiersOf } from '#src/storage/search/relevance.ts'
import { countItems, countOf, countRows, keyOf, remembered } from '#src/storage/search/search-counts.ts'
import type { CursorPlace } from '#src/storage/search/search-cursor.ts'
import { isByRank, type SearchOrder } from '#src/storage/search/search-order.ts'

/** One page of the items that satisfy a plan. */
export interface PageSearch {
  plan: FilterPlan
  order: SearchOrder
  /** Where the page begins; undefined at the beginning. */
  position: CursorPlace | undefined
  limit: number
  /** Texts that an upgrade has still to fold are searched as they are. */
  as_folded?: boolean
}

/** How a page of a search is found. */
export type Strategy =
  /** No item can satisfy the plan. */
  | { readonly kind: 'nothing' }
  /** One page of each tier of relevance, best first, until the page is full; each tier is a search of its own. */
  | { readonly kind: 'tiers'; readonly tiers: readonly Tier[] }
  /** Look at the nearest rows alone. */
  | FirstRows
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
  const nearest =
    inRowOrder && firstRows && !(await areFewTexts(db, plan)) ? firstRowsOf(db, search) : undefined
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

/** Fewer rows than these are always gone through whole. */
const FEW = 500
/** A list in order that is no longer than this needs no comparison with others. */
const SHORT = 300

/** How many items a walk passes by while another way goes through one, roughly, as to the cap: the root of it. */
const PASSED_BY = 4

interface Chosen {
  readonly candidates: Candidates
  /** They may be gone through whole for each page. */
  readonly few: boolean
  /** Many are looked at, and there may be hardly any that satisfy the plan: a page may take as long as all of it. */
  readonly mayBeSparse?: boolean
}

interface Wanted {
  plan: FilterPlan
  /** Ids that are wanted; undefined for all. */
  limit: number | undefined
  /** The order is that of row ids. */
  inRowOrder: boolean
  /** The walk looks at hardly any item closer. */
  passesBy?: boolean
}

/**
 * Where the ids of a search come from. No fixed form of SQL is good everywhere: going through the items of a selective
 * part is slow for an unselective one, and walking all items until enough are found the other way round. So the parts
 * of the filter that have an index are counted, up to where it makes no difference.
 */
export async function chooseCandidates(
  db: Db,
  { plan, limit, inRowOrder, passesBy }: Wanted,
): Promise<Chosen> {
  const parts = conjunctsOf(plan)
  const paths = accessPathsOver(plan, db.dialect)
  const [only] = paths
  const walked = { candidates: allItems(plan, db.dialect), few: false }
  if (!only) return walked
  // The one index that there is, and its order is right: nothing to choose.
  if (paths.length === 1 && inRowOrder && only.ordered && only.part.kind !== 'referred')
    return { candidates: fromIndexes([only], parts), few: false }

  for (const path of paths)
    if ((path.ordered || path.ofTexts) && (await countOf(db, path, SHORT)) <= SHORT)
      return { candidates: fromIndexes([path], parts), few: true }

  const cap = Math.floor((await worthGoingThrough(db, limit)) / (passesBy ? PASSED_BY : 1))
  const counts = await Promise.all(paths.map((path) => countOf(db, path, cap)))
  const smallest = paths[counts.indexOf(Math.min(...counts))]!
  if (Math.min(...counts) <= cap) return { candidates: fromIndexes([smallest], parts), few: true }

  const mergeable = paths.filter(({ ordered, sources }) => ordered && sources.length === 1)
  const merged = fewest(mergeable, (path) => counts[paths.indexOf(path)]!)
  if (inRowOrder) {
    const ordered = merged.length ? merged : paths.filter((path) => path.ordered).slice(0, 1)
    const candidates = ordered.length ? fromIndexes(ordered, parts) : walked.candidates
    const mayBeSparse = ordered.length !== 1 || ordered[0]!.part.kind === 'referred'
    return { candidates, few: false, mayBeSparse }
  }
  const few = merged.length > 1 && (await areFew(db, merged, parts, cap))
  return few ? { candidates: fromIndexes(merged, parts), few } : walked
}

/** Whether an index finds few texts: to look at those of the nearest items would cost more. */
async function areFewTexts(db: Db, plan: FilterPlan): Promise<boolean> {
  for (const path of accessPathsOver(plan, db.dialect))
    if (path.ofTexts && (await countOf(db, path, SHORT)) <= SHORT) return true
  return false
}

/** Not too many to be merged. SQLite, too, takes no more than sixteen text indexes in a statement. */
const fewest = (paths: readonly AccessPath[], count: (path: AccessPath) => number): readonly AccessPath[] =>
  paths.length <= MAX_MERGED ? paths : paths.toSorted((a, b) => count(a) - count(b)).slice(0, MAX_MERGED)

/**
 * Walking all n items to find `limit` of those that m satisfy looks at limit × n / m of them; going through the m
 * looks at m. So up to √(limit × n) going through them is the better choice.
 */
export async function worthGoingThrough(db: Db, limit: number | undefined): Promise<number> {
  const items = await countItems(db)
  return Math.max(FEW, Math.floor(limit === undefined ? items / 4 : Math.sqrt(limit * items)))
}

/** Of all items that a plan may find so few, by an index, that to look at all items would take longer. */
const SELECTIVE = 1 / 100

/** Whether an index finds the items of a plan among few. */
export async function isSelective(db: Db, plan: FilterPlan): Promise<boolean> {
  const few = Math.floor((await countItems(db)) * SELECTIVE)
  for (const part of conjunctsOf(plan)) {
    const path = accessPathOf(part, db.dialect)
    if (path && (await countOf(db, path, few)) <= few) return true
  }
  return false
}

/** Parts that are many each can have few items in common. */
async function areFew(
  db: Db,
  paths: readonly AccessPath[],
  parts: readonly FilterPlan[],
  cap: number,
): Promise<boolean> {
  const key = keyOf(paths.map(({ part }) => part))
  const common = { ...fromIndexes(paths, parts), probe: { kind: 'always' } } as const
  const rows = allIds(common, db.dialect)
  return (await remembered(db, key, cap, () => countRows(db, rows, cap))) <= cap
}
