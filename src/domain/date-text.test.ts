import { describe, expect, it } from 'vitest'
import {
  isFinerThanKept,
  monthNames,
  type MomentReading,
  readDateWith,
  readMomentWith,
} from '#src/domain/date-text.ts'
import { momentOf } from '#src/domain/zoned-time.ts'

const reading: MomentReading = {
  order: 'DMY',
  months: monthNames(['en']),
  momentOf: (wall) => momentOf(Date.parse(`${wall}Z`), 'Europe/Vienna'),
}

describe('a date with a time', () => {
  it.each([
    '2026-02-30T10:00:00Z',
    '2026-04-31T10:00:00+02:00',
    '2026-02-30 10:00:00-0500',
    '2026-02-30T10:00:00',
    '2025-02-29 10:00',
    '30.02.2026 10:00',
    // As the check of a field has it.
    '2026-01-31T24:00Z',
    '2026-01-31T24:00:00+01:00',
    '2026-01-31T24:00',
    '2026-01-31T10:60Z',
    '2026-01-31T10:00:60Z',
    '2026-01-31T10:00+25:00',
    '9999-12-31 10:00:00.0001Z',
    '2026-01-31T09:30:15.123456Z',
    '2026-01-31T09:30:15.123456',
    '31.01.2026 09:30:15,1234',
    '2026-01-31 00:00:00.0001',
  ])('%s is none that can be kept', (text) => expect(readMomentWith(text, reading)).toBeNull())

  it.each([
    ['2026-01-31 09:30:15.123', '2026-01-31T08:30:15.123Z'],
    ['01.02.2026 10:15:30,250', '2026-02-01T09:15:30.250Z'],
    ['01.02.2026 10:15:30,5', '2026-02-01T09:15:30.500Z'],
    ['2 March 2026, 1:15:30.07 PM', '2026-03-02T12:15:30.070Z'],
    ['2026-01-31 09:30:15.1230000', '2026-01-31T08:30:15.123Z'],
    ['2026-01-31T09:30:15.123000Z', '2026-01-31T09:30:15.123Z'],
    ['2026-01-31T09:30:15.1+0200', '2026-01-31T07:30:15.100Z'],
    ['2026-01-31 00:00:00.001', '2026-01-30T23:00:00.001Z'],
    ['2026-01-31 00:00:00.000', '2026-01-30T23:00:00.000Z'],
    ['2026-01-31', '2026-01-30T23:00:00.000Z'],
    ['31.01.2026 9:30', '2026-01-31T08:30:00.000Z'],
  ])('%s is kept as %s', (text, moment) => {
    expect(readMomentWith(text, reading)).toBe(moment)
    expect(isFinerThanKept(text)).toBe(false)
  })

  it('says what is finer than a millisecond', () => {
    expect(isFinerThanKept('2026-01-31T09:30:15.123456Z')).toBe(true)
    expect(isFinerThanKept('31.01.2026 09:30:15,1234')).toBe(true)
    expect(isFinerThanKept('31.01.2026 09:30:15,1230')).toBe(false)
    expect(isFinerThanKept('1.23456')).toBe(false)
  })
})

describe('a date', () => {
  const kept: [string, string][] = [
    ['0000-01-01', '0000-01-01'],
    ['0000-02-29', '0000-02-29'],
    ['0000-12-31 00:00', '0000-12-31'],
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
    ['01.02.0099', '0099-02-01'],
    ['1.2.99', '1999-02-01'],
    ['1.2.00', '2000-02-01'],
  ]
  it.each(kept)('%s is %s', (text, day) => expect(readDateWith(text, 'DMY', reading.months)).toBe(day))

  it.each(['0001-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-01-00', '0/1/2026', '31.04.2026'])(
    '%s is none',
    (text) => expect(readDateWith(text, 'DMY', reading.months)).toBeNull(),
  )

  it('of the first year has times', () =>
    expect(
      readMomentWith('0000-01-01T10:00', { ...reading, momentOf: (wall) => Date.parse(`${wall}Z`) }),
    ).toBe('0000-01-01T10:00:00.000Z'))

  const named: [string, string | null][] = [
    ['3 juin 2024', '2024-06-03'],
    ['14 juillet 2024', '2024-07-14'],
    ['14 juil. 2024', '2024-07-14'],
    ['14 JUIN 2024', '2024-06-14'],
    // Of both.
    ['14 jui 2024', null],
    ['juillet 14, 2024', '2024-07-14'],
    ['1. Juli 2024', '2024-07-01'],
    ['1 Sept. 2024', '2024-09-01'],
    ['1 septiembre 2024', '2024-09-01'],
    ['1 giugno 2024', '2024-06-01'],
    ['1 luglio 2024', '2024-07-01'],
    ['1 foo 2024', null],
  ]
  it.each(named)('%s is %s', (text, day) =>
    expect(readDateWith(text, 'DMY', monthNames(['en', 'de', 'fr', 'es', 'it']))).toBe(day),
  )
})
