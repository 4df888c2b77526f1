import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { estimatedPatternSize } from '#src/domain/pattern-size.ts'

describe('estimatedPatternSize', () => {
  for (const { pattern, least, most } of [
    { pattern: 'abc', least: 3, most: 10 },
    { pattern: '\\p{Greek}', least: 1, most: 5 },
    { pattern: '\\Qa{1000}\\E', least: 7, most: 15 },
    { pattern: '[x{1000}]', least: 1, most: 5 },
    { pattern: '\\pL{0,1000}', least: 2000, most: 2100 },
    { pattern: '(?i)a{500}(?i){500}', least: 250_000, most: 600_000 },
    { pattern: '\\pL{0,1000}'.repeat(85), least: 170_000, most: 180_000 },
    { pattern: '((((a{1000}){1000}){1000}){1000}){1000}', least: 1e15, most: 1e17 },
  ])
    it(`says between ${least} and ${most} of ${pattern.slice(0, 40)}`, () => {
      const size = estimatedPatternSize(pattern)
      expect(size).toBeGreaterThanOrEqual(least)
      expect(size).toBeLessThanOrEqual(most)
    })

  const atoms = fc.constantFrom(
    'a',
    'é',
    '😀',
    '.',
    '\\pL',
    '\\p{Greek}',
    '[a-z]',
    '[^\\d]',
    '[[:alpha:]x]',
    '[]a]',
    '\\x{41}',
    '\\x41',
    '\\Qab{3}\\E',
    '^',
    '$',
    '\\b',
    '(?i)',
    '{',
    '}',
    '{2',
    '{,3}',
    '\\012',
    '[\\]a]',
    '(?:)',
    '()',
    'ſ',
    '|',
    '\\Q',
  )
  const counts = fc.constantFrom(
    '',
    '',
    '',
    '*',
    '+',
    '?',
    '*?',
    '{3}',
    '{2,}',
    '{0,5}',
    '{1,2}?',
    '{0}',
    '{9,20}',
  )
  const { pattern: patterns } = fc.letrec<{ pattern: string; element: string; group: string }>((tie) => ({
    pattern: fc.array(tie('element'), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
    element: fc
      .tuple(fc.oneof({ depthSize: 'small' }, atoms, tie('group')), counts)
      .map(([element, count]) => element + count),
    group: fc
      .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?s-m:'), tie('pattern'))
      .map(([begin, inner]) => `${begin}${inner})`),
  }))

  it('is never less than what RE2 makes of it', () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        const estimate = estimatedPatternSize(pattern)
        fc.pre(estimate < 20_000)
        let size: number
        try {
          size = RE2JS.compile(pattern).programSize()
        } catch {
          return // no pattern
        }
        expect(estimate).toBeGreaterThanOrEqual(size)
      }),
      { numRuns: 400 },
    )
  })
})
