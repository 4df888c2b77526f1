import { expect, it } from 'vitest'
import { foundByTyping } from '#web/rules/type-ahead.ts'

const NAMES = ['Date', 'Number', 'Text', 'Time', 'Öl', 'a word']

it.each([
  ['t', -1, 2],
  // Once more goes on, and after the last comes the first.
  ['t', 2, 3],
  ['t', 3, 2],
  ['tt', 2, 3],
  ['ti', 2, 3],
  ['te', 2, 2],
  ['a w', 0, 5],
  ['ol', 0, 4],
  ['x', 0, -1],
])('%s, from %i on, leads to %i', (typed, from, to) => expect(foundByTyping(NAMES, typed, from)).toBe(to))
