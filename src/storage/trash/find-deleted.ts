import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import {
  deletedAmong,
  deletedPositions,
  type DeletedQuery,
  type DeletedRow,
  deletedRows,
  deletionsOf,
  isBy,
} from '#src/storage/trash/deleted-rows.ts'
import { matchingDeleted, settleTargets } from '#src/storage/trash/matching-deleted.ts'

/** Deleted items that are looked at once. */
const PAGE = 100

export interface FoundDeleted extends DeletedRow {
  deleted_by: Ulid | null
}

/** Deleted items that satisfied the plan and whatever else is asked for, newest deletion first, page by page. */
export async function* findDeleted(
  db: Db,
  given: FilterPlan,
  wanted: DeletedQuery,
): AsyncGenerator<FoundDeleted[]> {
  const plan = await settleTargets(db, given)
  for (let after = wanted.after; ;) {
    const rows = await deletedRows(db, { ...wanted, after }, PAGE)
    const deletions = await deletionsOf(
      db,
      rows.map(({ item_id }) => item_id),
    )
    const theirs = rows
      .filter(({ item_id }) => isBy(deletions.get(item_id), wanted))
      .map((row) => ({ ...row, deleted_by: deletions.get(row.item_id)?.user_id ?? null }))
    const matching = await matchingDeleted(db, plan, theirs)
    yield theirs.filter(({ id }) => matching.has(id))
    if (rows.length < PAGE) return
    after = rows.at(-1)
  }
}

/**
 * Row ids of all deleted items that satisfied the plan and whatever else is asked for, or of those named, page by page.
 * Their positions are read many at once: after a large deletion a server that has not counted them yet sorts all of them
 * for each page.
 */
async function* deletedIds(
  db: Db,
  given: FilterPlan,
  wanted: DeletedQuery,
  among?: readonly Ulid[],
): AsyncGenerator<number[]> {
  const plan = await settleTargets(db, given)
  for await (const item_ids of among ? [among] : deletedPositions(db, wanted))
    for (let at = 0; at < item_ids.length; at += PAGE) {
      const rows = await deletedAmong(db, item_ids.slice(at, at + PAGE), wanted)
      const matching = await matchingDeleted(db, plan, await byWhom(db, rows, wanted))
      yield [...matching]
    }
}

async function byWhom(
  db: Db,
  rows: readonly DeletedRow[],
  wanted: DeletedQuery,
): Promise<readonly DeletedRow[]> {
  if (wanted.deleted_by === undefined && wanted.change_id === undefined) return rows
  const deletions = await deletionsOf(
    db,
    rows.map(({ item_id }) => item_id),
  )
  return rows.filter(({ item_id }) => isBy(deletions.get(item_id), wanted))
}

/** Row ids of all of them, in no order. */
export async function allDeleted(
  db: Db,
  plan: FilterPlan,
  wanted: DeletedQuery,
  among?: readonly Ulid[],
): Promise<number[]> {
  const found: number[] = []
  for await (const page of deletedIds(db, plan, wanted, among)) found.push(...page)
  return found
}

/** The first this many, and whether there are more. */
export async function firstDeleted(
  db: Db,
  plan: FilterPlan,
  wanted: DeletedQuery,
  limit: number,
): Promise<{ found: FoundDeleted[]; more: boolean }> {
  const found: FoundDeleted[] = []
  for await (const page of findDeleted(db, plan, wanted)) {
    found.push(...page)
    if (found.length > limit) return { found: found.slice(0, limit), more: true }
  }
  return { found, more: false }
}

export async function countDeleted(db: Db, plan: FilterPlan, wanted: DeletedQuery): Promise<number> {
  let count = 0
  for await (const page of deletedIds(db, plan, { ...wanted, after: undefined })) count += page.length
  return count
}
