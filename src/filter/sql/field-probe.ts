import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ValueTest } from '#src/filter/meaning/plan.ts'
import type { FilterDialect, ValueKind } from '#src/sql/filter-dialect.ts'

/** The item that a condition is about. */
export interface Scope {
  /** Its row id. */
  id: RawBuilder<unknown>
  /** Alias of its row in `item`, where that is joined. */
  row: string
  /** Number of references followed. */
  hops: number
  /** Where its index rows are: those of deleted items the statement itself makes. */
  values: 'field_value' | 'deleted_value'
  /** Where the folded texts are: of items alongside them, of tags in their row. */
  folded: 'item_text' | 'deleted_text' | 'row'
  dialect: FilterDialect
  /** So many probes that none may become a part of a join. */
  many?: true
}

/** Behind a probe of one row: the limit keeps SQLite from making a join of it. */
export const forEachRow = ({ many, dialect }: Scope): RawBuilder<unknown> =>
  many ? sql` limit 1${dialect.forEachRow}` : dialect.forEachRow

/** The item has a row of the field in the index of which `holds` is true. */
export function exists(
  scope: Scope,
  field: number,
  holds?: (value: Expression<unknown>) => Expression<SqlBool>,
  kind: ValueKind = 'text',
): RawBuilder<SqlBool> {
  const { id, dialect, values } = scope
  const value = dialect.withoutIndex(dialect.value('v', kind), kind)
  const also = holds ? sql` and ${holds(value)}` : sql``
  return sql`exists (select 1 from ${sql.raw(values)} v where v.item = ${id} and v.field = ${field}${also}${forEachRow(scope)})`
}

/** As many rows as the set has members, and every one a member. */
export function setCondition(
  field: number,
  { values, negated }: Extract<ValueTest, { test: 'same_set' }>,
  kind: ValueKind,
  scope: Scope,
): Expression<SqlBool> {
  const { id, dialect } = scope
  const rows = sql.raw(scope.values)
  const count = (holds?: Expression<SqlBool>) =>
    sql`(select count(*) from ${rows} v where v.item = ${id} and v.field = ${field}${holds ? sql` and ${holds}` : sql``})`
  const member = dialect.isOneOf(dialect.withoutIndex(dialect.value('v', kind), kind), values, kind)
  const same = values.length
    ? sql<SqlBool>`(${count()} = ${values.length} and ${count(member)} = ${values.length})`
    : exists(scope, field, () => dialect.isEmptySet('v'))
  return negated ? sql`(${exists(scope, field)} and not ${same})` : same
}

/** A value of another type is no reference that dangles, and none that leads somewhere. */
export function danglingCondition(
  field: number,
  { dangling }: Extract<ValueTest, { test: 'dangling' }>,
  scope: Scope,
  leadsTo: ((row: string) => Expression<SqlBool>) | undefined,
): Expression<SqlBool> {
  const { dialect } = scope
  const also = leadsTo ? sql` and ${leadsTo('target')}` : sql``
  const lives = (value: Expression<unknown>) =>
    sql<SqlBool>`exists (select 1 from item target where target.id = ${value} and target.deleted_at is null${also}${dialect.forEachRow})`
  if (dangling)
    return exists(
      scope,
      field,
      (value) => sql`${dialect.inRange(value, 'row_id', {})} and not ${lives(value)}`,
      'row_id',
    )
  const leadsNowhere = exists(
    scope,
    field,
    (value) => sql`(${dialect.isEmptySet('v')}) is not true and not ${lives(value)}`,
    'row_id',
  )
  return sql`(${exists(scope, field)} and not ${leadsNowhere})`
}

/** A row that marks a mismatch of type is no variant either. */
export function misfitCondition(
  field: number,
  variants: readonly string[] | undefined,
  kind: ValueKind,
  scope: Scope,
): Expression<SqlBool> {
  const { dialect } = scope
  if (!variants) return exists(scope, field, () => dialect.isMisfit('v'))
  return exists(
    scope,
    field,
    (value) =>
      sql`(${dialect.isEmptySet('v')}) is not true and (${dialect.isOneOf(value, variants, kind)}) is not true`,
    kind,
  )
}
