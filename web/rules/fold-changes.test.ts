import { expect, it } from 'vitest'
import { foldChanges, foldedWords, type Foldable } from '#web/rules/fold-changes.ts'

const part = (second: number, more: Partial<Foldable> = {}): Foldable => ({
  operation: 'bulkCreate',
  summary: 'Created 1000 items with Deal',
  created_at: new Date(Date.UTC(2026, 0, 1) + 1000 * second).toISOString(),
  user_id: 'A',
  source: 'rest',
  client: null,
  counts: { item_created: 1000, tag_applied: 1000 },
  undone_by: null,
  ...more,
})

it('puts the parts of one import together', () => {
  const parts = Array.from({ length: 20 }, (_, i) => part(100 - i))
  const [one, ...others] = foldChanges(parts)
  expect(others).toEqual([])
  expect(foldedWords(one!)).toBe('Created 20,000 items with Deal')
})

it.each<[string, Foldable]>([
  ['somebody else made it', part(9, { user_id: 'B' })],
  ['it is another operation', part(9, { operation: 'createItem' })],
  ['it is of another tag', part(9, { summary: 'Created 1000 items with Person' })],
  ['one is undone', part(9, { undone_by: 'U' })],
  ['it was long before', part(-600)],
])('leaves them apart where %s', (_, other) => {
  expect(foldChanges([part(10), other])).toHaveLength(2)
})

it('leaves single changes, and says what an update did', () => {
  const single = part(1, { operation: 'createItem', summary: 'Created item ‘a’' })
  expect(foldChanges([single, single])).toHaveLength(2)
  expect(foldedWords([single])).toBe('Created item ‘a’')
  const update = {
    operation: 'bulkCreate',
    summary: 'Set Deal.a of 5 items',
    counts: { tag_values_updated: 5 },
  }
  expect(foldedWords([part(2, update), part(1, update)])).toBe('Set values of 10 items')
})
