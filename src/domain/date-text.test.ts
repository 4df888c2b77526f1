import { describe, expect, it } from 'vitest'
import { monthNames, type MomentReading, readMomentWith } from '#src/domain/date-text.ts'
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
  ])('no calendar and no clock has %s', (text) => expect(readMomentWith(text, reading)).toBeNull())
})
