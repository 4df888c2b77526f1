import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FilterPlan, RowIds, SearchPart } from '#src/filter/meaning/plan.ts'
import type { Scope } from '#src/filter/sql/field-probe.ts'
import type { FilterDialect } from '#src/sql/filter-dialect.ts'

/** What comes before a word that is not the first one of a name. */
export const BEFORE_WORDS = Array.from(` -/\\([{<"'.,:;_#&+@|–—„“”‚‘’«»‹›¿¡`)

export function searchCondition(
  { text, part, except }: Extract<FilterPlan, { kind: 'search' }>,
  { id, row, folded, dialect }: Scope,
): RawBuilder<SqlBool> {
  if (folded === 'row')
    return sql`(${dialect.contains(sql.raw(`${row}.folded_name`), text)} or ${dialect.contains(sql.raw(`${row}.folded_description`), text)})`
  return sql`exists (select 1 from ${sql.raw(folded)} t where t.id = ${id} and ${textHolds(text, part, dialect)}${isNoneOf(sql`t.id`, except)}${dialect.forEachRow})`
}

/** Nothing where there are none. */
export const isNoneOf = (id: RawBuilder<unknown>, except: RowIds | undefined): RawBuilder<unknown> =>
  except ? sql` and (${id} <= ${except.after} or ${id} > ${except.upTo})` : sql``

function textHolds(text: string, part: SearchPart | undefined, dialect: FilterDialect): RawBuilder<SqlBool> {
  const [name, description] = [sql`t.name`, sql`t.description`]
  switch (part) {
    case undefined:
      return sql`(${dialect.contains(name, text)} or ${dialect.contains(description, text)})`
    case 'name':
      return dialect.contains(name, text)
    case 'description':
      return dialect.contains(description, text)
    case 'whole_name':
      return sql`${dialect.withoutIndex(name)} = ${text}`
    case 'name_start':
      return sql`substr(t.name, 1, ${sql.lit(Array.from(text).length)}) = ${text}`
    case 'word_start': {
      const words = BEFORE_WORDS.map((before) => dialect.contains(name, before + text))
      return sql`(${dialect.contains(name, text)} and (${sql.join(words, sql` or `)}))`
    }
  }
}

export function valuesCondition(
  { text, fields }: Extract<FilterPlan, { kind: 'values' }>,
  { id, dialect, values }: Scope,
): RawBuilder<SqlBool> {
  if (!dialect.containsFolded) throw new Error('a search in values is settled before the plan becomes SQL')
  const holds = dialect.containsFolded(dialect.value('v', 'full_text'), text)
  return sql`exists (select 1 from ${sql.raw(values)} v where v.item = ${id} and ${dialect.isOneOf(sql`v.field`, fields, 'row_id')} and ${holds}${dialect.forEachRow})`
}
