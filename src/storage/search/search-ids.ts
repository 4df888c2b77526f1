import { type SqlBool, sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { OrderedWalk } from '#src/storage/search/ordered-walk.ts'
import { isRemembered, keyOf, remembered } from '#src/storage/search/search-counts.ts'
import type { Position } from '#src/storage/search/search-cursor.ts'
import { conjunctsOf, type Driver, driverOf } from '#src/storage/search/search-drivers.ts'
import { type Relevance, tierPlan, tiersOf } from '#src/storage/search/relevance.ts'
import type { SearchOrder } from '#src/storage/search/search-order.ts'
import { planSearch, walk } from '#src/storage/search/search-planner.ts'
import { type Condition, idsInOrder, idsOf, idsSorted } from '#src/storage/search/search-sql.ts'

export interface IdSearch {
  plan: FilterPlan
  order: SearchOrder
  /** Where the page begins; undefined at the beginning. */
  position: Position | undefined
  limit: number
}

/** Row ids of live items that satisfy a plan, in order: one page. */
export async function searchIds(db: Db, search: IdSearch): Promise<number[]> {
  const { plan, order, position, limit } = search
  if (plan.kind === 'never') return []
  if (order.relevance) return idsByRelevance(db, search, order.relevance)
  if (!order.keys.length) return idsById(db, search)
  const { candidates, few } = await planSearch(db, { plan, limit, byId: false })
  if (few) return idsOf(db, idsSorted(candidates, order, { position, limit }, db.dialect))
  return new OrderedWalk(db, candidates, order, limit).page(order.keys, position)
}

/** One tier after the other, so that no more are put in order than the page needs. */
async function idsByRelevance(
  db: Db,
  { plan, order, position, limit }: IdSearch,
  relevance: Relevance,
): Promise<number[]> {
  const within: SearchOrder = { ...order, relevance: undefined }
  const [first = 1, ...values] = position?.values ?? []
  const ids: number[] = []
  for (const tier of tiersOf(relevance, plan)) {
    if (tier < Number(first)) continue
    const narrower = tierPlan(relevance, tier)
    if (!narrower) continue
    const children = [...conjunctsOf(plan), ...conjunctsOf(narrower)]
    const place = position && tier === first ? { item: position.item, values } : undefined
    const part = children.length > 1 ? ({ kind: 'and', children } as const) : (children[0] ?? plan)
    const wanted = limit - ids.length
    ids.push(...(await searchIds(db, { plan: part, order: within, position: place, limit: wanted })))
    if (ids.length >= limit) break
  }
  return ids
}

async function idsById(db: Db, { plan, position, limit }: IdSearch): Promise<number[]> {
  const span = { after: position?.item, descending: false, limit }
  const first = await scanFirstRows(db, plan, span)
  if (first) return first
  const { candidates } = await planSearch(db, { plan, limit, byId: true })
  return idsOf(db, idsInOrder(candidates, span, db.dialect))
}

/** Items that are looked at for one that is wanted before anything is counted. */
const LOOKED_AT = 10

/**
 * Of what many items satisfy a page is full after a few: then no index is asked how many. Undefined where it does not
 * become full, or did not lately.
 */
async function scanFirstRows(
  db: Db,
  plan: FilterPlan,
  span: { after: number | undefined; descending: boolean; limit: number },
): Promise<number[] | undefined> {
  if (!isWorthATry(plan, span.after, db.dialect)) return undefined
  const key = keyOf(['first rows', span.limit, plan])
  if (key === undefined || isRemembered(db, key)) return undefined
  const end = (span.after ?? 0) + LOOKED_AT * span.limit
  const firstRows = {
    ...walk(plan, db.dialect),
    conditions: [(item) => sql<SqlBool>`${item} <= ${end}`] satisfies Condition[],
  }
  const rows = idsInOrder(firstRows, span, db.dialect)
  const ids = await idsOf(db, rows)
  if (ids.length >= span.limit) return ids
  await remembered(db, key, 0, async () => ids.length)
  return undefined
}

/**
 * There is something to count, and nothing that gives items in order anyway. A text index does, but goes through all
 * of its matches before the place where a page begins.
 */
function isWorthATry(plan: FilterPlan, after: number | undefined, dialect: Dialect): boolean {
  const drivers = conjunctsOf(plan).flatMap((part) => driverOf(part, dialect) ?? [])
  const isAtHand = ({ ordered, part }: Driver) => ordered && (after === undefined || part.kind !== 'search')
  return drivers.length > 0 && !drivers.some(isAtHand)
}
