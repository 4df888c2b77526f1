import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FilterSource } from '#src/storage/search/filter-source.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import type { BoundField, FilterPlan } from '#src/filter/meaning/plan.ts'
import { sortedKind, valueKind } from '#src/filter/sql/value-kind.ts'
import { readsRow } from '#src/filter/sql/reads-row.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { FilterDialect } from '#src/sql/filter-dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { boundsOf } from '#src/storage/search/key-bounds.ts'
import type { OrderValue } from '#src/storage/search/order-values.ts'
import type { Position } from '#src/storage/search/search-cursor.ts'
import type { OrderColumn, OrderKey, SearchOrder } from '#src/storage/search/search-order.ts'

export type Rows = RawBuilder<{ item: number }>
/** True of the item whose row id the expression is. */
export type Condition = (item: RawBuilder<unknown>) => RawBuilder<SqlBool>

/** Where the ids of a search come from and what is still to be checked of each. */
export interface Candidates {
  /** The union of these, or all live items. */
  readonly sources: readonly Pick<FilterSource, 'rows' | 'distinct'>[] | undefined
  /** Items have to be in these as well; each in the order of row ids. */
  readonly within: readonly Rows[]
  readonly probe: FilterPlan
  readonly conditions: readonly Condition[]
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
  return candidates.within.length ? sql`${ids} order by item` : ids
}

