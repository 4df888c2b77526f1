import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isMany } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { indexedCondition } from '#src/storage/search/indexed-condition.ts'
import type { BoundField, FilterPlan, IndexValue, RowIds, ValueTest } from '#src/filter/meaning/plan.ts'
import { BEFORE_WORDS, isNoneOf, textHolds } from '#src/filter/sql/search-probe.ts'
import { type SingleTest, valueCondition } from '#src/filter/sql/value-condition.ts'
import { testedKind, textKind } from '#src/filter/sql/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { FilterDialect, SoughtText } from '#src/sql/filter-dialect.ts'
import { FIELD_VALUE, ITEM_TEXT } from '#src/sql/live-views.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import type { ItemColumn } from '#src/storage/search/search-order.ts'

/** A leaf of a plan as rows that an index gives, to drive a query. */
export interface FilterSource {
  /** `select … as item`: row ids of live items. */
  rows: RawBuilder<{ item: number }>
  /** In the order of row ids, so that a walk can stop at a limit. */
  ordered: boolean
  /** Every item once. */
  distinct: boolean
  /** The rows are the items that satisfy the leaf; else these are among them and the leaf is still to be probed. */
  exact: boolean
  /** Reached by the index alone, so that a row costs the same however few there are; else many are looked at for one. */
  seeks: boolean
  /** Each row is a text that was read, which may be long, and in no order: the first rows cost as much as any others. */
  ofTexts?: boolean
  /** For a hop: the referenced items, which `rows` looks through whole. */
  targets?: FilterSource
}

/** Undefined where nothing can drive: combinations, negatives, texts that have no index. */
export function filterSource(plan: FilterPlan, dialect: Dialect): FilterSource | undefined {
  return sourceOf(plan, dialect.filter)
}

function sourceOf(plan: FilterPlan, dialect: FilterDialect): FilterSource | undefined {
  switch (plan.kind) {
    case 'has_tag':
      return fieldSource(HAS_TAG, dialect.isOneOf(dialect.value('v', 'row_id'), plan.tags, 'row_id'), {
        ordered: plan.tags.length === 1,
        distinct: plan.tags.length === 1,
      })
    case 'items':
      return { rows: dialect.items(plan.items), ordered: false, distinct: true, exact: true, seeks: true }
    case 'id': {
      const rows = sql<{
        item: number
      }>`select n.id as item from item n where n.deleted_at is null and n.id in (${dialect.items(plan.items)})`
      return { rows, ordered: true, distinct: true, exact: true, seeks: true }
    }
    case 'search': {
      if (plan.waiting) return withWaiting(plan, dialect)
      if (plan.except) return withoutSome(plan, plan.except, dialect)
      if (plan.part === 'whole_name' || plan.part === 'name_start')
        return foldedNameSource(plan.text, plan.part, dialect)
      if (plan.part === 'word_start') return wordSource(plan.text, dialect)
      return textSource({ text: plan.text, part: plan.part }, dialect)
    }
    case 'text':
      return plan.column === 'description' ? undefined : columnSource(plan.column, plan.test, dialect)
    case 'field':
      return testSource(plan.field, plan.test, dialect)
    case 'changed':
      return changedSource(plan.from, plan.before)
    case 'hop':
      return hopSource(plan.field, plan.target, dialect)
    case 'referred':
      return targetsSource(plan.field, dialect)
    default:
      return undefined
  }
}

function textSource(sought: SoughtText, dialect: FilterDialect): FilterSource | undefined {
  const rows = dialect.itemsWithText(sought)
  return rows && { ...foundText(rows), ...(dialect.itemsWithTexts ? { ofTexts: true } : { ordered: true }) }
}

const foundText = (rows: FilterSource['rows']) => ({
  rows,
  ordered: false,
  distinct: true,
  exact: true,
  seeks: true,
})

/** In the order of the log, an item once for each of its events. */
function changedSource(from: Ulid, before: Ulid): FilterSource {
  const rows = sql<{
    item: number
  }>`select n.id as item from audit_event e cross join item n where n.item_id = e.item_id and n.deleted_at is null and e.event_id >= ${from} and e.event_id < ${before}`
  return { rows, ordered: false, distinct: false, exact: true, seeks: true }
}

function fieldSource(
  field: number,
  holds: Expression<SqlBool> | undefined,
  traits: Pick<FilterSource, 'distinct'> & Partial<FilterSource>,
): FilterSource {
  const rows = sql<{ item: number }>`select v.item as item from ${FIELD_VALUE} v where v.field = ${field}${
    holds ? sql` and ${holds}` : sql``
  }`
  return { rows, ordered: false, exact: true, seeks: true, ...traits }
}

