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
    { time: { now: 'P1Y2M1W1DT0,5S' }, date: '2027-06-08T01:30:15', moment: '2027-06-07T23:30:15.750Z' },
  ])
    it(JSON.stringify(time), () => {
      expect(absoluteOperand(time, 'Date', request)).toBe(date)
      expect(absoluteOperand([time, 'x'], 'String', request)).toEqual([date, 'x'])
      expect(absoluteOperand(time, 'Time', request)).toBe(moment)
      expect(absoluteOperand(time, 'Number', request)).toBe(time)
    })
})

describe('a relative time', () => {
  it('is an object with one of two keys', () => {
    for (const value of [{ today: 1 }, { now: 'P1D' }, { now: 1 }]) expect(isRelativeTime(value)).toBe(true)
    for (const value of [{}, { today: 1, now: 'P1D' }, { variant: 'x' }, ['today'], 'today', null])
      expect(isRelativeTime(value)).toBe(false)
  })

  it('has days or a duration within two thousand years', () => {
    const sound: RelativeTime[] = [{ today: -700_000 }, { now: 'P1Y' }, { now: '+PT1.5S' }, { now: '-P0D' }]
    for (const time of sound) expect(relativeTimeFault(time)).toBeUndefined()
    for (const today of [1.5, 700_001, '1', null, Number.NaN])
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
    ])
      expect(relativeTimeFault({ now } as unknown as RelativeTime)).toContain('an ISO 8601 duration')
  })

  it('is said in words', () => {
    expect([{ today: 0 }, { today: 1 }, { today: -7 }].map(relativeTimeWords)).toEqual([
      'today',
      '1 day after today',
      '7 days before today',
    ])
    expect([{ now: '-PT6H' }, { now: 'PT0S' }].map(relativeTimeWords)).toEqual(['-PT6H from now', 'now'])
  })
})
