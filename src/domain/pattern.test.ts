import { describe, expect, it } from 'vitest'
import { matchesPattern, patternFault } from '#src/domain/pattern.ts'

describe('patternFault', () => {
  for (const { pattern, fault } of [
    { pattern: 'a+', fault: undefined },
    { pattern: '', fault: undefined },
    { pattern: '\\p{Greek}(?P<name>x)', fault: undefined },
    { pattern: '😀'.repeat(1000), fault: undefined },
    { pattern: '😀'.repeat(1001), fault: 'a regular expression has at most 1000 characters' },
    { pattern: '(', fault: 'missing closing ): `(`' },
    { pattern: '(a)\\1', fault: 'invalid escape sequence: `\\1`' },
    { pattern: 'x(?<!y)', fault: 'invalid named capture: `(?<!y)`' },
    { pattern: '((a{100}){100}){100}', fault: 'invalid repeat count: `{100}`' },
  ])
    it(`says ${fault} of ${pattern.slice(0, 30)}`, () => expect(patternFault(pattern)).toBe(fault))
})

describe('matchesPattern', () => {
  it('matches anywhere, by character, with regard to case', () => {
    expect(matchesPattern('b', 'abc')).toBe(true)
    expect(matchesPattern('^.$', '😀')).toBe(true)
    expect(matchesPattern('B', 'abc')).toBe(false)
    expect(matchesPattern('(?i)σ', 'ς')).toBe(true)
  })

  it('takes time linear in the text, whatever the pattern', () => {
    const began = performance.now()
    for (const pattern of ['^(a+)+$', '(a|aa)+$', '(.*)*b', '(x+x+)+y'])
      matchesPattern(pattern, 'a'.repeat(50_000))
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
