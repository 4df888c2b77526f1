import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** In parentheses, as a tree of little depth: engines limit how deep an expression may be. */
export function balanced(
  conditions: readonly Expression<SqlBool>[],
  operator: 'and' | 'or',
): RawBuilder<SqlBool> {
  if (conditions.length === 1) return sql`${conditions[0]!}`
  const middle = conditions.length >> 1
  const left = balanced(conditions.slice(0, middle), operator)
  const right = balanced(conditions.slice(middle), operator)
  return operator === 'and' ? sql`(${left} and ${right})` : sql`(${left} or ${right})`
}
