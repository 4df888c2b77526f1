import { describe, expect, it } from 'vitest'
import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'

describe('fieldValueChanges', () => {
  const cases: [
    words: string,
    before: FieldValues,
    after: FieldValues,
    old: FieldValues,
    now: FieldValues,
  ][] = [
    ['nothing', { a: 1, b: ['x'] }, { b: ['x'], a: 1 }, {}, {}],
    ['another value', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 2 }, { b: 3 }],
    ['a field that comes', {}, { a: 1 }, {}, { a: 1 }],
    ['a field that goes', { a: 1 }, {}, { a: 1 }, {}],
    ['null where there was nothing', {}, { a: null }, {}, { a: null }],
    ['nothing where there was null', { a: null }, {}, { a: null }, {}],
    ['null for a value', { a: 1 }, { a: null }, { a: 1 }, { a: null }],
    ['another order of variants', { a: ['x', 'y'] }, { a: ['y', 'x'] }, { a: ['x', 'y'] }, { a: ['y', 'x'] }],
    [
      'another variant',
      { a: { variant: 'x' } },
      { a: { variant: 'y' } },
      { a: { variant: 'x' } },
      { a: { variant: 'y' } },
    ],
    ['names that every object has', {}, { constructor: 1, toString: 2 }, {}, { constructor: 1, toString: 2 }],
  ]
  for (const [words, before, after, old_values, new_values] of cases)
    it(`tells ${words}`, () => {
      const fields_changed = [...new Set([...Object.keys(old_values), ...Object.keys(new_values)])]
      expect(fieldValueChanges(before, after)).toEqual({ fields_changed, old_values, new_values })
    })
})
