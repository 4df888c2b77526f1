import { describe, expect, test } from 'vitest'
import type { CellRow } from '#web/rules/cell-value.ts'
import { columnsOf, type FieldColumn } from '#web/rules/column.ts'
import {
  filterOfDays,
  newValue,
  piecesOf,
  shownPieces,
  spanOf,
  valuesAt,
  valuesOn,
} from '#web/rules/schedule.ts'

const tag = {
  tag_id: 'T',
  name: 'Task',
  schema_version: 1,
  fields: { due: 'Date', end: 'Date', at: 'DateTime', to: 'DateTime' },
}
const columns = columnsOf([tag])
const field = (name: string) =>
  columns.find((each): each is FieldColumn => each.kind === 'field' && each.field.name === name)!
const row = (field_values: Record<string, unknown>): CellRow => ({
  item_id: 'I',
  name: 'One',
  created_at: '2027-03-01T23:30:00.000Z',
  updated_at: '',
  tags: { T: { tag_name: 'Task', schema_version: 1, field_values } },
})
const zone = 'Europe/Berlin'
const days = { from: field('due'), until: field('end'), zone }
const moments = { from: field('at'), until: field('to'), zone }

describe('the days of an item', () => {
  test.each([
    [days, { due: '2027-03-12' }, ['2027-03-12', '2027-03-12']],
    [days, { due: '2027-03-12', end: '2027-03-14' }, ['2027-03-12', '2027-03-14']],
    [days, { due: '2027-03-12', end: '2027-03-10' }, ['2027-03-12', '2027-03-12']],
    [days, { end: '2027-03-10' }, null],
    [days, { due: 'soon' }, null],
    // In Berlin it is tomorrow already; what ends at midnight ends with the day.
    [moments, { at: '2027-03-12T23:30:00.000Z' }, ['2027-03-13', '2027-03-13']],
    [
      moments,
      { at: '2027-03-12T08:00:00.000Z', to: '2027-03-13T23:00:00.000Z' },
      ['2027-03-12', '2027-03-13'],
    ],
    [{ ...days, from: columns.find(({ key }) => key === 'created_at')! }, {}, ['2027-03-02', '2027-03-02']],
  ])('%# are those of the reader', (schedule, values, expected) => {
    const span = spanOf(schedule, row(values))
    expect(span && [span.from, span.until]).toEqual(expected)
  })
})

