import type { ThrowIfEnded } from '#src/domain/pattern.ts'
import { textHolds } from '#src/domain/text-test.ts'
import type { IndexValue } from '#src/filter/meaning/plan.ts'
import type { SingleTest } from '#src/filter/sql/value-condition.ts'
import type { Range } from '#src/sql/filter-dialect.ts'

/** A pattern ends in the middle of a text where `throwIfEnded` throws. */
export type Holds = (value: string | number, throwIfEnded?: ThrowIfEnded) => boolean

/** The test of a value that fits its field as a function: what `valueCondition` is in SQL. */
export function valueHolds(test: SingleTest): Holds {
  switch (test.test) {
    case 'one_of':
      return isOneOf(test.values)
    case 'none_of': {
      const isOne = isOneOf(test.values)
      return (value) => !isOne(value)
    }
    case 'range': {
      const isWithin = inRange(test)
      if (test.also) {
        const isOne = isOneOf(test.also)
        return (value) => isWithin(value) || isOne(value)
      }
      if (!test.except) return isWithin
      const isOne = isOneOf(test.except)
      return (value) => isWithin(value) && !isOne(value)
    }
    case 'prefix':
      return (value) => String(value).startsWith(test.text)
    case 'substring':
      return (value) => typeof value === 'string' && value.includes(test.text)
    case 'regex':
    case 'any_substring': {
      const holds = textHolds(test)
      return (value, throwIfEnded) => typeof value === 'string' && holds(value, throwIfEnded)
    }
  }
}

function isOneOf(values: readonly IndexValue[]): Holds {
  const [only] = values
  if (values.length === 1) return (value) => value === only
  const set = new Set(values)
  return (value) => set.has(value)
}

function inRange({ lower, upper }: Range): Holds {
  return (value) => {
    if (lower) {
      const order = compareValues(value, lower.value)
      if (order < 0 || (order === 0 && !lower.inclusive)) return false
    }
    if (!upper) return true
    const order = compareValues(value, upper.value)
    return order < 0 || (order === 0 && upper.inclusive)
  }
}

/** From here on UTF-16 does not compare as code points do. */
const SURROGATES = /[\ud800-\uffff]/

/** Numbers by size, texts by code point. */
export function compareValues(a: string | number, b: string | number): number {
  if (a === b) return 0
  if (typeof a === 'string' && typeof b === 'string' && SURROGATES.test(a) && SURROGATES.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}
