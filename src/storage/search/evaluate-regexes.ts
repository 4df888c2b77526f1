import { isTextTest, type TextTest } from '#src/domain/text-test.ts'
import { type RawBuilder, sql } from 'kysely'
import { mapLeaves, nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { type Db, type PatternMatcher, query } from '#src/sql/query.ts'
import { these } from '#src/storage/words/settle-any.ts'

/** Texts that are read and matched at once, and bytes of them: a text may have a megabyte. */
const PAGE = 2000
const PAGE_BYTES = 4 * 2 ** 20

type ValuesLeaf = Extract<FilterPlan, { kind: 'values' }>
type PatternLeaf = Extract<FilterPlan, { kind: 'text' | 'field' }>

/**
 * The plan with every pattern matched beforehand, on the snapshot of the call: in its place are the items in which
 * it was found. Where the engine matches patterns itself, the plan as it is.
 */
export async function evaluateRegexes(db: Db, plan: FilterPlan, scope: Scope = {}): Promise<FilterPlan> {
  const { patterns } = db
  if (!patterns) return plan
  const searches = nodesOf(plan).filter((node): node is ValuesLeaf => node.kind === 'values')
  const held = searches.length ? await holding(db, searches, scope.among) : new Map<ValuesLeaf, Set<number>>()
  return mapLeaves(plan, (leaf) =>
    leaf.kind === 'values' ? these([...held.get(leaf)!]) : evaluate(db, patterns, leaf, scope),
  )
}

export interface Scope {
  /** What has the names and descriptions that the plan is about: `item`, unless it says otherwise. */
  table?: 'item' | 'tag'
  /** Only these items (row ids) are asked about. */
  among?: readonly number[]
}

async function evaluate(
  db: Db,
  patterns: PatternMatcher,
  leaf: FilterPlan,
  scope: Scope,
): Promise<FilterPlan> {
  if ((leaf.kind !== 'text' && leaf.kind !== 'field') || !isTextTest(leaf.test)) return leaf
  return these(await matching(db, patterns, textsOf(db, leaf, scope), leaf.test))
}

type Texts = RawBuilder<{ item: number; text: string | null }>

/** `select item, text`: every live item that has a text where the leaf looks. */
function textsOf({ dialect }: Db, leaf: PatternLeaf, { table = 'item', among }: Scope): Texts {
  const within = (column: string) =>
    among ? sql` and ${sql.raw(column)} in ${dialect.integers(JSON.stringify(among))}` : sql``
  if (leaf.kind === 'text')
    return sql`select n.id as item, n.${sql.raw(leaf.column)} as text from ${sql.table(table)} n where n.deleted_at is null${within('n.id')}`
  const text = dialect.filter.value('v', 'full_text')
  return sql`select v.item, ${text} as text from ${FIELD_VALUE} v where v.field = ${among ? dialect.filter.anyField(leaf.field.id) : leaf.field.id}${within('v.item')}`
}

async function matching(db: Db, patterns: PatternMatcher, texts: Texts, test: TextTest): Promise<number[]> {
  // An item may have several texts: names of files.
  const found = new Set<number>()
  let after = 0
  for (;;) {
    const rows = await db.select<PageRow>(pageAfter(after, texts).compile(db.dialect.builder))
    const positions = await patterns.match(
      test,
      rows.map(({ text }) => text),
    )
    for (const position of positions) found.add(rows[position]!.item)
    const last = rows.at(-1)
    if (!last || (last.rows < PAGE && last.rows === rows.length)) return [...found]
    // The page may have ended among the texts of its last item.
    after = rows[0]!.item < last.item ? last.item - 1 : last.item
  }
}

interface PageRow {
  item: number
  text: string | null
  /** That the page would have if bytes did not count. */
  rows: number
}

/** At least one text, however long. The server adds lengths up without reading the long texts themselves. */
function pageAfter(after: number, texts: Texts): RawBuilder<PageRow> {
  const page = sql`select t.item, t.text from (${texts}) t where t.item > ${after} order by t.item limit ${PAGE}`
  const bytes = sql`sum(octet_length(p.text)) over (order by p.item rows between unbounded preceding and 1 preceding)`
  return sql`select s.item, s.text, s.rows from (select p.item, p.text, ${bytes} as before, count(*) over () as rows from (${page}) p) s where coalesce(s.before, 0) < ${PAGE_BYTES} order by s.item`
}

/** Items whose values are folded at once: of one search, and of as many as a filter may have. */
const MOST_ITEMS = 200
const FEWEST_ITEMS = 5

const livingAfter = query((p: { after: number; limit: number }, db) =>
  db
    .selectFrom('item')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)

/**
 * Items of which a String value or the name of a variant has the text, all folded for search: of all searches at one
 * look at each value, a few items at a time.
 */
async function holding(
  db: Db,
  searches: readonly ValuesLeaf[],
  among: readonly number[] | undefined,
): Promise<Map<ValuesLeaf, Set<number>>> {
  const found = new Map(searches.map((search) => [search, new Set<number>()]))
  const byFields = [...Map.groupBy(searches, ({ fields }) => fields.join()).values()]
  const limit = Math.max(FEWEST_ITEMS, Math.min(MOST_ITEMS, Math.floor((20 * MOST_ITEMS) / searches.length)))
  let after = 0
  for (let at = 0; ; at += limit) {
    const ids =
      among?.slice(at, at + limit) ?? (await db.all(livingAfter, { after, limit })).map(({ id }) => id)
    for (const group of byFields)
      for (const { item, text } of await valuesOf(db, ids, group[0]!.fields)) {
        const folded = foldForSearch(text)
        for (const search of group) if (folded.includes(search.text)) found.get(search)!.add(item)
      }
    if (ids.length < limit) return found
    after = ids.at(-1)!
  }
}

async function valuesOf(db: Db, ids: readonly number[], fields: readonly number[]) {
  const text = db.dialect.filter.value('v', 'full_text')
  const page = sql<{
    item: number
    text: string
  }>`select v.item, ${text} as text from ${FIELD_VALUE} v where v.item in ${db.dialect.integers(JSON.stringify(ids))} and ${db.dialect.filter.isOneOf(sql`v.field`, fields, 'row_id')} and ${text} is not null`
  return db.select<{ item: number; text: string }>(page.compile(db.dialect.builder))
}
