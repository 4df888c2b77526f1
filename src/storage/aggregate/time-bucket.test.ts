import { describe, expect, it } from 'vitest'
import { bucketOfDay, localDays } from '#src/storage/aggregate/time-bucket.ts'

describe('bucketOfDay', () => {
  for (const [day, week] of [
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
  const dayOf = localDays('America/New_York')
  for (const [minute, day] of [
    ['0001-01-01T00:00', '0000-12-31'],
    ['0001-12-31T12:00', '0001-12-31'],
    ['0050-01-01T00:00', '0049-12-31'],
    ['0999-05-05T12:00', '0999-05-05'],
    ['2024-05-01T02:00', '2024-04-30'],
  ] as const)
    it(`writes the day of ${minute} as ${day}`, () => expect(dayOf(minute)).toBe(day))
})
