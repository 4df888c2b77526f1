import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FilterPlan, RowIds, SearchPart } from '#src/filter/meaning/plan.ts'
import { balanced } from '#src/filter/sql/balanced.ts'
import { forEachRow, type Scope } from '#src/filter/sql/field-probe.ts'
import type { FilterDialect } from '#src/sql/filter-dialect.ts'

/** What comes before a word that is not the first one of a name. */
export const BEFORE_WORDS = Array.from(` -/\\([{<"'.,:;_#&+@|–—„“”‚‘’«»‹›¿¡`)

type Search = Extract<FilterPlan, { kind: 'search' }>

export function searchCondition(search: Search, scope: Scope): RawBuilder<SqlBool> {
  const { row, folded, dialect } = scope
  const { text } = search
  if (folded === 'row')
    return sql`(${dialect.contains(sql.raw(`${row}.folded_name`), text)} or ${dialect.contains(sql.raw(`${row}.folded_description`), text)})`
  return textsCondition(holdsOf(search, dialect), scope)
}

/** Of several, at one look at the texts of the item. */
export function searchesCondition(
  searches: readonly Search[],
  operator: 'and' | 'or',
  scope: Scope,
): RawBuilder<SqlBool> {
  const holds = searches.map((each) => holdsOf(each, scope.dialect))
  return textsCondition(balanced(holds, operator), scope)
}

const holdsOf = ({ text, part, except }: Search, dialect: FilterDialect): RawBuilder<SqlBool> =>
  sql`${textHolds(text, part, dialect)}${isNoneOf(sql`t.id`, except)}`

/** The item has texts, as `t`, of which `holds` is true. */
const textsCondition = (holds: RawBuilder<SqlBool>, scope: Scope): RawBuilder<SqlBool> =>
  sql`exists (select 1 from ${sql.raw(scope.folded)} t where t.id = ${scope.id} and ${holds}${forEachRow(scope)})`

/** Nothing where there are none. */
export const isNoneOf = (id: RawBuilder<unknown>, except: RowIds | undefined): RawBuilder<unknown> =>
  except ? sql` and (${id} <= ${except.after} or ${id} > ${except.upTo})` : sql``

/** Whether the texts of `t` hold it. */
export function textHolds(
  text: string,
  part: SearchPart | undefined,
  dialect: FilterDialect,
): RawBuilder<SqlBool> {
  const [name, description] = [sql`t.name`, sql`t.description`]
  switch (part) {
    case undefined:
      return sql`(${dialect.contains(name, text)} or ${dialect.contains(description, text)})`
    case 'name':
      return dialect.contains(name, text)
    case 'description':
      return dialect.contains(description, text)
    case 'whole_name':
      return sql`${dialect.withoutIndex(name, 'text')} = ${text}`
    case 'name_start':
      return sql`substr(t.name, 1, ${sql.lit(Array.from(text).length)}) = ${text}`
    case 'word_start': {
      const words = BEFORE_WORDS.map((before) => dialect.contains(name, before + text))
      return sql`(${dialect.contains(name, text)} and (${sql.join(words, sql` or `)}))`
    }
  }
}

type InValues = Extract<FilterPlan, { kind: 'values' }>

export function valuesCondition({ text, fields }: InValues, scope: Scope): RawBuilder<SqlBool> {
  const { id, dialect, values } = scope
  if (!dialect.containsFolded) throw new Error('a search in values is settled before the plan becomes SQL')
  const holds = dialect.containsFolded(dialect.value('v', 'full_text'), text)
  return sql`exists (select 1 from ${sql.raw(values)} v where v.item = ${id} and ${dialect.isOneOf(sql`v.field`, fields, 'row_id')} and ${holds}${forEachRow(scope)})`
}

/** Of several in the same fields: one of the texts is in a value. Each value is folded once, for which the limit stands. */
export function oneInValues(searches: readonly [InValues, ...InValues[]], scope: Scope): RawBuilder<SqlBool> {
  const { id, dialect, values } = scope
  if (!dialect.folded) throw new Error('a search in values is settled before the plan becomes SQL')
  const text = dialect.folded(dialect.value('v', 'full_text'))
  const [{ fields }] = searches
  const rows = sql`select ${text} as folded from ${sql.raw(values)} v where v.item = ${id} and ${dialect.isOneOf(sql`v.field`, fields, 'row_id')} limit -1`
  const holds = searches.map((each) => dialect.contains(sql`f.folded`, each.text))
  return sql`exists (select 1 from (${rows}) f where ${balanced(holds, 'or')}${forEachRow(scope)})`
}