function combined(candidates: Candidates, dialect: Dialect): Rows {
  const { within, conditions } = candidates
  const parts = matching(candidates, dialect)
  if (!within.length) return parts.length === 1 ? parts[0]! : sql`${sql.join(parts, sql` union `)}`
  const narrowing = within.map(
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
  const work = leavesOf(probe) + (sources?.length ?? 0)
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

const where = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length ? sql` where ${sql.join(conditions, sql` and `)}` : sql``

/** Items that may refer to one, for the reckoning of work alone. */
const MANY_REFERRERS = 100

/** Conditions that a row is probed by, roughly. */
function leavesOf(plan: FilterPlan): number {
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

/** Row ids of the candidates sorted whole, as `item`. Only for few: each is looked at for each page. */
export function idsSorted(
  candidates: Candidates,
  { keys, descending }: SearchOrder,
  { position, limit }: { position?: Position | undefined; limit?: number | undefined },
  dialect: Dialect,
): Rows {
  const item = sql`m.item`
  const columns = keys.map((key, i) => sql`${keyOf(key, item, dialect)} as ${sql.raw(`k${i}`)}`)
  const names = keys.map((_, i) => sql.raw(`s.k${i}`))
  const by = keys.flatMap((key, i) => [
    sql`${names[i]} is null`,
    key.descending ? sql`${names[i]} desc` : sql`${names[i]}`,
  ])
  const order = sql.join([...by, descending ? sql`s.item desc` : sql`s.item`])
  const from = position ? sql` where ${isAfter(keys, descending, names, position)}` : sql``
  return sql`with s as materialized (select m.item${columns.length ? sql`, ${sql.join(columns)}` : sql``} from (${allIds(candidates, dialect)}) m) select s.item as item from s${from} order by ${order}${limit === undefined ? sql`` : sql` limit ${limit}`}`
}

/** Each case is two parameters, of which a statement takes 32,766 at most. */
const MAX_CASES = 1000

/** What the item whose row id the expression is has for a key; null where it has nothing. */
function keyOf(
  { column, field }: OrderKey,
  item: RawBuilder<unknown>,
  dialect: Dialect,
): RawBuilder<unknown> {
  if (column) return sql`(select ${exactColumn('o', column)} from item o where o.id = ${item})`
  const value = dialect.filter.value('o', sortedKind(field, dialect.filter))
  const of = sql`from field_value o where o.item = ${item} and o.field = ${field.id} and ${fits(field, dialect)}`
  if (field.type !== 'Select') return sql`(select ${value} ${of})`
  if (!field.variants.length) return sql`null`
  if (field.variants.length > MAX_CASES)
    return sql`(select ${dialect.filter.positionIn(value, field.variants)} ${of})`
  const positions = field.variants.map((variant, i) => sql`when ${variant} then ${sql.lit(i)}`)
  return sql`(select case ${value} ${sql.join(positions, sql` `)} end ${of})`
}

/** The row `o` of the index holds a value that is ordered, not one of another type. */
function fits(field: BoundField, { filter }: Dialect): RawBuilder<SqlBool> {
  const kind = valueKind(field.type)
  return filter.inRange(filter.unindexed(filter.value('o', kind)), kind, {})
}

/** The item has a value that is ordered: else it comes last. */
export function hasValue(field: BoundField, dialect: Dialect): Condition {
  const known = field.type === 'Select' ? sql` and ${isVariant(field, dialect)}` : sql``
  return (item) =>
    sql`exists (select 1 from field_value o where o.item = ${item} and o.field = ${field.id} and ${fits(field, dialect)}${known}${dialect.filter.forEachRow})`
}

function isVariant(field: BoundField, { filter }: Dialect): RawBuilder<SqlBool> {
  const kind = sortedKind(field, filter)
  return filter.isOneOf(filter.unindexed(filter.value('o', kind)), field.variants, kind)
}

function isAfter(
  keys: readonly OrderKey[],
  descending: boolean,
  names: readonly RawBuilder<unknown>[],
  { values, item }: Position,
): RawBuilder<SqlBool> {
  let after: RawBuilder<SqlBool> = descending ? sql`s.item < ${item}` : sql`s.item > ${item}`
  for (let i = keys.length - 1; i >= 0; i--) {
    const [name, value] = [names[i]!, values[i] as OrderValue]
    if (value === null) after = sql`(${name} is null and ${after})`
    else {
      const beyond = keys[i]!.descending ? sql`${name} < ${value}` : sql`${name} > ${value}`
      after = sql`(${beyond} or ${name} is null or (${name} = ${value} and ${after}))`
    }
  }
  return after
}

/**
 * Ids with what the index has of them for a key, in its order; those without a value are not among them.
 * `after` is the value after which it begins, or with `item` the item of that value.
 */
export function idsByKey(
  { probe, conditions }: Pick<Candidates, 'probe' | 'conditions'>,
  key: OrderKey,
  { after, limit }: { after?: { value: OrderValue; item?: number } | undefined; limit: number },
  dialect: Dialect,
): RawBuilder<{ item: number; value: string | number }> {
  const { from, alias, live } = keyRows(key, readsRow(probe), dialect)
  const way = key.descending ? sql` desc` : sql``
  const beyond = key.descending ? sql`<` : sql`>`
  const checks = [...live, ...keySpan(key, { probe, goesOn: after !== undefined }, dialect)]
  if (after?.item !== undefined) {
    checks.push(sql`(w.value, w.id) ${beyond} (${after.value}, ${after.item})`)
    const entry = key.field && dialect.filter.hasEntry(sql`w.value`)
    if (entry) checks.push(entry)
  } else if (after) checks.push(sql`w.value ${beyond} ${after.value}`)
  checks.push(...[dialect.filter.goesOn(sql`w.id`, leavesOf(probe)) ?? []].flat())
  checks.push(...conditions.map((each) => each(sql`w.id`)))
  if (probe.kind !== 'always') checks.push(sql`${filterToSql(probe, dialect, alias)}`)
  return sql`select w.id as item, w.value as value from ${from}${where(checks)} order by w.value${way}, w.id${way} limit ${limit}`
}

/** The column as its index holds it. */
export const indexedColumn = (row: string, column: OrderColumn, filter: FilterDialect): RawBuilder<unknown> =>
  column === 'name' ? filter.name(row, 'text') : exactColumn(row, column)

const exactColumn = (row: string, column: OrderColumn) =>
  sql.raw(column === 'name_length' ? `length(${row}.name)` : `${row}.${column}`)

/** Rows `w` (id, value) of an index on the key; `alias` is what has the columns that the probe reads. */
function keyRows({ column, field }: OrderKey, readsItem: boolean, { filter }: Dialect) {
  if (column) {
    const held = indexedColumn('o', column, filter)
    const from = sql`(select o.*, ${held} as value from item o where o.deleted_at is null) w`
    return { from, alias: 'w', live: [] }
  }
  const value = filter.value('o', valueKind(field.type))
  const rows = sql`(select o.item as id, ${value} as value from field_value o where o.field = ${field.id}) w`
  if (!readsItem) return { from: rows, alias: 'w', live: [] }
  return { from: sql`${rows} cross join item i`, alias: 'i', live: [sql<SqlBool>`i.id = w.id`] }
}

/**
 * Where the walk of a key's index begins and ends: at values that fit, and within what the probe says of them. Of two
 * bounds on one side an index takes one, so a walk that goes on from a place begins there and nowhere else.
 */
function keySpan(
  key: OrderKey,
  { probe, goesOn }: { probe: FilterPlan; goesOn: boolean },
  dialect: Dialect,
): RawBuilder<SqlBool>[] {
  const { lower, upper } = boundsOf(probe, key, dialect) ?? {}
  const value = sql`w.value`
  const from =
    lower &&
    (lower.inclusive ? sql<SqlBool>`${value} >= ${lower.value}` : sql<SqlBool>`${value} > ${lower.value}`)
  const fits = key.field && dialect.filter.inRange(value, valueKind(key.field.type), {})
  const to = upper
    ? upper.inclusive
      ? sql<SqlBool>`${value} <= ${upper.value}`
      : sql<SqlBool>`${value} < ${upper.value}`
    : fits
  const span = key.descending ? { begin: to, end: from } : { begin: from, end: to }
  return [goesOn ? undefined : span.begin, span.end].filter((each) => each !== undefined)
}
