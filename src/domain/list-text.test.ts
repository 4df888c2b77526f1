import { expect, test } from 'vitest'
import { computed } from '#test/support/computed.ts'
import { listCell } from '#src/domain/csv-text.ts'
import { ListCount, listOf } from '#src/domain/list-text.ts'

test.each([
  ['a, b, c', ['a', 'b', 'c']],
  ['a,b', ['a,b']],
  ['"Doe, Jane", Ada', ['Doe, Jane', 'Ada']],
  ['"say ""hi""", b', ['say "hi"', 'b']],
  ['"two\nlines", b', ['two\nlines', 'b']],
  ['5" pipe, b', ['5" pipe', 'b']],
  ['a, , b, ', ['a', 'b']],
  ['a, a', ['a']],
  ['', []],
])('%j', (text, elements) => expect(listOf(text, ', ')).toEqual(elements))

test('parted by semicolons', () => expect(listOf('a; "b;c";d', ';')).toEqual(['a', 'b;c', 'd']))

test.each([
  [['a, b', 'c'], ', '],
  [['a; b', 'c'], ';'],
  [['a, b', 'c; d'], ', '],
  [['a', ''], ', '],
  // What is in quotes belongs to an element.
  [['"a;b"', 'c'], ', '],
  [['"a;b", c'], ', '],
  [['Ada; "Doe, Jane"', '"Roe, Rick"; Bob'], ';'],
  [['Ada, "x;y"', 'c; "d, e"; f'], ', '],
  [['5" pipe; 3" pipe'], ';'],
])('the sign of %j is %j', (texts, sign) => {
  const count = new ListCount()
  for (const text of texts) count.take(text)
  expect(count.sign).toBe(sign)
})

test.each([[['a;b']], [['a;b', 'c']], [['x; y', 'z, w', '5" pipe', ' blank ']], [['a', 'b']], [['"']]])(
  'what an export writes of %j is read as that, alone in its column',
  (elements) => {
    const text = listCell(elements)
    const count = new ListCount()
    count.take(text)
    expect(listOf(text, count.sign)).toEqual(elements)
  },
)

test('a long cell is parted in time that grows with its length alone', () => {
  const long = `${' '.repeat(200_000)}""${'x"'.repeat(100_000)}; y`
  const start = computed()
  expect(listOf(long, ';')).toHaveLength(2)
  new ListCount().take(long)
  expect(computed() - start).toBeLessThan(2500)
})
