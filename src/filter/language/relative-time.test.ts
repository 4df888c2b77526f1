import { describe, expect, it } from 'vitest'
import {
  absoluteOperand,
  isRelativeTime,
  type RelativeTime,
  relativeTimeFault,
  relativeTimeWords,
} from '#src/filter/language/relative-time.ts'

const request = { now: new Date('2026-03-30T23:30:15.250Z'), time_zone: 'Europe/Vienna' } // there 01:30 on the 31st

describe('absoluteOperand', () => {
  for (const { time, date, moment } of [
    { time: { today: 0 }, date: '2026-03-31', moment: '2026-03-30T22:00:00.000Z' },
    { time: { today: -7 }, date: '2026-03-24', moment: '2026-03-23T23:00:00.000Z' },
    { time: { now: 'PT0S' }, date: '2026-03-31T01:30:15', moment: '2026-03-30T23:30:15.250Z' },
    { time: { now: '-PT6H' }, date: '2026-03-30T19:30:15', moment: '2026-03-30T17:30:15.250Z' },
    { time: { now: '-P1M' }, date: '2026-02-28T01:30:15', moment: '2026-02-28T00:30:15.250Z' },
    { time: { now: '-P2D' }, date: '2026-03-29T01:30:15', moment: '2026-03-29T00:30:15.250Z' },
    { time: { now: '-PT48H' }, date: '2026-03-29T00:30:15', moment: '2026-03-28T23:30:15.250Z' },
    { time: { today: 1 }, date: '2026-04-01', moment: '2026-03-31T22:00:00.000Z' },
    { time: { now: '+PT1H1M1S' }, date: '2026-03-31T02:31:16', moment: '2026-03-31T00:31:16.250Z' },
    { time: { now: '-PT1H1M1S' }, date: '2026-03-31T00:29:14', moment: '2026-03-30T22:29:14.250Z' },
    { time: { now: 'P1M' }, date: '2026-04-30T01:30:15', moment: '2026-04-29T23:30:15.250Z' },
    { time: { now: 'P11M' }, date: '2027-02-28T01:30:15', moment: '2027-02-28T00:30:15.250Z' },
    { time: { now: 'P1W' }, date: '2026-04-07T01:30:15', moment: '2026-04-06T23:30:15.250Z' },
    { time: { now: '-P1D' }, date: '2026-03-30T01:30:15', moment: '2026-03-29T23:30:15.250Z' },
    { time: { now: '-P1Y' }, date: '2025-03-31T01:30:15', moment: '2025-03-30T23:30:15.250Z' },
    { time: { now: 'P23M29DT12H' }, date: '2028-03-29T13:30:15', moment: '2028-03-29T11:30:15.250Z' },
    { time: { now: 'P1Y2M1W1DT0,5S' }, date: '2027-06-08T01:30:15', moment: '2027-06-07T23:30:15.750Z' },
  ])
    it(JSON.stringify(time), () => {
      expect(absoluteOperand(time, 'Date', request)).toBe(date)
      expect(absoluteOperand([time, 'x'], 'String', request)).toEqual([date, 'x'])
      expect(absoluteOperand(time, 'Time', request)).toBe(moment)
      expect(absoluteOperand(time, 'DateTime', request)).toBe(moment)
      expect(absoluteOperand(time, 'Number', request)).toBe(time)
    })

  it('of hours goes on as they pass, also where clocks show one twice', () => {
    const twice = { now: new Date('2026-10-25T01:30:00.000Z'), time_zone: 'Europe/Vienna' }
    expect(absoluteOperand({ now: 'PT0S' }, 'Time', twice)).toBe('2026-10-25T01:30:00.000Z')
    expect(absoluteOperand({ now: '-PT1H' }, 'Time', twice)).toBe('2026-10-25T00:30:00.000Z')
  })

  it('is what it was where it is not relative', () => {
    for (const operand of ['2026-01-31', null, 5, { variant: 'x' }])
      for (const type of ['Date', 'Time', 'Select'] as const)
        expect(absoluteOperand(operand, type, request)).toBe(operand)
    expect(absoluteOperand([['2026-01-31', { today: 0 }]], 'Date', request)).toEqual([
      ['2026-01-31', '2026-03-31'],
    ])
  })
})

describe('a relative time', () => {
  it('is an object with one of two keys', () => {
    for (const value of [{ today: 1 }, { now: 'P1D' }, { now: 1 }]) expect(isRelativeTime(value)).toBe(true)
    for (const value of [{}, { today: 1, now: 'P1D' }, { variant: 'x' }, ['today'], 'today', null])
      expect(isRelativeTime(value)).toBe(false)
  })

  it('has days or a duration within two thousand years', () => {
    const sound: RelativeTime[] = [
      { today: -700_000 },
      { today: 700_000 },
      { today: 0 },
      { now: 'P1Y' },
      { now: '+PT1.5S' },
      { now: '-P0D' },
      // Months have 31 days at the most.
      { now: 'P700000D' },
      { now: '-P699999DT24H' },
      { now: 'P22580M20D' },
      { now: 'P1881Y8M20D' },
      { now: 'P100000W' },
      { now: 'PT16800000H' },
      { now: 'PT999999999M' },
      { now: '-PT60480000000S' },
    ]
    for (const time of sound) expect(relativeTimeFault(time)).toBeUndefined()
    for (const today of [1.5, 700_001, -700_001, '1', null, Number.NaN, Infinity])
      expect(relativeTimeFault({ today } as RelativeTime)).toContain('a whole number of days')
    for (const now of [
      '',
      'P',
      'PT',
      '6H',
      'P1H',
      'PT1D',
      'P1.5D',
      'P9999Y',
      'p1d',
      6,
      ['P1D'],
      'P1DT',
      ' P1D',
      'P700001D',
      '-P699999DT24.001H',
      '-P699999DT24H0.001S',
      'P22580M21D',
      'P1881Y8M21D',
      'P100000W1D',
      'PT16800000H1S',
      '-PT60480000000.001S',
    ])
      expect(relativeTimeFault({ now } as unknown as RelativeTime)).toContain('an ISO 8601 duration')
  })

  it('is said in words', () => {
    expect(
      [{ today: 0 }, { today: 1 }, { today: -1 }, { today: 2 }, { today: -7 }].map(relativeTimeWords),
    ).toEqual([
      'today',
      '1 day after today',
      '1 day before today',
      '2 days after today',
      '7 days before today',
    ])
    expect(
      [{ now: '-PT6H' }, { now: 'PT0S' }, { now: 'PT0.5S' }, { now: 'P0D' }].map(relativeTimeWords),
    ).toEqual(['-PT6H from now', 'now', 'PT0.5S from now', 'now'])
  })
})
