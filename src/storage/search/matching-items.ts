import { type RawBuilder, sql } from 'kysely'
import { readsOwnItem } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { allIds, idsInOrder, idsOf } from '#src/storage/search/candidates.ts'
import { columnMatches, countMask } from '#src/storage/search/column-matches.ts'
import { chooseCandidates, isSelective } from '#src/storage/search/strategy.ts'
import { filterSource } from '#src/storage/search/filter-source.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'

/** Row ids of the live items that satisfy the plan, oldest first. For bulk operations; searches go in pages. */
export async function matchingItems(db: Db, given: FilterPlan): Promise<number[]> {
  const plan = await settlePlan(db, given)
  if (plan.kind === 'never') return []
  const { candidates } = await chooseCandidates(db, { plan, limit: undefined, inRowOrder: true })
  return idsOf(db, idsInOrder(candidates, { descending: false }, db.dialect))
}

/** Whether some live item satisfies the plan. */
export async function someMatching(db: Db, given: FilterPlan): Promise<boolean> {
  const plan = await settlePlan(db, given)
  if (plan.kind === 'never') return false
  const { candidates } = await chooseCandidates(db, { plan, limit: 1, inRowOrder: true })
  return (await idsOf(db, idsInOrder(candidates, { descending: false, limit: 1 }, db.dialect))).length > 0
}

/** Those of the items (row ids) that live and satisfy the plan, oldest first. Costs by their number, not by all. */
export const matchingAmong = (db: Db, given: FilterPlan, among: readonly number[]): Promise<number[]> =>
  matchingSome(db, given)(among)

/**
 * The same of some items after others, while nothing changes. What is to be true of an item that others lead to is
 * looked up among all items, once.
 */
export function matchingSome(db: Db, given: FilterPlan): (some: readonly number[]) => Promise<number[]> {
  let settled: Promise<FilterPlan> | undefined
  return async (some) => {
    const probe = readsOwnItem(given)
      ? await settlePlan(db, given, { among: some })
      : await (settled ??= settlePlan(db, given))
    return foundAmong(db, probe, some)
  }
}

async function foundAmong(db: Db, probe: FilterPlan, among: readonly number[]): Promise<number[]> {
  if (probe.kind === 'never') return []
  const source = filterSource({ kind: 'id', items: among }, db.dialect)!
  const candidates = { sources: [source], intersectWith: [], probe, conditions: [] }
  return idsOf(db, idsInOrder(candidates, { descending: false }, db.dialect))
}

/** How many live items satisfy the plan. */
export async function countMatching(db: Db, given: FilterPlan): Promise<number> {
  const plan = await settlePlan(db, given)
  if (plan.kind === 'never') return 0
  const matches = (await isSelective(db, plan)) ? undefined : await columnMatches(db, plan)
  const mask = matches?.()
  if (mask) return countMask(mask)
  const { candidates } = await chooseCandidates(db, { plan, limit: undefined, inRowOrder: true })
  const counted = sql<{ n: number }>`select count(*) as n from (${allIds(candidates, db.dialect)}) m`
  const [row] = await db.select<{ n: number }>(counted.compile(db.dialect.builder))
  return row!.n
}

/** Row ids of the live items that satisfy the plan, as `item`, each once; undefined stands for all live items. */
export async function matchingRows(
  db: Db,
  given: FilterPlan,
): Promise<RawBuilder<{ item: number }> | undefined | 'none'> {
  const plan = await settlePlan(db, given)
  if (plan.kind === 'never') return 'none'
  if (plan.kind === 'always') return undefined
  const { candidates } = await chooseCandidates(db, { plan, limit: undefined, inRowOrder: true })
  return allIds(candidates, db.dialect)
}
