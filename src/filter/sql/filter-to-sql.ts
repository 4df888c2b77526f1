import { type Expression, type SqlBool, sql } from 'kysely'
import { unreachable } from '#src/domain/errors.ts'
import type { BoundField, FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { valueCondition } from '#src/filter/sql/value-condition.ts'
import { balanced } from '#src/filter/sql/balanced.ts'
import {
  danglingCondition,
  exists,
  forEachRow,
  misfitCondition,
  type Scope,
  setCondition,
} from '#src/filter/sql/field-probe.ts'
import { joinProbes } from '#src/filter/sql/join-probes.ts'
import { searchCondition, valuesCondition } from '#src/filter/sql/search-probe.ts'
import { readsRow } from '#src/filter/sql/reads-row.ts'
import { testedKind } from '#src/filter/sql/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { HAS_TAG } from '#src/sql/tables.ts'

type TextColumn = Extract<FilterPlan, { kind: 'text' }>['column']

/**
 * The plan as one condition on the row of `item` that is known by an alias. Every leaf is a probe of that item: no
 * index on values is used, so whatever drives the query goes on driving it. Never null. That the item lives is the
 * caller's to see to.
 */
export function filterToSql(plan: FilterPlan, dialect: Dialect, alias = 'item'): Expression<SqlBool> {
  return condition(plan, scopeOf(dialect, alias, LIVE))
}

/**
 * The same of a deleted item, as it was: its index rows and folded texts are in `deleted_value` and `deleted_text`,
 * which the statement makes. What it refers to, and what refers to it, has to live.
 */
export function deletedFilterToSql(plan: FilterPlan, dialect: Dialect, alias = 'item'): Expression<SqlBool> {
  return condition(plan, scopeOf(dialect, alias, { values: 'deleted_value', folded: 'deleted_text' }))
}

/** The plan of a tag filter as one condition on a row of `tag`. */
export function tagFilterToSql(plan: FilterPlan, dialect: Dialect, alias = 'tag'): Expression<SqlBool> {
  return condition(plan, scopeOf(dialect, alias, { ...LIVE, folded: 'row' }))
}

type Rows = Pick<Scope, 'values' | 'folded'>
const LIVE: Rows = { values: 'field_value', folded: 'item_text' }

const scopeOf = (dialect: Dialect, alias: string, rows: Rows): Scope => ({
  id: sql.raw(`${alias}.id`),
  row: alias,
  hops: 0,
  ...rows,
  dialect: dialect.filter,
})

function condition(plan: FilterPlan, scope: Scope): Expression<SqlBool> {
  switch (plan.kind) {
    case 'always':
      return sql`true`
    case 'never':
      return sql`false`
    case 'and':
    case 'or':
      return balanced(joinProbes(plan, scope, condition), plan.kind)
    case 'not':
      return sql`not ${condition(plan.child, scope)}`
    case 'search':
      return searchCondition(plan, scope)
    case 'values':
      return valuesCondition(plan, scope)
    case 'any':
      throw new Error('a search for any of some words is settled before the plan becomes SQL')
    case 'items':
    case 'id':
      return scope.dialect.isOneOf(scope.dialect.withoutIndex(scope.id, 'row_id'), plan.items, 'row_id')
    case 'has_tag':
      return exists(scope, HAS_TAG, (value) => scope.dialect.isOneOf(value, plan.tags, 'row_id'), 'row_id')
    case 'tagged':
      return exists(scope, HAS_TAG)
    case 'changed':
      return sql`exists (select 1 from audit_event e where e.item_id = ${sql.raw(scope.row)}.item_id and e.event_id >= ${plan.from} and e.event_id < ${plan.before} limit 1${scope.dialect.forEachRow})`
    case 'referred':
      return referredCondition(plan, scope)
    case 'text':
      return textCondition(plan.column, plan.test, scope)
    case 'field':
      return fieldCondition(plan.field, plan.test, scope)
    case 'hop':
      return hopCondition(plan.field, plan.target, scope)
    default:
      return unreachable(plan)
  }
}

function textCondition(column: TextColumn, test: ValueTest, scope: Scope): Expression<SqlBool> {
  const value = sql.raw(`${scope.row}.${column}`)
  switch (test.test) {
    case 'present':
      return sql`${value} is not null`
    case 'absent':
      return sql`${value} is null`
    case 'same_set':
    case 'dangling':
    case 'misfit':
      throw new Error('a text is no set, no reference, and fits')
    case 'one_of':
    case 'none_of':
    case 'range':
    case 'prefix':
    case 'substring':
    case 'regex':
    case 'any_substring': {
      const holds = valueCondition(
        test,
        scope.dialect.withoutIndex(value, 'text'),
        'full_text',
        scope.dialect,
      )
      return column === 'description' ? sql`(${value} is not null and ${holds})` : sql`(${holds})`
    }
    default:
      return unreachable(test)
  }
}

function fieldCondition(field: BoundField, test: ValueTest, scope: Scope): Expression<SqlBool> {
  const kind = testedKind(field.type, test, scope.dialect)
  switch (test.test) {
    case 'present':
      return exists(scope, field.id)
    case 'absent':
      return sql`not ${exists(scope, field.id)}`
    case 'same_set':
      return setCondition(field.id, test, kind, scope)
    case 'dangling':
      return danglingCondition(field.id, test, scope, targetCondition(test.among, scope))
    case 'misfit':
      return misfitCondition(field.id, test.variants, kind, scope)
    case 'none_of':
      if (test.or_absent)
        return sql`not ${exists(scope, field.id, (value) => scope.dialect.isOneOf(value, test.values, kind), kind)}`
      return exists(scope, field.id, (value) => valueCondition(test, value, kind, scope.dialect), kind)
    case 'one_of':
    case 'range':
    case 'prefix':
    case 'substring':
    case 'regex':
    case 'any_substring':
      return exists(scope, field.id, (value) => valueCondition(test, value, kind, scope.dialect), kind)
    default:
      return unreachable(test)
  }
}

/** What else has to be true of an item, known by an alias, so that a reference leads to it. */
const targetCondition = (among: FilterPlan | undefined, scope: Scope) =>
  among &&
  ((row: string): Expression<SqlBool> =>
    condition(among, { ...scope, ...LIVE, id: sql.raw(`${row}.id`), row }))

/** Counted no further than it needs: one is enough to say that there is one. */
function referredCondition(
  { field, filter, min, max }: Extract<FilterPlan, { kind: 'referred' }>,
  scope: Scope,
): Expression<SqlBool> {
  const { id, hops, dialect } = scope
  const [reference, row] = [sql.raw(`r${hops}`), `j${hops}`]
  const holds =
    filter.kind === 'always'
      ? sql``
      : sql` and ${condition(filter, { ...scope, ...LIVE, id: sql`${reference}.item`, row, hops: hops + 1 })}`
  const to = dialect.value(`r${hops}`, 'row_id')
  // Without the type of the column that it comes from: SQLite would convert `to` to it, past the index.
  const referred = dialect.untyped(id)
  const join = readsRow(filter) ? dialect.joinItem(row, sql`${reference}.item`) : sql``
  const rows = sql`from ${FIELD_VALUE} ${reference}${join} where ${reference}.field = ${field.id} and ${to} = ${referred}${holds}${dialect.asIndexed(`r${hops}`)}`
  // The limit keeps SQLite from making a join of it: where a sort has rows enough, that goes through all who refer.
  if (min === 1 && max === undefined) return sql`exists (select 1 ${rows} limit 1${dialect.forEachRow})`
  const most = sql.lit(max === undefined ? min : max + 1)
  const counted = sql`(select count(*) from (select 1 ${rows} limit ${most}) c${sql.raw(String(hops))})`
  return max === undefined ? sql`${counted} >= ${min}` : sql`${counted} between ${min} and ${max}`
}

function hopCondition(field: BoundField, target: FilterPlan, scope: Scope): Expression<SqlBool> {
  const { id, hops, dialect } = scope
  const [reference, row] = [`h${hops}`, `i${hops}`]
  const target_id = dialect.value(reference, 'row_id')
  const from = sql`${sql.raw(scope.values)} ${sql.raw(reference)}`
  const where = sql`${sql.raw(reference)}.item = ${id} and ${sql.raw(reference)}.field = ${field.id}`
  if (hasRowsOfLiveItemsOnly(target)) {
    const holds = condition(target, { ...scope, ...LIVE, id: target_id, row, hops: hops + 1 })
    return sql`exists (select 1 from ${from} where ${where} and ${holds}${forEachRow(scope)})`
  }
  const item = sql.raw(row)
  const holds = condition(target, { ...scope, ...LIVE, id: sql`${item}.id`, row, hops: hops + 1 })
  return sql`exists (select 1 from ${from}${dialect.joinItem(row, target_id)} where ${where} and ${item}.deleted_at is null and ${holds}${forEachRow(scope)})`
}

/** Whether the condition finds rows of the index, which has live items only, so that the item need not be looked at. */
function hasRowsOfLiveItemsOnly(plan: FilterPlan): boolean {
  switch (plan.kind) {
    case 'search':
    case 'values':
    case 'any':
    case 'has_tag':
    case 'hop':
    case 'items':
    case 'tagged':
      return true
    case 'field':
      return plan.test.test !== 'absent' && !(plan.test.test === 'none_of' && plan.test.or_absent)
    case 'text':
    case 'changed':
    case 'id':
    case 'referred':
    case 'always':
    case 'never':
    case 'and':
    case 'or':
    case 'not':
      return false
    default:
      return unreachable(plan)
  }
}
