import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uniteRanges } from '#src/filter/meaning/unite-ranges.ts'

type Range = Parameters<typeof uniteRanges>[0][number]

const bound = (value: fc.Arbitrary<string | number>) =>
  fc.option(fc.record({ value, inclusive: fc.boolean() }), { nil: undefined })
const ranges = (value: fc.Arbitrary<string | number>) =>
  fc.array(
    fc.record({ lower: bound(value), upper: bound(value) }).map(({ lower, upper }): Range => ({
      test: 'range',
      ...(lower && { lower }),
      ...(upper && { upper }),
    })),
    { maxLength: 8 },
  )

const isWithin = (value: string | number, { lower, upper }: Range) =>
  (!lower || after(value, lower.value) || (lower.inclusive && value === lower.value)) &&
  (!upper || after(upper.value, value) || (upper.inclusive && value === upper.value))
/** As UTF-8 goes: by code point. */
const after = (a: string | number, b: string | number) =>
  typeof a === 'number' ? a > Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b))) > 0

const NUMBERS = [-2, -1, 0, 0.5, 1, 2, 3]
const TEXTS = [
  '',
  'a',
  'ab',
  'b',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{103fe}',
  '\u{103ff}',
  '😀',
  '😀a',
]

describe('uniting ranges', () => {
  for (const [what, values] of [
    ['numbers', NUMBERS],
    ['texts, by code point', TEXTS],
  ] as const)
    it(`holds for the same ${what}`, () => {
      fc.assert(
        fc.property(ranges(fc.constantFrom<string | number>(...values)), (given) => {
          const united = uniteRanges(given)
          for (const value of values)
            expect(united.some((each) => isWithin(value, each))).toBe(
              given.some((each) => isWithin(value, each)),
            )
        }),
        { numRuns: 2000 },
      )
    })

  it('leaves one of those that overlap or touch', () => {
    const above = (value: number): Range => ({ test: 'range', lower: { value, inclusive: false } })
    expect(uniteRanges(Array.from({ length: 1000 }, (_, i) => above(i)))).toEqual([above(0)])
    const part = (from: number, inclusive: boolean): Range => ({
      test: 'range',
      lower: { value: from, inclusive: true },
      upper: { value: from + 1, inclusive },
    })
    expect(uniteRanges([part(2, false), part(1, false), part(3, true)])).toEqual([
      { test: 'range', lower: { value: 1, inclusive: true }, upper: { value: 4, inclusive: true } },
    ])
    expect(uniteRanges([part(3, true), part(1, false)])).toEqual([part(1, false), part(3, true)])
  })
})