describe('an item that is moved', () => {
  test.each([
    [days, { due: '2027-03-12', end: '2027-03-14' }, '2027-03-30', { due: '2027-03-30', end: '2027-04-01' }],
    [days, { due: '2027-03-12' }, '2027-03-11', { due: '2027-03-11' }],
    [days, {}, '2027-03-11', { due: '2027-03-11' }],
    [days, { due: '2027-03-12', end: '2027-03-14' }, null, { due: null }],
    // Over the day on which clocks go forward it stays at 10:30 in Berlin.
    [moments, { at: '2027-03-27T09:30:00.000Z' }, '2027-03-28', { at: '2027-03-28T08:30:00.000Z' }],
    // At 2:30 there is no such time that day: it is as long after as the clock had gone on.
    [moments, { at: '2027-03-27T01:30:00.000Z' }, '2027-03-28', { at: '2027-03-28T01:30:00.000Z' }],
    // There are two, of which the first is taken.
    [moments, { at: '2027-10-30T00:30:00.000Z' }, '2027-10-31', { at: '2027-10-31T00:30:00.000Z' }],
    [
      moments,
      { at: '2027-03-27T09:30:00.000Z', to: '2027-03-27T23:00:00.000Z' },
      '2027-03-28',
      { at: '2027-03-28T08:30:00.000Z', to: '2027-03-28T22:00:00.000Z' },
    ],
    // It begins later by the hour that is left out, and so it ends later.
    [
      moments,
      { at: '2027-03-27T01:30:00.000Z', to: '2027-03-27T02:00:00.000Z' },
      '2027-03-28',
      { at: '2027-03-28T01:30:00.000Z', to: '2027-03-28T02:00:00.000Z' },
    ],
    [
      moments,
      { at: '2027-03-27T01:30:00.000Z', to: '2027-03-27T05:00:00.000Z' },
      '2027-03-28',
      { at: '2027-03-28T01:30:00.000Z', to: '2027-03-28T05:00:00.000Z' },
    ],
    // Within the hour that comes twice an end may have an earlier clock than its begin.
    [
      moments,
      { at: '2027-10-31T00:45:00.000Z', to: '2027-10-31T01:15:00.000Z' },
      '2027-11-01',
      { at: '2027-11-01T01:45:00.000Z', to: '2027-11-01T02:15:00.000Z' },
    ],
    // What ends before it begins is left as it is.
    [
      moments,
      { at: '2027-03-26T09:30:00.000Z', to: '2027-03-26T08:30:00.000Z' },
      '2027-03-27',
      { at: '2027-03-27T09:30:00.000Z', to: '2027-03-27T08:30:00.000Z' },
    ],
    [moments, {}, '2027-03-28', { at: '2027-03-28T07:00:00.000Z' }],
  ])('%# keeps its hour and its length', (schedule, values, day, expected) => {
    expect(valuesOn(schedule, row(values), day)).toEqual(expected)
  })

  test('cannot go past the last day', () => {
    expect(valuesOn(days, row({ due: '9999-12-30', end: '9999-12-31' }), '9999-12-31')).toBeNull()
    const long = row({ at: '9999-12-30T08:00:00.000Z', to: '9999-12-31T08:00:00.000Z' })
    expect(valuesAt(moments, long, '9999-12-31', 12 * 3_600_000)).toBeNull()
  })

  test('has a value of its field where it is new', () => {
    expect([newValue(field('due'), '2027-03-28', zone), newValue(field('at'), '2027-03-28', zone)]).toEqual([
      '2027-03-28',
      '2027-03-28T07:00:00.000Z',
    ])
  })
})

test('days are asked for by the midnights of the reader, and what reaches into them too', () => {
  expect(filterOfDays({ ...moments, until: undefined }, '2027-03-28', '2027-03-28')).toEqual({
    and: [
      { 'Task.at': { gte: '2027-03-27T23:00:00.000Z' } },
      { 'Task.at': { lt: '2027-03-28T22:00:00.000Z' } },
    ],
  })
  expect(filterOfDays(days, '2027-03-01', '2027-03-31')).toEqual({
    and: [
      { 'Task.due': { lt: '2027-04-01' } },
      { or: [{ 'Task.due': { gte: '2027-03-01' } }, { 'Task.end': { gte: '2027-03-01' } }] },
    ],
  })
})

describe('a week', () => {
  const week = Array.from({ length: 7 }, (_, i) => `2027-03-0${i + 1}`)
  const item = (name: string, from: string, until = from) => ({
    name,
    span: { from: `2027-${from}`, until: `2027-${until}` },
  })
  const items = [
    item('short', '03-02'),
    item('long', '03-02', '03-04'),
    item('over', '02-20', '03-01'),
    item('third', '03-02'),
    item('away', '03-09'),
    item('end', '03-05', '03-20'),
  ]
  const pieces = piecesOf(week, items)
  const outlined = (all: typeof pieces) =>
    all.map(({ item: { name }, first, length, lane }) => [name, first, length, lane])

  test('has each item in a line of its own on its days', () => {
    expect(outlined(pieces)).toEqual([
      ['over', 0, 1, 0],
      ['long', 1, 3, 0],
      ['short', 1, 1, 1],
      ['third', 1, 1, 2],
      ['end', 4, 3, 0],
    ])
    expect(pieces.map(({ isCut }) => [isCut.before, isCut.after])).toEqual([
      [true, false],
      [false, false],
      [false, false],
      [false, false],
      [false, true],
    ])
  })

  test('leaves out what has no room, and says how many of each day', () => {
    const { shown, hidden } = shownPieces(pieces, 7, 2)
    expect(outlined(shown).map(([name]) => name)).toEqual(['over', 'long', 'end'])
    expect(hidden).toEqual([0, 2, 0, 0, 0, 0, 0])
    expect(shownPieces(pieces, 7, 3).hidden).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
})
