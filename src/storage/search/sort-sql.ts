import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import { exactKind, valueKind } from '#src/filter/sql/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { allIds, type Candidates, type Condition, type Rows } from '#src/storage/search/candidates.ts'
import { exactColumn } from '#src/storage/search/order-index-sql.ts'
import { LAST_TIER, reachedTiers, type Relevance } from '#src/storage/search/relevance.ts'
import type { OrderValue } from '#src/storage/search/order-values.ts'
import type { CursorPlace } from '#src/storage/search/search-cursor.ts'
import type { OrderKey, SearchOrder } from '#src/storage/search/search-order.ts'

/** Row ids of the candidates sorted whole, as `item`. Only for few: each is looked at for each page. */
export function idsSorted(
  candidates: Candidates,
  { keys, descending }: SearchOrder,
  { position, limit }: { position?: CursorPlace | undefined; limit?: number | undefined },
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
  { column, field, tier }: OrderKey,
  item: RawBuilder<unknown>,
  dialect: Dialect,
): RawBuilder<unknown> {
  if (tier) return tierOfRow(tier, item, dialect)
  if (column) return sql`(select ${exactColumn('o', column)} from item o where o.id = ${item})`
  const value = dialect.filter.value('o', exactKind(field, dialect.filter))
  const of = sql`from ${FIELD_VALUE} o where o.item = ${item} and o.field = ${field.id} and ${fits(field, dialect)}`
  if (field.type !== 'Select') return sql`(select ${value} ${of})`
  if (!field.variants.length) return sql`null`
  if (field.variants.length > MAX_CASES)
    return sql`(select ${dialect.filter.positionIn(value, field.variants)} ${of})`
  const positions = field.variants.map((variant, i) => sql`when ${variant} then ${sql.lit(i)}`)
  return sql`(select case ${value} ${sql.join(positions, sql` `)} end ${of})`
}

/** The tier of relevance of the item whose row id the expression is. */
function tierOfRow(relevance: Relevance, item: RawBuilder<unknown>, dialect: Dialect): RawBuilder<unknown> {
  const cases = reachedTiers(relevance).map(
    ({ tier, reached }) => sql`when ${filterToSql(reached, dialect, 'o')} then ${sql.lit(tier)}`,
  )
  if (!cases.length) return sql.lit(LAST_TIER)
  return sql`(select case ${sql.join(cases, sql` `)} else ${sql.lit(LAST_TIER)} end from item o where o.id = ${item})`
}

/** The row `o` of the index holds a value that is ordered, not one of another type. */
function fits(field: BoundField, { filter }: Dialect): RawBuilder<SqlBool> {
  const kind = valueKind(field.type)
  return filter.inRange(filter.withoutIndex(filter.value('o', kind), kind), kind, {})
}

/** The item has a value that is ordered: else it comes last. */
export function hasValue(field: BoundField, dialect: Dialect): Condition {
  const known = field.type === 'Select' ? sql` and ${isVariant(field, dialect)}` : sql``
  return (item) =>
    sql`exists (select 1 from ${FIELD_VALUE} o where o.item = ${item} and o.field = ${field.id} and ${fits(field, dialect)}${known}${dialect.filter.forEachRow})`
}

function isVariant(field: BoundField, { filter }: Dialect): RawBuilder<SqlBool> {
  const kind = exactKind(field, filter)
  return filter.isOneOf(filter.withoutIndex(filter.value('o', kind), kind), field.variants, kind)
}

function isAfter(
  keys: readonly OrderKey[],
  descending: boolean,
  names: readonly RawBuilder<unknown>[],
  { values, item }: CursorPlace,
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
