import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import { readsRow } from '#src/filter/sql/reads-row.ts'
import { valueKind } from '#src/filter/sql/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { FilterDialect } from '#src/sql/filter-dialect.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { type Candidates, leavesOf, where } from '#src/storage/search/candidates.ts'
import { boundsOf } from '#src/storage/search/key-bounds.ts'
import type { OrderValue } from '#src/storage/search/order-values.ts'
import type { OrderColumn, IndexedKey } from '#src/storage/search/search-order.ts'

/**
 * Ids with what the index has of them for a key, in its order; those without a value are not among them.
 * `after` is the value after which it begins, or with `item` the item of that value.
 */
export function idsByKey(
  { probe, conditions }: Pick<Candidates, 'probe' | 'conditions'>,
  key: IndexedKey,
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
  checks.push(
    ...[dialect.filter.goesOn(sql`w.id`, probe.kind === 'always' ? 0 : leavesOf(probe)) ?? []].flat(),
  )
  checks.push(...conditions.map((each) => each(sql`w.id`)))
  if (probe.kind !== 'always') checks.push(sql`${filterToSql(probe, dialect, alias)}`)
  return sql`select w.id as item, w.value as value from ${from}${where(checks)} order by w.value${way}, w.id${way} limit ${limit}`
}

/** The column as its index holds it. */
export const indexedColumn = (row: string, column: OrderColumn, filter: FilterDialect): RawBuilder<unknown> =>
  column === 'name' ? filter.name(row, 'text') : exactColumn(row, column)

export const exactColumn = (row: string, column: OrderColumn) =>
  sql.raw(column === 'name_length' ? `length(${row}.name)` : `${row}.${column}`)

/** Rows `w` (id, value) of an index on the key; `alias` is what has the columns that the probe reads. */
function keyRows({ column, field }: IndexedKey, readsItem: boolean, { filter }: Dialect) {
  if (column) {
    const held = indexedColumn('o', column, filter)
    const from = sql`(select o.*, ${held} as value from item o where o.deleted_at is null) w`
    return { from, alias: 'w', live: [] }
  }
  const value = filter.value('o', valueKind(field.type))
  const rows = sql`(select o.item as id, ${value} as value from ${FIELD_VALUE} o where o.field = ${field.id}) w`
  if (!readsItem) return { from: rows, alias: 'w', live: [] }
  return { from: sql`${rows} cross join item i`, alias: 'i', live: [sql<SqlBool>`i.id = w.id`] }
}

/**
 * Where the walk of a key's index begins and ends: at values that fit, and within what the probe says of them. Of two
 * bounds on one side an index takes one, so a walk that goes on from a place begins there and nowhere else.
 */
function keySpan(
  key: IndexedKey,
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
