import { describe, expect, it } from 'vitest'
import { shiftedPoint } from '#src/domain/shifted-point.ts'
import { sayDateFromNow, sayMomentFromNow } from '#web/rules/relative-time.ts'
import { linkOf, sayFigure, sayNumber, shortAddress } from '#web/rules/shown-value.ts'

const NUMBER = { type: 'Number' } as const

describe('sayNumber', () => {
  for (const [look, value, shown] of [
    [{}, 2026, '2026'],
    [{}, 12_345.5, '12,345.5'],
    [{ decimals: 1 }, 1234.5, '1,234.5'],
    [{ unit: '€', unit_at: 'before', decimals: 2 }, 1234.5, '€\u00A01,234.50'],
    [{ unit: 'km' }, 12, '12\u00A0km'],
    [{ decimals: 0 }, 2.5, '3'],
    [{ format: 'percent' }, 0.07, '7%'],
    [{ format: 'percent' }, 0.1 + 0.2, '30%'],
    [{ format: 'percent', decimals: 1 }, 0.25, '25.0%'],
  ] as const)
    it(`shows ${value} by ${JSON.stringify(look)} as ${shown}`, () => {
      expect(sayNumber({ ...NUMBER, ...look }, value)).toBe(shown)
    })

  it('gives figures their unit', () => {
    const say = (value: number) => String(value)
    expect(sayFigure({ ...NUMBER, unit: 'h' }, 12.5, say)).toBe('12.5\u00A0h')
    expect(sayFigure({ ...NUMBER, format: 'percent' }, 0.29, say)).toBe('29%')
    expect(sayFigure('Number', 3, say)).toBe('3')
  })
})

describe('shiftedPoint', () => {
  it('moves the point without the noise of a multiplication', () => {
    expect([0.07, 0.29, 1e-9, 1e21, -0.5, 0].map((value) => shiftedPoint(value, 2))).toEqual([
      7, 29, 1e-7, 1e23, -50, 0,
    ])
  })
})

describe('linkOf', () => {
  const of = (format: string, value: string) => linkOf({ type: 'String', format }, value)
  it('leads to the web, to mail, to a phone', () => {
    expect(of('url', 'https://facet.example/a b'.replace(' ', '%20'))).toBe('https://facet.example/a%20b')
    expect(of('url', 'facet.example/x')).toBe('https://facet.example/x')
    expect(of('email', 'ada+x@example.org')).toBe('mailto:ada%2Bx@example.org')
    expect(of('phone', '+49 (30) 123-45 67')).toBe('tel:+49301234567')
    expect(shortAddress('https://facet.example/')).toBe('facet.example')
  })

  it('leads nowhere else, whatever a value says', () => {
    for (const value of [
      'javascript:alert(1)',
      'data:text/html,x',
      'https://',
      'http:// x',
      'hello',
      '//evil.example',
    ])
      expect([value, of('url', value)]).toEqual([value, undefined])
    for (const value of ['ada', 'a@b@c', 'a b@c', '<a@b>'])
      expect([value, of('email', value)]).toEqual([value, undefined])
    expect(of('email', 'a?cc=x&bcc=y@z')).toBe('mailto:a%3Fcc%3Dx%26bcc%3Dy@z')
    expect(of('phone', 'no number')).toBe(undefined)
    expect(linkOf('String', 'https://facet.example')).toBe(undefined)
  })
})

describe('what is said relative to now', () => {
  const now = new Date(2026, 10, 23, 15, 0).getTime()
  it('says days, then weeks, months and years', () => {
    const days = [
      '2026-11-23',
      '2026-11-24',
      '2026-11-22',
      '2026-12-02',
      '2026-11-13',
      '2027-01-04',
      '2027-06-23',
      '2030-11-23',
    ]
    expect(days.map((day) => sayDateFromNow(day, now))).toEqual([
      'today',
      'tomorrow',
      'yesterday',
      'in 9 days',
      '10 days ago',
      'in 6 weeks',
      'in 7 months',
      'in 4 years',
    ])
    expect(sayDateFromNow('soon', now)).toBe(undefined)
  })

  it('says minutes and hours of a moment', () => {
    const at = (minutes: number) => sayMomentFromNow(new Date(now + minutes * 60_000).toISOString(), now)
    expect([20, -5, 180, -23 * 60, 25 * 60].map(at)).toEqual([
      'in 20 minutes',
      '5 minutes ago',
      'in 3 hours',
      '23 hours ago',
      'tomorrow',
    ])
    expect(sayMomentFromNow('soon', now)).toBe(undefined)
  })
})
