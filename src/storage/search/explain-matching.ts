import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { planSearch } from '#src/storage/search/search-planner.ts'
import { idsInOrder } from '#src/storage/search/search-sql.ts'
import { settlePatterns } from '#src/storage/search/settle-patterns.ts'

/** As many as a page of people has; what is quick depends on it. */
const LIMIT = 50

/** The statement that finds the first items of a plan, and how the database carries it out. */
export async function explainMatching(db: Db, given: FilterPlan): Promise<{ sql: string; plan: string[] }> {
  const plan = await settlePatterns(db, given)
  const { candidates } = await planSearch(db, { plan, limit: LIMIT, byId: true })
  const { sql, parameters } = idsInOrder(candidates, { descending: false, limit: LIMIT }, db.dialect).compile(
    db.dialect.builder,
  )
  const { prefix, line } = db.dialect.explain
  const rows = await db.select<Record<string, unknown>>({ sql: `${prefix} ${sql}`, parameters })
  return { sql, plan: rows.map(line) }
}
