import { describe, expect, it } from 'vitest'
import { prefixRange } from '#src/filter/sql/value-condition.ts'

describe('prefixRange', () => {
  for (const { prefix, until } of [
    { prefix: 'ab', until: 'ac' },
    { prefix: '\ud7ff', until: '\ue000' },
    { prefix: '\uffff', until: '\u{10000}' },
    { prefix: 'a\u{10ffff}', until: 'b' },
    { prefix: '\u{10ffff}', until: undefined },
    { prefix: '', until: undefined },
  ])
    it(`of ${JSON.stringify(prefix)} ends before ${JSON.stringify(until)}`, () =>
      expect(prefixRange(prefix)).toEqual({
        lower: { value: prefix, inclusive: true },
        ...(until !== undefined && { upper: { value: until, inclusive: false } }),
      }))
})
