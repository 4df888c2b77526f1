import { describe, expect, it } from 'vitest'
import { isMoment, otherSpelling } from '#src/filter/language/moment.ts'

describe('isMoment', () => {
  for (const { text, is } of [
    { text: '2024-02-29', is: true },
    { text: '2024-02-29T23:59:59', is: true },
    { text: '0000-01-01', is: true },
    { text: '2023-02-29', is: false },
    { text: '2024-13-01', is: false },
    { text: '2024-1-01', is: false },
    { text: '2024-01-01T24:00:00', is: false },
    { text: '2024-01-01T12:60:00', is: false },
    { text: '2024-01-01T12:00', is: false },
    { text: '2024-01-01T12:00:00Z', is: false },
    { text: '2024-01-01 12:00:00', is: false },
    { text: '2024-02-30T00:00:00', is: false },
    { text: '', is: false },
  ])
    it(`says ${is} of ${JSON.stringify(text)}`, () => expect(isMoment(text)).toBe(is))
})

describe('otherSpelling', () => {
  it('is known of midnights alone', () => {
    expect(otherSpelling('2024-02-29')).toBe('2024-02-29T00:00:00')
    expect(otherSpelling('2024-02-29T00:00:00')).toBe('2024-02-29')
    expect(otherSpelling('2024-02-29T00:00:01')).toBeUndefined()
    expect(otherSpelling('2023-02-29')).toBeUndefined()
  })
})
