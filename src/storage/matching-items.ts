import type { FilterPlan } from '#src/filter/plan.ts'
import { type Db, query } from '#src/sql/query.ts'

const liveItems = query((_: object, sql) =>
  sql.selectFrom('item').select('id').where('deleted_at', 'is', null).orderBy('id'),
)

/** Row ids of the live items that satisfy the plan, oldest first. For bulk operations; searches go in pages. */
export async function matchingItems(db: Db, plan: FilterPlan): Promise<number[]> {
  if (plan.kind === 'never') return []
  if (plan.kind === 'always') return (await db.all(liveItems, {})).map(({ id }) => id)
  throw new Error(`no SQL for a plan of kind ${plan.kind}`)
}
