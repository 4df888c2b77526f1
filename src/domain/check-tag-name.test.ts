import { describe, expect, it } from 'vitest'
import { checkTagName } from '#src/domain/names.ts'

describe('checkTagName', () => {
  for (const name of [
    'Task',
    'a.b',
    '..',
    'x'.repeat(200),
    '😀'.repeat(200),
    'constructor',
    '__proto__',
    `"'%_*`,
    'a b',
    'a-b',
    '->'.slice(1),
    '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
    'Ωμέγα',
    '👩‍👧',
    'می‌خواهم',
  ])
    it(`takes '${name.slice(0, 30)}'`, () => expect(checkTagName(name)).toEqual([]))

  const refused: [name: string, ...messages: string[]][] = [
    ['', 'must not be empty'],
    [' a', 'must not begin or end with a blank'],
    ['a\u00a0', 'must not begin or end with a blank'],
    [' ', 'must not begin or end with a blank'],
    ['a->b', `must not contain '->', which leads through references in filters`],
    ['a\u0007b', 'must not contain control characters'],
    ['a\u0085b', 'must not contain control characters'],
    ['invoice\u202efdp', 'must not contain control characters of writing direction'],
    ['a\u2066b', 'must not contain control characters of writing direction'],
    ['x'.repeat(201), 'must have at most 200 characters'],
    [
      'a->\u0001 ',
      'must not begin or end with a blank',
      `must not contain '->', which leads through references in filters`,
      'must not contain control characters',
    ],
  ]
  for (const [name, ...messages] of refused)
    it(`refuses ${JSON.stringify(name.slice(0, 30))}`, () =>
      expect(checkTagName(name, 'tags[0].name')).toEqual(
        messages.map((message) => ({ path: 'tags[0].name', message })),
      ))
})
