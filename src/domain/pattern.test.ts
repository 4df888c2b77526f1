import { describe, expect, it } from 'vitest'
import { matchesPattern, patternFault } from '#src/domain/pattern.ts'
import { computed } from '#test/support/computed.ts'
import { endlessPattern, letters } from '#test/support/endless-pattern.ts'

const TOO_LARGE =
  'compiled it has more than 10,000 instructions, because counted repetitions multiply: use smaller counts, or * and +'

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
    { pattern: '(a{1000}){2}', fault: 'invalid repeat count: `{2}`' },
    { pattern: 'a{1000}'.repeat(9), fault: undefined },
    { pattern: 'a{1000}'.repeat(10), fault: TOO_LARGE },
    { pattern: '((a{100}){100}){100}', fault: TOO_LARGE },
    { pattern: `${'\\pL{0,1000}'.repeat(50)}\\pN`, fault: TOO_LARGE },
  ])
    it(`says ${fault} of ${pattern.slice(0, 30)}`, () => expect(patternFault(pattern)).toBe(fault))
})

it('refuses what is too large at once, and keeps no more than some megabytes of what it has compiled', () => {
  const before = process.memoryUsage().rss
  const began = computed()
  for (let i = 0; i < 500; i++) expect(patternFault(`${'\\pL{0,1000}'.repeat(85)}${i}`)).toBe(TOO_LARGE)
  expect(computed() - began).toBeLessThan(20_000) // one of them compiled took half a second: 500 take minutes
  for (let i = 0; i < 60; i++) expect(patternFault(`${'\\pL{0,1000}'.repeat(4)}${i}`)).toBeUndefined()
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20) // 60 of them were 600 MB
})

it('compiles as many large patterns once as a filter may have', () => {
  const patterns = Array.from({ length: 13 }, (_, i) => `${'\\pL{0,900}'.repeat(4)}\\pN{1,${i + 1}}`)
  const computedBy = (work: () => void) => {
    const began = computed()
    work()
    return computed() - began
  }
  const round = () => patterns.forEach((each) => expect(patternFault(each)).toBeUndefined())
  const first = computedBy(round)
  expect(computedBy(() => Array.from({ length: 10 }, round))).toBeLessThan(first / 2)
})

describe('matchesPattern', () => {
  it('matches anywhere, by character, with regard to case', () => {
    expect(matchesPattern('b', 'abc')).toBe(true)
    expect(matchesPattern('^.$', '😀')).toBe(true)
    expect(matchesPattern('B', 'abc')).toBe(false)
    expect(matchesPattern('(?i)σ', 'ς')).toBe(true)
  })

  it('takes time linear in the text, whatever the pattern', () => {
    const began = computed()
    for (const pattern of ['^(a+)+$', '(a|aa)+$', '(.*)*b', '(x+x+)+y'])
      matchesPattern(pattern, 'a'.repeat(50_000))
    expect(computed() - began).toBeLessThan(5000)
  })

  it('ends in the middle of a text where the work is to end, and matches as before afterwards', () => {
    const over = new Error('over')
    const text = letters(2 ** 20)
    const pattern = endlessPattern(0)
    const began = computed()
    const until = (milliseconds: number) => () => {
      if (computed() - began > milliseconds) throw over
    }
    expect(() => matchesPattern(pattern, text, until(500))).toThrow(over)
    expect(computed() - began).toBeLessThan(1500) // all of it takes minutes
    expect(matchesPattern(pattern, `${text.slice(0, 500)}7`, () => {})).toBe(true)
    expect(matchesPattern(pattern, text.slice(0, 500), () => {})).toBe(false)
  })

  it('finds the same whether it looks up from the text or not', () => {
    const text = `${'ab cd '.repeat(400)}Zoë 😀 12-34\n${'x'.repeat(100)}`
    for (const pattern of [
      '^ab',
      '12-\\d\\d$',
      '(?m)34$',
      '😀',
      '(?i)zoË',
      'x{100}$',
      'cd  ',
      '\\bZ',
      '^x',
      'abc|😀 1',
      '(a|b)+x',
    ])
      expect([pattern, matchesPattern(pattern, text, () => {})]).toEqual([
        pattern,
        matchesPattern(pattern, text),
      ])
  })
})
