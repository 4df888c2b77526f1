import { describe, expect, it } from 'vitest'
import { isTimeZone, momentOf, wallTime } from '#src/domain/zoned-time.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const text = (time: number) => new Date(time).toISOString().slice(0, -1)

describe('wallTime and momentOf', () => {
  for (const { moment, zone, wall } of [
    { moment: '2026-01-31T09:30:00.123', zone: 'UTC', wall: '2026-01-31T09:30:00.123' },
    { moment: '2026-01-31T23:30:00.000', zone: 'Europe/Vienna', wall: '2026-02-01T00:30:00.000' },
    { moment: '2026-07-31T22:30:00.000', zone: 'Europe/Vienna', wall: '2026-08-01T00:30:00.000' },
    { moment: '2026-01-31T02:00:00.000', zone: 'America/New_York', wall: '2026-01-30T21:00:00.000' },
    { moment: '2026-01-31T20:00:00.000', zone: 'Asia/Kathmandu', wall: '2026-02-01T01:45:00.000' },
    { moment: '0000-06-01T00:00:00.000', zone: 'America/New_York', wall: '0000-05-31T19:03:58.000' },
    { moment: '0001-01-01T00:00:00.000', zone: 'America/New_York', wall: '0000-12-31T19:03:58.000' },
    { moment: '1999-12-31T23:30:00.000', zone: 'Europe/Vienna', wall: '2000-01-01T00:30:00.000' },
    { moment: '0099-03-01T00:00:00.001', zone: 'UTC', wall: '0099-03-01T00:00:00.001' },
    { moment: '1969-12-31T23:59:59.500', zone: 'UTC', wall: '1969-12-31T23:59:59.500' },
  ])
    it(`${moment} in ${zone} is ${wall}`, () => {
      expect(text(wallTime(at(moment), zone))).toBe(wall)
      expect(text(momentOf(at(wall), zone))).toBe(moment)
    })

  it('take the first of two moments, and go on where clocks skip an hour', () => {
    expect(text(momentOf(at('2026-10-25T02:30:00'), 'Europe/Vienna'))).toBe('2026-10-25T00:30:00.000')
    expect(text(momentOf(at('2026-03-29T02:30:00'), 'Europe/Vienna'))).toBe('2026-03-29T01:30:00.000')
    // The day begins at one o'clock.
    expect(text(momentOf(at('2018-11-04T00:00:00'), 'America/Sao_Paulo'))).toBe('2018-11-04T03:00:00.000')
  })
})

describe('isTimeZone', () => {
  for (const { name, is } of [
    { name: 'UTC', is: true },
    { name: 'Europe/Vienna', is: true },
    { name: 'america/new_york', is: true },
    { name: 'Mars/Olympus', is: false },
    { name: '+01:00', is: false },
    { name: '', is: false },
  ])
    it(`says ${is} of ${JSON.stringify(name)}`, () => expect(isTimeZone(name)).toBe(is))
})
