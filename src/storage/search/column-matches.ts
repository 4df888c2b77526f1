import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { Columns } from '#src/storage/columns/columns.ts'
import { fitsColumns, type Mask, maskOf } from '#src/storage/columns/plan-mask.ts'

/** Works out which items satisfy a plan, at once; undefined where another call has brought the columns further. */
export type ColumnMatches = () => Mask | undefined

/** Undefined where the columns do not have all that the plan looks at. */
export async function columnMatches(db: Db, plan: FilterPlan): Promise<ColumnMatches | undefined> {
  if (!fitsColumns(plan)) return undefined
  const columns = await Columns.of(db)
  const mask = columns && (await maskOf(columns, plan))
  return mask && (() => (columns.areCurrent ? mask() : undefined))
}

/** The first row ids of a mask after one, oldest first. */
export function idsOfMask(mask: Mask, after: number | undefined, limit: number): number[] {
  const ids: number[] = []
  for (
    let row = mask.indexOf(1, (after ?? 0) + 1);
    row >= 0 && ids.length < limit;
    row = mask.indexOf(1, row + 1)
  )
    ids.push(row)
  return ids
}

export function countMask(mask: Mask): number {
  let count = 0
  for (let row = 0; row < mask.length; row++) count += mask[row]!
  return count
}
