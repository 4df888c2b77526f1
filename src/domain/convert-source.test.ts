import { describe, expect, it } from 'vitest'
import { type Conversion, convertSource } from '#src/domain/convert-source.ts'

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
})
