import { describe, expect, it } from 'vitest'
import { amountOf, readAmount } from '#src/domain/amount-text.ts'
import type { DecimalSign } from '#src/domain/number-text.ts'

describe('a number with its unit', () => {
  it.each<[string, DecimalSign, value: number, unit: string, unit_at: string]>([
    ['$1,234.50', '.', 1234.5, '$', 'before'],
    ['-$99', '.', -99, '$', 'before'],
    ['$-99', '.', -99, '$', 'before'],
    ['−$99', '.', -99, '$', 'before'],
    // As accounts are kept.
    ['($5.25)', '.', -5.25, '$', 'before'],
    ['$(5.25)', '.', -5.25, '$', 'before'],
    ['(5,25 €)', ',', -5.25, '€', 'behind'],
    ['1.234,50\u00a0€', ',', 1234.5, '€', 'behind'],
    ['12€', '.', 12, '€', 'behind'],
    ["CHF 1'250.00", '.', 1250, 'CHF', 'before'],
    ['12.50 USD', '.', 12.5, 'USD', 'behind'],
    ['US$ 12.50', '.', 12.5, 'US$', 'before'],
    ['R$ 1.234,5', ',', 1234.5, 'R$', 'before'],
    ['250 kr', '.', 250, 'kr', 'behind'],
    ['9,99 zł', ',', 9.99, 'zł', 'behind'],
    ['12 %', '.', 0.12, '%', 'behind'],
    ['8,5%', ',', 0.085, '%', 'behind'],
    ['-7%', '.', -0.07, '%', 'behind'],
    ['%12', '.', 0.12, '%', 'before'],
  ])('%j is read', (text, sign, value, unit, unit_at) => {
    const amount = amountOf(text)!
    expect(amount).toMatchObject({ unit, unit_at })
    expect(readAmount(amount, sign)).toBe(value)
  })

  it.each(['12', '$', '%', 'free', '12 km', '$5 each', 'A$AP', 'USD', '$5 $', '(12)', `$${'1'.repeat(200)}`])(
    '%j is none',
    (text) => {
      const amount = amountOf(text)
      expect(amount && readAmount(amount, '.')).toBeNull()
    },
  )

  it('may have a unit that is no currency where that is known', () => {
    expect(amountOf('12 km')).toBeNull()
    expect(amountOf('12 km', 'km')).toEqual({ number: '12', unit: 'km', unit_at: 'behind' })
    expect(amountOf('-№ 12', '№')).toEqual({ number: '-12', unit: '№', unit_at: 'before' })
  })
})
