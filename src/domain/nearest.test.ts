import { describe, expect, it } from 'vitest'
import { nearest } from '#src/domain/nearest.ts'

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

  it('looks through many names at once', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `Some tag of a base ${i}`)
    const start = performance.now()
    expect(nearest('Smoe tag of a base 17777', names)).toBe('Some tag of a base 17777')
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
