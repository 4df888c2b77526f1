import { type Expression, type SqlBool, sql } from 'kysely'
import { unreachable } from '#src/domain/errors.ts'
import type { TextTest } from '#src/domain/text-test.ts'
import type { ValueTest } from '#src/filter/meaning/plan.ts'
import type { FilterDialect, ValueKind } from '#src/sql/filter-dialect.ts'

/** The tests of a value that is there. */
export type SingleTest = Extract<
  ValueTest,
  { test: 'one_of' | 'none_of' | 'range' | 'prefix' | 'substring' | TextTest['test'] }
>

/** A test as a condition on a value that is not null. */
export function valueCondition(
  test: SingleTest,
  value: Expression<unknown>,
  kind: ValueKind,
  dialect: FilterDialect,
): Expression<SqlBool> {
  switch (test.test) {
    case 'one_of':
      return dialect.isOneOf(value, test.values, kind)
    case 'none_of':
      // A row that marks a mismatch of type is none of anything, so nothing here may come out as null.
      return sql`(${dialect.isOneOf(value, test.values, kind)}) is not true`
    case 'range': {
      const within = dialect.inRange(value, kind, test)
      if (test.also) return sql`(${within} or ${dialect.isOneOf(value, test.also, kind)})`
      return test.except ? sql`${within} and not ${dialect.isOneOf(value, test.except, kind)}` : within
    }
    case 'prefix':
      return dialect.inRange(value, kind, prefixRange(test.text))
    case 'substring':
      return dialect.contains(value, test.text)
    case 'regex':
      return dialect.matches(value, test.pattern)
    case 'any_substring':
      return dialect.containsAny(value, test.texts)
    default:
      return unreachable(test)
  }
}

const LAST_CODE_POINT = 0x10ffff
const SURROGATES = { first: 0xd800, last: 0xdfff }

/** The texts that begin with a prefix are those from it up to where its last character is the next one. */
export function prefixRange(prefix: string) {
  const lower = { value: prefix, inclusive: true }
  const points = Array.from(prefix, (char) => char.codePointAt(0)!)
  while (points.at(-1) === LAST_CODE_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return { lower }
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1
  return { lower, upper: { value: String.fromCodePoint(...points, next), inclusive: false } }
}
