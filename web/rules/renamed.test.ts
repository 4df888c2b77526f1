import { describe, expect, it } from 'vitest'
import { flattenFields } from '#src/domain/field-schema.ts'
import { afterRenames, nameNow, type Renamed, underNamesNow, variantRenames } from '#web/rules/renamed.ts'

it.each([
  ['a', [{ a: 'b' }, { b: 'c' }], 'c'],
  ['a', [{ x: 'a' }, { a: 'b' }], 'b'],
  // It was called so before, became another, and another one took its name: the last is meant.
  ['a', [{ a: 'old' }, { old: 'older' }, { b: 'a' }, { a: 'c' }], 'c'],
  ['a', [{ b: 'c' }], 'a'],
  ['constructor', [{}], 'constructor'],
])('%s is called by now, after %j: %s', (name, renames, now) => {
  expect(nameNow(name, renames as Record<string, string>[])).toBe(now)
})

describe('values under the names of now', () => {
  const fields = flattenFields({
    state: { type: 'Select', variants: ['new', 'under way'] },
    labels: { type: 'MultiSelect', variants: ['house', 'later'] },
    note: 'String',
  })
  const renames: Renamed[] = [
    { fields: { status: 'state' }, variants: { status: { doing: 'under way' } } },
    { fields: {}, variants: { labels: { home: 'house' }, state: { open: 'new' } } },
  ]
  it.each([
    [{ status: { variant: 'doing' } }, { state: { variant: 'under way' } }],
    [{ state: { variant: 'open' } }, { state: { variant: 'new' } }],
    [{ state: { variant: 'gone' } }, { state: { variant: 'gone' } }],
    [{ labels: ['home', 'later'] }, { labels: ['house', 'later'] }],
    [
      { labels: null, note: 'doing' },
      { labels: null, note: 'doing' },
    ],
  ])('%j: %j', (values, now) => {
    expect(underNamesNow(values, fields, renames)).toEqual(now)
  })
})

it.each([
  ['that have exchanged their names', { status: { variant: 'open' } }, { status: { variant: 'done' } }],
  [
    'of which one has',
    { status: { variant: 'done' }, note: 'open' },
    { status: { variant: 'open' }, note: 'open' },
  ],
  ['in a list', { labels: ['a', 'b'] }, { labels: ['b', 'c'] }],
  ['of a field that has another name', { due: '2026-01-01' }, { start: '2026-01-01' }],
  ['of which none was renamed', { labels: ['c'] }, { labels: ['c'] }],
])('values %s mean the same after the changes', (_, values, after) => {
  const renames: Renamed[] = [
    { fields: {}, variants: { status: { open: 'for now' }, labels: { b: 'c' } } },
    { fields: { due: 'end' }, variants: { status: { done: 'open' } } },
    { fields: { end: 'start' }, variants: { status: { 'for now': 'done' }, labels: { a: 'b' } } },
  ]
  expect(afterRenames(values, renames)).toEqual(after)
})

it('knows what was renamed among the variants of a field that had other names itself', () => {
  const renames: Renamed[] = [
    { fields: {}, variants: { state: { a: 'b' } } },
    { fields: { state: 'status' }, variants: { status: { b: 'c' }, other: { a: 'x' } } },
    { fields: { other: 'state' }, variants: {} },
    { fields: {}, variants: { state: { x: 'y' } } },
  ]
  expect(variantRenames('status', renames)).toEqual([{ a: 'b' }, { b: 'c' }, {}, {}])
})
