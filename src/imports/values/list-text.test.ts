import { expect, test } from 'vitest'
import { listOf } from '#src/imports/values/list-text.ts'

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