function testSource(field: BoundField, test: ValueTest, dialect: FilterDialect): FilterSource | undefined {
  const distinct = !isMany(field.type)
  switch (test.test) {
    case 'present':
      return fieldSource(field.id, undefined, { distinct })
    case 'one_of':
      return oneOfSource(field, test.values, dialect)
    case 'same_set':
      if (test.negated || !test.values.length) return undefined
      return { ...oneOfSource(field, test.values.slice(0, 1), dialect), exact: false }
    case 'range': {
      if (!test.also) return fieldSource(field.id, condition(field, test, dialect), { distinct })
      const { lower, upper } = test
      const within = fieldSource(field.id, condition(field, { test: 'range', lower, upper }, dialect), {
        distinct,
      })
      const also = oneOfSource(field, test.also, dialect)
      return { ...within, rows: sql`${within.rows} union all ${also.rows}` }
    }
    case 'prefix':
      return fieldSource(field.id, condition(field, test, dialect), { distinct })
    case 'substring':
    case 'regex':
    case 'any_substring':
      return fieldSource(field.id, condition(field, test, dialect), { distinct, seeks: false })
    case 'dangling':
    case 'misfit':
      return fieldSource(field.id, undefined, { distinct, exact: false })
    case 'absent':
    case 'none_of':
      return undefined
  }
}

function oneOfSource(field: BoundField, values: readonly IndexValue[], dialect: FilterDialect): FilterSource {
  return fieldSource(field.id, condition(field, { test: 'one_of', values }, dialect), {
    ordered: values.length === 1,
    distinct: values.length === 1 || !isMany(field.type),
  })
}

function condition(field: BoundField, test: SingleTest, dialect: FilterDialect): Expression<SqlBool> {
  const kind = testedKind(field.type, test, dialect)
  return indexedCondition(test, (as) => dialect.value('v', as), kind, dialect)
}

function columnSource(column: ItemColumn, test: ValueTest, dialect: FilterDialect): FilterSource | undefined {
  if (test.test !== 'one_of' && test.test !== 'range' && test.test !== 'prefix') return undefined
  const held = (as: 'text' | 'full_text') =>
    column === 'name' ? dialect.name('n', as) : sql.raw(`n.${column}`)
  const kind = textKind(test, dialect)
  const rowsThat = (hold: Expression<SqlBool>) =>
    sql<{ item: number }>`select n.id as item from item n where n.deleted_at is null and ${hold}`
  const several = test.test === 'one_of' && test.values.length > 1 ? test.values.map(String) : undefined
  // Beginnings that are alike are looked up once, and what begins so is looked at whole.
  const beginnings = several && new Set(several.map(dialect.indexed))
  const whole = kind === 'full_text' ? sql` and ${valueCondition(test, held(kind), kind, dialect)}` : sql``
  const rows =
    beginnings &&
    dialect.rowsOfEach([...beginnings], (text) => rowsThat(sql`${held('text')} = ${text}${whole}`))
  return {
    rows: rows ?? rowsThat(indexedCondition<typeof kind>(test, held, kind, dialect)),
    ordered: test.test === 'one_of' && test.values.length === 1,
    distinct: true,
    exact: true,
    seeks: true,
  }
}

/** Without the items whose texts are still to be folded. */
function withoutSome(
  { text, part }: Search,
  except: RowIds,
  dialect: FilterDialect,
): FilterSource | undefined {
  const all = sourceOf({ kind: 'search', text, ...(part && { part }) }, dialect)
  return (
    all && {
      ...all,
      rows: sql`select r.item from (${all.rows}) r where true${isNoneOf(sql`r.item`, except)}`,
    }
  )
}

/**
 * With those whose texts the trigram index has still to be given, which are looked at one by one. By subselects, not by
 * joins: PostgreSQL takes the table of those that wait, which is mostly empty, for large, and would read all texts in
 * place of theirs; or for empty, and read all of it for each that the index gives.
 */
function withWaiting(plan: Search, dialect: FilterDialect): FilterSource | undefined {
  const { waiting, ...search } = plan
  const { text, part, except } = search
  const entered = waiting && sourceOf(search, dialect)
  if (!entered || part === 'whole_name' || part === 'name_start') return entered
  return besideWaiting(entered, sql`${textHolds(text, part, dialect)}${isNoneOf(sql`t.id`, except)}`)
}

/** `holds` is what the texts of an item, `t`, are looked at for. */
const besideWaiting = (entered: FilterSource, holds: RawBuilder<unknown>): FilterSource => ({
  ...entered,
  ordered: false,
  rows: sql`select r.item from (${entered.rows}) r where (select w.id from waiting_text w where w.id = r.item) is null union all select w.id as item from waiting_text w where (select ${holds} from ${ITEM_TEXT} t where t.id = w.id)`,
})

