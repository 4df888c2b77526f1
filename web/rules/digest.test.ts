import { expect, it } from 'vitest'
import { digest, digestWords } from '#web/rules/digest.ts'
import type { Foldable } from '#web/rules/fold-changes.ts'

const change = (summary: string, minute: number, more: Partial<Foldable> = {}): Foldable => ({
  operation: null,
  summary,
  created_at: new Date(Date.UTC(2026, 0, 1, 12, -minute)).toISOString(),
  user_id: 'A',
  source: 'rest',
  client: null,
  counts: {},
  undone_by: null,
  ...more,
})

const sentences = (changes: readonly Foldable[]) => digest(changes).map(digestWords)

it('says once what somebody did again and again, also between other things', () => {
  expect(
    sentences([
      change('Set Task.status of 1 item', 0),
      change("Created item 'a' with Task", 1),
      change('Set Task.status of 3 items', 2),
      change("Created item 'it's' with Task", 3),
      change('Created 20 items with Task', 4),
      change("Deleted item 'a'", 5),
      change('Applied Task to 1 item', 6),
      change('Applied Task to 2 items', 7),
      change("Changed description of item 'a'", 8),
      change("Changed description of item 'a'", 9),
      change("Changed description of item 'b'", 9),
    ]),
  ).toEqual([
    'Set Task.status 2 times',
    'Created 22 items with Task',
    "Deleted item 'a'",
    'Applied Task to 3 items',
    "Changed description of 'a' 2 times",
    "Changed description of item 'b'",
  ])
})

it.each<[string, Foldable]>([
  ['somebody else did it', change('Set Task.status of 1 item', 1, { user_id: 'B' })],
  ['an agent did it', change('Set Task.status of 1 item', 1, { client: { id: 'C' } })],
  ['it is undone', change('Set Task.status of 1 item', 1, { undone_by: 'U' })],
  ['it was another field', change('Set Task.due of 1 item', 1)],
  ['it was long before', change('Set Task.status of 1 item', 90)],
])('leaves it apart where %s', (_, other) => {
  expect(sentences([change('Set Task.status of 1 item', 0), other])).toHaveLength(2)
})
