import { type RawBuilder, sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db, PatternMatcher } from '#src/sql/query.ts'

/** Texts that are read and matched at once. */
const PAGE = 2000

type PatternLeaf = Extract<FilterPlan, { kind: 'text' | 'field' }>

/**
 * The plan with every pattern matched beforehand, on the snapshot of the call: in its place stand the items in which
 * it was found. Where the engine matches patterns itself, the plan as it is. `table` has the names and descriptions
 * that the plan is about.
 */
export async function settlePatterns(
  db: Db,
  plan: FilterPlan,
  table: 'item' | 'tag' = 'item',
): Promise<FilterPlan> {
  const { patterns } = db
  return patterns ? settle(db, patterns, plan, table) : plan
}

async function settle(
  db: Db,
  patterns: PatternMatcher,
  plan: FilterPlan,
  table: 'item' | 'tag',
): Promise<FilterPlan> {
  switch (plan.kind) {
    case 'and':
    case 'or': {
      const children: FilterPlan[] = []
      for (const each of plan.children) children.push(await settle(db, patterns, each, table))
      return { kind: plan.kind, children }
    }
    case 'not':
      return { kind: 'not', child: await settle(db, patterns, plan.child, table) }
    case 'referred':
      return { ...plan, filter: await settle(db, patterns, plan.filter, table) }
    case 'hop':
      return { ...plan, target: await settle(db, patterns, plan.target, table) }
    case 'text':
    case 'field': {
      if (plan.test.test !== 'regex') return plan
      const items = await matching(db, patterns, textsOf(db, plan, table), plan.test.pattern)
      return items.length ? { kind: 'items', items } : { kind: 'never' }
    }
    case 'search':
    case 'has_tag':
    case 'tagged':
    case 'items':
    case 'id':
    case 'always':
    case 'never':
      return plan
  }
}

type Texts = RawBuilder<{ item: number; text: string | null }>

/** `select item, text`: every live item that has a text where the leaf looks. */
function textsOf(db: Db, leaf: PatternLeaf, table: 'item' | 'tag'): Texts {
  if (leaf.kind === 'text')
    return sql`select n.id as item, n.${sql.raw(leaf.column)} as text from ${sql.table(table)} n where n.deleted_at is null`
  const text = db.dialect.filter.value('v', 'full_text')
  return sql`select v.item, ${text} as text from field_value v where v.field = ${leaf.field.id}`
}

async function matching(db: Db, patterns: PatternMatcher, texts: Texts, pattern: string): Promise<number[]> {
  const found: number[] = []
  let after = 0
  for (;;) {
    const page = sql<{
      item: number
      text: string | null
    }>`select t.item, t.text from (${texts}) t where t.item > ${after} order by t.item limit ${PAGE}`
    const rows = await db.select<{ item: number; text: string | null }>(page.compile(db.dialect.builder))
    const positions = await patterns.match(
      pattern,
      rows.map(({ text }) => text),
    )
    for (const position of positions) found.push(rows[position]!.item)
    if (rows.length < PAGE) return found
    after = rows.at(-1)!.item
  }
}