type Search = Extract<FilterPlan, { kind: 'search' }>

/** Searches that one look-up answers together: which of these, and how. */
export function jointSource(
  parts: readonly FilterPlan[],
  { filter: dialect }: Dialect,
): { parts: readonly Search[]; source: FilterSource } | undefined {
  if (!dialect.itemsWithTexts) return undefined
  const texts = parts.filter((part) => part.kind === 'search').filter(isPlain)
  const joint = texts.filter((each) => dialect.itemsWithText(each))
  if (joint.length < 2) return undefined
  const source = { ...foundText(dialect.itemsWithTexts(joint)), ofTexts: true }
  if (!joint.some(({ waiting }) => waiting)) return { parts: joint, source }
  const holds = joint.map(({ text, part }) => textHolds(text, part, dialect))
  return { parts: joint, source: besideWaiting(source, sql.join(holds, sql` and `)) }
}

/** Looked for anywhere in a text, and in all of them. */
const isPlain = (search: Search): search is Search & SoughtText =>
  !search.except && (search.part === undefined || search.part === 'name' || search.part === 'description')

function wordSource(text: string, dialect: FilterDialect): FilterSource | undefined {
  const found = dialect.itemsWithWord(text, BEFORE_WORDS)
  return found && { ...found, ordered: true, distinct: true, seeks: true }
}

/** What the index on folded names gives, not in the order of row ids. */
function foldedNameSource(
  text: string,
  part: 'whole_name' | 'name_start',
  dialect: FilterDialect,
): FilterSource {
  const test: SingleTest =
    part === 'whole_name' ? { test: 'one_of', values: [text] } : { test: 'prefix', text }
  const held = (as: 'text' | 'full_text') => dialect.name('n', as)
  const holds = indexedCondition<'text' | 'full_text'>(test, held, textKind(test, dialect), dialect)
  const rows = sql<{ item: number }>`select n.id as item from ${ITEM_TEXT} n where ${holds}`
  return { rows, ordered: false, distinct: true, exact: true, seeks: true }
}

/**
 * Every item that is referred to by a field: from each the index leads to the next, however many refer to it. With
 * `near`, this many at the most, after one of them (a row id).
 */
export function targetsSource(
  field: BoundField,
  dialect: FilterDialect,
  near?: { after: number | undefined; count: number },
): FilterSource {
  const value = dialect.value('v', 'row_id')
  const next = (beyond: RawBuilder<unknown>) =>
    sql`(select min(${value}) from ${FIELD_VALUE} v where v.field = ${field.id} and ${dialect.inRange(value, 'row_id', {})}${beyond})`
  const first = next(near?.after === undefined ? sql`` : sql` and ${value} > ${near.after}`)
  const following = next(sql` and ${value} > target.id`)
  const target = near
    ? sql`target(id, n) as (select ${first}, 1 union all select ${following}, target.n + 1 from target where target.id is not null and target.n < ${near.count})`
    : sql`target(id) as (select ${first} union all select ${following} from target where target.id is not null)`
  return {
    rows: sql`with recursive ${target} select n.id as item from target${dialect.joinItem('n', sql`target.id`)} where n.deleted_at is null`,
    ordered: true,
    distinct: true,
    exact: false,
    seeks: true,
  }
}

/** What the items of a source refer to by a field: a filter of those that refer drives, where few satisfy it. */
export function referredSource(
  field: BoundField,
  referring: FilterSource,
  dialect: FilterDialect,
): FilterSource {
  const values = dialect.joinValues('v', sql`t.item`, field.id)
  const items = dialect.joinItem('n', dialect.untyped(dialect.value('v', 'row_id')))
  return {
    rows: sql`select n.id as item from (select r.item as item from (${referring.rows}) r) t${values}${items} where n.deleted_at is null`,
    ordered: false,
    distinct: false,
    exact: referring.exact,
    seeks: referring.seeks,
  }
}

/** Where the target cannot drive, every item with the reference is a candidate. */
function hopSource(field: BoundField, target: FilterPlan, dialect: FilterDialect): FilterSource {
  const targets = sourceOf(target, dialect)
  const distinct = !isMany(field.type)
  if (!targets) return fieldSource(field.id, undefined, { exact: false, distinct })
  return fieldSource(field.id, dialect.isAmong(dialect.value('v', 'row_id'), targets.rows), {
    distinct,
    exact: targets.exact,
    seeks: targets.seeks,
    targets,
  })
}
