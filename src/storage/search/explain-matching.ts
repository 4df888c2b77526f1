import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { idsInOrder } from '#src/storage/search/candidates-sql.ts'
import { evaluateRegexes } from '#src/storage/search/evaluate-regexes.ts'
import { OLDEST_FIRST } from '#src/storage/search/search-order.ts'
import { chooseStrategy, strategyWords } from '#src/storage/search/strategy.ts'

/** As many as a page of people has; what is quick depends on it. */
const LIMIT = 50

/**
 * The statement that finds the first page of a plan, and how the database carries it out. The strategy is the one that
 * a search chooses; its words are the first line of `plan`.
 */
export async function explainMatching(db: Db, given: FilterPlan): Promise<{ sql: string; plan: string[] }> {
  const plan = await evaluateRegexes(db, given)
  const strategy = await chooseStrategy(db, {
    plan,
    order: OLDEST_FIRST,
    position: undefined,
    limit: LIMIT + 1,
  })
  const words = strategyWords(strategy)
  if (!('candidates' in strategy)) return { sql: '', plan: [words] }
  const span = { descending: false, limit: LIMIT + 1 }
  const { sql, parameters } = idsInOrder(strategy.candidates, span, db.dialect).compile(db.dialect.builder)
  const { prefix, line } = db.dialect.explain
  const rows = await db.select<Record<string, unknown>>({ sql: `${prefix} ${sql}`, parameters })
  return { sql, plan: [words, ...rows.map(line)] }
}
