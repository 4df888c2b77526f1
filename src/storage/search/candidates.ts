import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import { readsRow } from '#src/filter/sql/reads-row.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import type { AccessPath } from '#src/storage/search/access-paths.ts'
import { type FilterSource, filterSource } from '#src/storage/search/filter-source.ts'

export type Rows = RawBuilder<{ item: number }>
/** True of the item whose row id the expression is. */
export type Condition = (item: RawBuilder<unknown>) => RawBuilder<SqlBool>

/** Where the ids of a search come from and what is still to be checked of each. */
export interface Candidates {
  /** The union of these, or all live items. */
  readonly sources: readonly Pick<FilterSource, 'rows' | 'distinct'>[] | undefined
  /** Items have to be in these as well; each in the order of row ids. */
  readonly intersectWith: readonly Rows[]
  readonly probe: FilterPlan
  readonly conditions: readonly Condition[]
}

/** Items in row order, each probed: of all items, or of those with a tag that the plan cannot do without. */
export function allItems(probe: FilterPlan, dialect: Dialect): Candidates {
  const tag = conjunctsOf(probe)
    .map(tagOf)
    .find((each) => each !== undefined)
  const tagged = tag === undefined ? undefined : filterSource({ kind: 'has_tag', tags: [tag] }, dialect)
  return { sources: tagged && [tagged], intersectWith: [], probe, conditions: [] }
}

/** An item that has a value in a field has the field's tag. */
function tagOf(part: FilterPlan): number | undefined {
  if (part.kind === 'hop') return part.field.tag
  if (part.kind !== 'field') return undefined
  const { test } = part
  const takesNull = test.test === 'absent' || (test.test === 'none_of' && test.or_absent)
  return takesNull ? undefined : part.field.tag
}

/** The first gives the items, the others (in row order, of one source) narrow them down; the rest is probed. */
export function fromIndexes(
  [first, ...others]: readonly AccessPath[],
  parts: readonly FilterPlan[],
): Candidates {
  const served = [first!, ...others].filter(({ exact }) => exact).flatMap(({ part }) => conjunctsOf(part))
  const left = parts.filter((part) => !served.includes(part))
  return {
    sources: first!.sources,
    intersectWith: others.map(({ sources }) => sources[0]!.rows),
    probe: left.length > 1 ? { kind: 'and', children: left } : (left[0] ?? { kind: 'always' }),
    conditions: [],
  }
}

interface Span {
  /** Row id after which, in the direction of the walk, it begins. */
  readonly after?: number | undefined
  readonly descending: boolean
  readonly limit?: number | undefined
}

/** Row ids of the candidates, as `item`, in their order. */
export function idsInOrder(candidates: Candidates, span: Span, dialect: Dialect): Rows {
  const beyond: Condition = (item) =>
    span.descending ? sql`${item} < ${span.after}` : sql`${item} > ${span.after}`
  const conditions = [...(span.after === undefined ? [] : [beyond]), ...candidates.conditions]
  const direction = span.descending ? sql`desc` : sql`asc`
  const limit = span.limit === undefined ? sql`` : sql` limit ${span.limit}`
  const id = candidates.sources ? sql`item` : sql`i.id`
  return sql`${combined({ ...candidates, conditions }, dialect)} order by ${id} ${direction}${limit}`
}

/** Row ids of the candidates, as `item`, each once, in whatever order is quickest. */
export function allIds(candidates: Candidates, dialect: Dialect): Rows {
  const ids = combined(candidates, dialect)
  // Lists that have the same order are intersected by walking them together, without keeping them.
  return candidates.intersectWith.length ? sql`${ids} order by item` : ids
}

function combined(candidates: Candidates, dialect: Dialect): Rows {
  const { intersectWith, conditions } = candidates
  const parts = matching(candidates, dialect)
  if (!intersectWith.length) return sql`${sql.join(parts, sql` union `)}`
  const narrowing = intersectWith.map(
    (rows) =>
      sql`select s.item as item from (${rows}) s${where(conditions.map((each) => each(sql`s.item`)))}`,
  )
  return sql`${sql.join([...parts, ...narrowing], sql` intersect `)}`
}

export async function idsOf(db: Db, rows: Rows): Promise<number[]> {
  return (await db.select<{ item: number }>(rows.compile(db.dialect.builder))).map(({ item }) => item)
}

/** One select for each source. */
function matching({ sources, probe, conditions }: Candidates, dialect: Dialect): Rows[] {
  // Rows that are not probed are gone through at tens of millions a second.
  const work = probe.kind === 'always' ? 0 : leavesOf(probe) + (sources?.length ?? 0)
  const conditionsOf = (item: RawBuilder<unknown>, alias: string) =>
    [
      dialect.filter.goesOn(item, work) ?? [],
      ...conditions.map((each) => each(item)),
      ...(probe.kind === 'always' ? [] : [sql<SqlBool>`${filterToSql(probe, dialect, alias)}`]),
    ].flat()
  if (!sources)
    return [
      sql`select i.id as item from item i${where([sql`i.deleted_at is null`, ...conditionsOf(sql`i.id`, 'i')])}`,
    ]
  return sources.map(({ rows, distinct }) => {
    const select = distinct ? sql`select` : sql`select distinct`
    const from = sql`(select r.item as id from (${rows}) r) s`
    // The join is written so that the source is walked and the item looked up, never the other way round.
    return readsRow(probe)
      ? sql`${select} s.id as item from ${from} cross join item i${where([sql`i.id = s.id`, ...conditionsOf(sql`s.id`, 'i')])}`
      : sql`${select} s.id as item from ${from}${where(conditionsOf(sql`s.id`, 's'))}`
  })
}

export const where = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length ? sql` where ${sql.join(conditions, sql` and `)}` : sql``

/** Items that may refer to one, for the reckoning of work alone. */
const MANY_REFERRERS = 100

/** Conditions that a row is probed by, roughly. */
export function leavesOf(plan: FilterPlan): number {
  switch (plan.kind) {
    case 'and':
    case 'or':
      return plan.children.reduce((sum, each) => sum + leavesOf(each), 0)
    case 'not':
      return leavesOf(plan.child)
    case 'hop':
      return 1 + leavesOf(plan.target)
    case 'referred':
      return MANY_REFERRERS * (1 + leavesOf(plan.filter))
    default:
      return 1
  }
}
