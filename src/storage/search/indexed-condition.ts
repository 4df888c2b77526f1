import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ValueTest } from '#src/filter/meaning/plan.ts'
import { prefixRange, type SingleTest, valueCondition } from '#src/filter/sql/value-condition.ts'
import type { FilterDialect, Range, ValueKind } from '#src/sql/filter-dialect.ts'

/**
 * A test as a condition that an index serves. Where the index has only the beginnings of the texts that the test is
 * about, it gives those that begin alike and each is looked at whole.
 */
export function indexedCondition<Kind extends ValueKind>(
  test: SingleTest,
  valueAs: (kind: Kind | 'text') => RawBuilder<unknown>,
  kind: Kind,
  dialect: FilterDialect,
): Expression<SqlBool> {
  const exact = valueCondition(test, valueAs(kind), kind, dialect)
  const coarse = kind === 'full_text' && beginningOf(test, dialect)
  return coarse ? sql`${valueCondition(coarse, valueAs('text'), 'text', dialect)} and ${exact}` : exact
}

/** What the beginnings of all texts satisfy that satisfy the test. */
function beginningOf(test: SingleTest, dialect: FilterDialect): SingleTest | undefined {
  switch (test.test) {
    case 'one_of':
      return { test: 'one_of', values: test.values.map((each) => dialect.indexed(String(each))) }
    case 'range':
      return test.also ? undefined : beginningOfRange(test, dialect)
    case 'prefix':
      return beginningOfRange(prefixRange(test.text), dialect)
    case 'none_of':
    case 'substring':
    case 'regex':
    case 'any_substring':
      return undefined
  }
}

function beginningOfRange(
  { lower, upper }: Range,
  dialect: FilterDialect,
): Extract<ValueTest, { test: 'range' }> {
  const widened = (bound: Range['lower']) =>
    bound && { value: dialect.indexed(String(bound.value)), inclusive: true }
  return { test: 'range', lower: widened(lower), upper: widened(upper) }
}
