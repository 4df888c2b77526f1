import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import {
  deletedAmong,
  type DeletedQuery,
  type DeletedRow,
  deletedRows,
  deletersOf,
  oldestDeleted,
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
    const deleters = await deletersOf(
      db,
      rows.map(({ item_id }) => item_id),
    )
    const theirs = rows
      .map((row) => ({ ...row, deleted_by: deleters.get(row.item_id) ?? null }))
      .filter(({ deleted_by }) => wanted.deleted_by === undefined || deleted_by === wanted.deleted_by)
    const matching = await matchingDeleted(db, plan, theirs)
    yield theirs.filter(({ id }) => matching.has(id))
    if (rows.length < PAGE) return
    after = rows.at(-1)
  }
}

/** Row ids of all deleted items that satisfied the plan, or of those of them that are named. */
export async function allDeleted(db: Db, given: FilterPlan, among?: readonly Ulid[]): Promise<number[]> {
  const plan = await settleTargets(db, given)
  const found: number[] = []
  const take = async (rows: readonly DeletedRow[]) => {
    for (const id of await matchingDeleted(db, plan, rows)) found.push(id)
  }
  if (among) {
    const rows = await deletedAmong(db, among)
    for (let at = 0; at < rows.length; at += PAGE) await take(rows.slice(at, at + PAGE))
    return found
  }
  for (let after = ''; ;) {
    const rows = await oldestDeleted(db, after, PAGE)
    await take(rows)
    if (rows.length < PAGE) return found
    after = rows.at(-1)!.item_id
  }
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
  for await (const page of findDeleted(db, plan, { ...wanted, after: undefined })) count += page.length
  return count
}
