import { sql } from 'kysely'
import { counted } from '#src/domain/message-words.ts'
import { nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { type Candidates, idsInOrder } from '#src/storage/search/candidates.ts'
import { OLDEST_FIRST } from '#src/storage/search/search-order.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { chooseStrategy, type Strategy } from '#src/storage/search/strategy.ts'

/** As many as a page of people has, and one that says whether another follows; what is quick depends on it. */
const LIMIT = 51

/**
 * The statement that finds the first page of a plan, and how the database carries it out. The strategy is the one that
 * a search chooses; its words are the first line of `plan`, after those of what was looked up beforehand.
 */
export async function explainMatching(db: Db, given: FilterPlan): Promise<{ sql: string; plan: string[] }> {
  const plan = await settlePlan(db, given)
  const strategy = await chooseStrategy(db, {
    plan,
    order: OLDEST_FIRST,
    position: undefined,
    limit: LIMIT,
  })
  const words = [...listsIn(plan).map(listWords), strategyWords(strategy)]
  if (!('candidates' in strategy)) return { sql: '', plan: words }
  const span = { descending: false, limit: LIMIT }
  const found = idsInOrder(strategy.candidates, span, db.dialect)
  const { builder, explain } = db.dialect
  const explained = sql`${sql.raw(explain.prefix)} ${found}`.compile(builder)
  const rows = await db.select<Record<string, unknown>>(explained)
  return { sql: found.compile(builder).sql, plan: [...words, ...rows.map(explain.line)] }
}

/** What is a list of items in a settled plan. */
const listsIn = (plan: FilterPlan): (readonly number[])[] =>
  nodesOf(plan).flatMap((node) => (node.kind === 'items' ? [node.items] : []))

const listWords = (items: readonly number[]) =>
  `looked up beforehand, as a list: ${counted(items.length, 'item')}`

/** A strategy in one line, for anyone who asks how a search is carried out. */
function strategyWords(strategy: Strategy): string {
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
