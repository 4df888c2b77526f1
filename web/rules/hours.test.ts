import { describe, expect, it, test } from 'vitest'
import type { CellRow } from '#web/rules/cell-value.ts'
import { columnsOf, type FieldColumn } from '#web/rules/column.ts'
import { HOUR, hoursOf, readSlot, sideBySide, SLOT, slotKey, withRoom } from '#web/rules/hours.ts'
import { valuesAt, valuesLater, valuesOn } from '#web/rules/schedule.ts'
import { clockIn } from '#web/rules/zoned-clock.ts'

const tag = { tag_id: 'T', name: 'Talk', schema_version: 1, fields: { at: 'DateTime', to: 'DateTime' } }
const field = (name: string) =>
  columnsOf([tag]).find((each): each is FieldColumn => each.kind === 'field' && each.field.name === name)!
const zone = 'Europe/Berlin'
const schedule = { from: field('at'), until: field('to'), zone }
const row = (field_values: Record<string, unknown>): CellRow => ({
  item_id: 'I',
  name: 'One',
  created_at: '',
  updated_at: '',
  tags: { T: { tag_name: 'Talk', schema_version: 1, field_values } },
})

describe('the hours of an item', () => {
  test.each([
    [{ at: '2027-03-10T08:30:00.000Z' }, { day: '2027-03-10', begin: 9.5 * HOUR, end: 10.5 * HOUR }],
    [
      { at: '2027-03-10T08:30:00.000Z', to: '2027-03-10T10:00:00.000Z' },
      { day: '2027-03-10', begin: 9.5 * HOUR, end: 11 * HOUR },
    ],
    // It ends at midnight, before it begins, or takes no time.
    [
      { at: '2027-03-10T20:00:00.000Z', to: '2027-03-10T23:00:00.000Z' },
      { day: '2027-03-10', begin: 21 * HOUR, end: 24 * HOUR },
    ],
    [
      { at: '2027-03-10T08:30:00.000Z', to: '2027-03-09T08:30:00.000Z' },
      { day: '2027-03-10', begin: 9.5 * HOUR, end: 10.5 * HOUR },
    ],
    // On several days it has none.
    [{ at: '2027-03-10T08:30:00.000Z', to: '2027-03-11T08:30:00.000Z' }, null],
    [{}, null],
  ])('of %j', (values, hours) => expect(hoursOf(schedule, row(values))).toEqual(hours))
})

it('moves an item to a time, and its end along; without a time it gets one', () => {
  const values = { at: '2027-03-27T09:00:00.000Z', to: '2027-03-27T10:30:00.000Z' }
  // The clocks go forward that night: an hour and a half stays one.
  expect(valuesAt(schedule, row(values), '2027-03-28', 14 * HOUR)).toEqual({
    at: '2027-03-28T12:00:00.000Z',
    to: '2027-03-28T13:30:00.000Z',
  })
  expect(valuesAt(schedule, row({}), '2027-03-28', 14 * HOUR)).toEqual({ at: '2027-03-28T12:00:00.000Z' })
})

it('moves an item by half hours as time goes, where clocks are changed too', () => {
  const steps = (at: string, by: number, inZone = zone) => {
    let now = at
    return Array.from({ length: 4 }, () => {
      const values = valuesLater({ ...schedule, zone: inZone }, row({ at: now, to: now }), by)!
      expect(values['to']).toBe((now = values['at']!))
      return clockIn(Date.parse(now), inZone).clock / HOUR
    })
  }
  expect(steps('2027-03-28T01:30:00.000Z', -SLOT)).toEqual([3, 1.5, 1, 0.5])
  expect(steps('2027-03-28T00:00:00.000Z', SLOT)).toEqual([1.5, 3, 3.5, 4])
  expect(steps('2026-11-01T06:30:00.000Z', -SLOT, 'America/New_York')).toEqual([1, 1.5, 1, 0.5])
})

it('has an item there and back at the same moment, also in an hour that comes twice', () => {
  const inNewYork = { ...schedule, zone: 'America/New_York' }
  for (const [at, day] of [
    ['2026-11-01T05:30:00.000Z', '2026-10-31'],
    ['2026-11-01T06:30:00.000Z', '2026-11-02'],
  ] as const) {
    const away = valuesAt(inNewYork, row({ at }), day, 1.5 * HOUR)!
    expect(valuesAt(inNewYork, row(away), '2026-11-01', 1.5 * HOUR)).toEqual({ at })
    expect(valuesOn(inNewYork, row(away), '2026-11-01')).toEqual({ at })
  }
})

it('tells those by their number for which there is no room', () => {
  const many = (count: number) => sideBySide(Array.from({ length: count }, () => ({ begin: 1, end: 2 })))
  expect(withRoom(many(4)).hidden).toEqual([])
  const { shown, hidden } = withRoom(many(300))
  expect(shown.map(({ place, places }) => [place, places])).toEqual([0, 1, 2].map((at) => [at, 4]))
  expect([hidden.length, hidden[0]!.place, hidden[0]!.places]).toEqual([297, 3, 4])
})

it('lays side by side what overlaps, and gives back the room after it', () => {
  const hours = (begin: number, end: number) => ({ begin, end })
  const [a, b, c, d] = [hours(1, 4), hours(2, 3), hours(3, 5), hours(5, 6)]
  expect(sideBySide([d, c, b, a])).toEqual([
    { item: a, place: 0, places: 2 },
    { item: b, place: 1, places: 2 },
    { item: c, place: 1, places: 2 },
    { item: d, place: 0, places: 1 },
  ])
})

it('names the slots of a day', () => {
  expect(slotKey('2027-03-12', 14.5 * HOUR)).toBe('2027-03-12T14:30')
  expect(readSlot('2027-03-12T14:30')).toEqual({ day: '2027-03-12', clock: 14.5 * HOUR })
  expect(readSlot('2027-03-12')).toBeUndefined()
})
