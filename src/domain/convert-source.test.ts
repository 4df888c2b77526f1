import { describe, expect, it } from 'vitest'
import { type Conversion, conversionFault, convertSource } from '#src/domain/convert-source.ts'

describe('what comes from elsewhere', () => {
  for (const [value, as, expected] of [
    ['16 GB', 'number', 16],
    ['-1.5', 'number', -1.5],
    ['+3 m²', 'number', 3],
    ['12 %', 'number', 12],
    [7, 'number', 7],
    ['GB 16', 'number', undefined],
    ['16 of 20', 'number', undefined],
    ['1,5', 'number', undefined],
    ['1.2.3', 'number', undefined],
    ['', 'number', undefined],
    ['9007199254740992', 'number', 9_007_199_254_740_992],
    ['9007199254740993', 'number', undefined],
    ['12345678901234567890 GB', 'number', undefined],
    ['0.12345678901234567890', 'number', 0.12345678901234568],
    [16, 'text', '16'],
    [true, 'text', 'true'],
    [{ variant: 'open' }, 'text', 'open'],
    ['2026-01-31', 'date', '2026-01-31'],
    ['2026-01-31T23:30:00Z', 'date', '2026-02-01'],
    ['2026-02-30', 'date', undefined],
    ['soon', 'date', undefined],
  ] as const)
    it(`${JSON.stringify(value)} as ${as} is ${JSON.stringify(expected)}`, () => {
      expect(convertSource(value, as satisfies Conversion, 'Europe/Vienna')).toEqual(expected)
    })

  it('says why it cannot be that', () => {
    expect(conversionFault('9007199254740993 B', 'number')).toBe(
      '"9007199254740993 B" has more digits than a number keeps',
    )
    expect(conversionFault('GB 16', 'number')).toBe('"GB 16" is no number')
    expect(conversionFault('9007199254740993', 'date')).toBe('"9007199254740993" is no date')
  })
})
