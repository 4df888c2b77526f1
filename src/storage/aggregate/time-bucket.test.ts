import { describe, expect, it } from 'vitest'
import { bucketOfDay, localDays, localPart } from '#src/storage/aggregate/time-bucket.ts'

describe('bucketOfDay', () => {
  for (const [day, week] of [
    ['0000-01-01', '-0001-W52'],
    ['0001-01-01', '0001-W01'],
    ['0050-06-01', '0050-W22'],
    ['0099-12-31', '0099-W53'],
    ['0100-01-03', '0099-W53'],
    ['0999-05-05', '0999-W18'],
    ['2024-01-31', '2024-W05'],
    ['2021-01-03', '2020-W53'],
  ] as const)
    it(`puts ${day} into the week ${week}`, () => expect(bucketOfDay(day, 'week')).toBe(week))
})

describe('localDays', () => {
  for (const [zone, moment, day] of [
    ['America/New_York', '0000-01-01T00:00:00', '0000-01-01'],
    ['America/New_York', '0000-06-01T12:00:00', '0000-06-01'],
    ['Europe/Vienna', '0000-12-31T23:30:00', '0001-01-01'],
    ['America/New_York', '0001-01-01T00:00:00', '0000-12-31'],
    ['America/New_York', '0001-12-31T12:00:00', '0001-12-31'],
    ['America/New_York', '0050-01-01T00:00:00', '0049-12-31'],
    ['America/New_York', '0999-05-05T12:00:00', '0999-05-05'],
    ['Europe/Vienna', '1880-06-01T22:54:50', '1880-06-02'],
    ['Africa/Monrovia', '1970-01-01T00:44:40', '1970-01-01'],
    ['America/New_York', '2024-05-01T02:00', '2024-04-30'],
    ['Europe/Vienna', '2024-12-31T23:30', '2025-01-01'],
    ['Europe/Vienna', '9999-12-31T23:30', '9999-12-31'],
  ] as const)
    it(`writes the day of ${moment} in ${zone} as ${day}`, () => {
      expect(localPart(`${moment}${moment < '1973' ? '' : ':00'}.000Z`)).toBe(moment)
      expect(localDays(zone)(moment)).toBe(day)
    })
})
