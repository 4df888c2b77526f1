import { expect, it } from 'vitest'
import { mergedList } from '#web/rules/merged-list.ts'

const file = (file_id: string, name: string) => ({ file_id, name })

it.each<[string, unknown, unknown, unknown, unknown]>([
  ['both have added', ['a'], ['a', 'b'], ['a', 'c'], ['a', 'b', 'c']],
  ['both have added the same', ['a'], ['a', 'b'], ['a', 'b'], ['a', 'b']],
  ['one has added, others have taken away', ['a', 'b'], ['a', 'b', 'c'], ['a'], ['a', 'c']],
  ['one has taken away, others have added', ['a', 'b'], ['b'], ['a', 'b', 'c'], ['b', 'c']],
  ['all is taken away', ['a'], null, ['a'], null],
  ['nothing was there', null, ['a'], ['b'], ['a', 'b']],
  ['the order was changed', ['a', 'b'], ['b', 'a'], ['a', 'b', 'c'], ['b', 'a', 'c']],
  [
    'files got other names',
    [file('1', 'x'), file('2', 'y')],
    [file('1', 'mine'), file('2', 'y')],
    [file('1', 'x'), file('2', 'theirs')],
    [file('1', 'mine'), file('2', 'theirs')],
  ],
  ['it is no list', 'a', ['a', 'b'], ['a'], undefined],
])('a list is one where %s', (_, opened, mine, stored, expected) => {
  expect(mergedList({ opened, mine, stored })).toEqual(expected)
})
