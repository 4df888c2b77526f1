import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest } from '#src/domain/nearest.ts'
import { computed } from '#test/support/computed.ts'

describe('nearest', () => {
  const cases: [text: string, candidates: string[], found: string | undefined][] = [
    ['prioritty', ['title', 'priority', 'due'], 'priority'],
    ['TASK', ['Tag', 'Task'], 'Task'],
    ['opne', ['done', 'open'], 'open'],
    ['dry-run', ['filter', 'dry_run'], 'dry_run'],
    ['String', ['Strings', 'String'], 'String'],
    ['abcd', ['abce', 'abcf'], 'abce'],
    ['', ['a'], undefined],
    ['a', ['b'], undefined],
    ['name', [], undefined],
    ['completely', ['different'], undefined],
    ['Größse', ['Größe'], 'Größe'],
    [`${'x'.repeat(64)}1`, [`${'x'.repeat(64)}2`], `${'x'.repeat(64)}2`],
  ]
  for (const [text, candidates, found] of cases)
    it(`finds ${found} for '${text.slice(0, 20)}' in ${candidates.join(', ').slice(0, 40)}`, () =>
      expect(nearest(text, candidates)).toBe(found))

  it('looks through thousands of long names in no time', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `${'abcdefghij'.repeat(6)}${i}`)
    const start = computed()
    expect(nearest(`${'abcdefghji'.repeat(6)}4321`, names)).toBe(`${'abcdefghij'.repeat(6)}4321`)
    expect(computed() - start).toBeLessThan(2500)
  })

  it('finds the same as the textbook says', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(short, short, (a, b) => {
        const near = textbookDistance(a, b) <= Math.floor(Math.max(a.length, b.length) * 0.4)
        expect(nearest(a, [b])).toBe(near ? b : undefined)
      }),
      { numRuns: 2000 },
    )
  })
})

/** Optimal string alignment, by its recursive definition. */
function textbookDistance(a: string, b: string): number {
  if (!a || !b) return a.length + b.length
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)]
  const replaced = textbookDistance(x, y) + (a.at(-1) === b.at(-1) ? 0 : 1)
  const swapped =
    a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
      ? textbookDistance(a.slice(0, -2), b.slice(0, -2)) + 1
      : Infinity
  return Math.min(textbookDistance(x, b) + 1, textbookDistance(a, y) + 1, replaced, swapped)
}
