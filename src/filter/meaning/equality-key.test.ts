import { expect, it } from 'vitest'
import { equalityKey } from '#src/filter/meaning/equality-key.ts'

it.each([
  ['MultiSelect', ['p', 'q'], ['q', 'p'], true],
  ['MultiSelect', ['p'], ['p', 'p'], true],
  ['MultiSelect', ['p'], ['p', 'q'], false],
  ['MultiReference', ['01A', '01B'], ['01B', '01A'], true],
  ['String', '2027-01-01', '2027-01-01T00:00:00', true],
  ['String', '2027-01-01', '2027-01-01T00:00:01', false],
  ['String', '2027-02-30', '2027-02-30T00:00:00', false],
  ['String', 'a', 'A', false],
  ['name', '2027-01-01', '2027-01-01T00:00:00', false],
  ['Select', { variant: 'open' }, 'open', true],
  ['Number', 0, -0, true],
  ['Number', 1, 2, false],
] as const)('of a %s, %j and %j are one key: %j', (type, a, b, same) => {
  expect(equalityKey(type, a) === equalityKey(type, b)).toBe(same)
})
