import { describe, expect, it } from 'vitest'
import {
  numberText,
  sayNumber,
  typedNumber,
  typedNumberOf,
  understoodNumber,
} from '#web/rules/typed-number.ts'

describe('a number that is typed', () => {
  it.each<[string, string, number]>([
    ['12', 'en-GB', 12],
    ['-1.5e3', 'de-DE', -1500],
    ['1 234,5', 'en-GB', 1234.5],
    ['1,234.5', 'de-DE', 1234.5],
    ['1.234,5', 'en-GB', 1234.5],
    ['1,234,567', 'de-DE', 1_234_567],
    ['1.234.567', 'en-US', 1_234_567],
    ['1,5', 'en-US', 1.5],
    ['1.25', 'de-DE', 1.25],
    ['0,125', 'en-US', 0.125],
    ['0.125', 'de-DE', 0.125],
    ['1234,567', 'en-US', 1234.567],
    // Only the language tells thousands from thousandths.
    ['1,234', 'en-US', 1234],
    ['1.234', 'en-US', 1.234],
    ['1,234', 'de-DE', 1.234],
    ['1.234', 'de-DE', 1234],
    ["1'234", 'en-US', 1234],
    ['12,34,567', 'en-IN', 1_234_567],
    ['١٢٫٥', 'ar-EG', 12.5],
    ['−3', 'en-GB', -3],
    // By an input method, and copied with the marks that turn the direction of writing.
    ['１，２３４．５', 'ja-JP', 1234.5],
    ['٣٫٥', 'de-DE', 3.5],
    ['\u061c-٠٫٥', 'ar-EG', -0.5],
    ['\u200e−۰٫۵', 'fa-IR', -0.5],
    ['9007199254740992', 'en-GB', 2 ** 53],
    ['100,000,000,000,000,000,000', 'en-GB', 1e20],
  ])('%s, by a reader of %s, is %d', (text, locale, value) => {
    expect(typedNumber(text, locale)).toEqual({ is: 'value', value })
  })

  it.each([
    '9007199254740993',
    '9,007,199,254,740,993',
    '90,07,19,92,54,74,09,93,123',
    '-99,999,999,999,999,999,999',
  ])('is refused where it would be rounded: %s', (text) => {
    expect(typedNumber(text, 'en-US')).toEqual({
      is: 'fault',
      message: `${text} has more digits than a number keeps; a String keeps them all`,
    })
  })

  it('is asked for where the language does not use the sign', () => {
    expect(typedNumber('1.234', 'fr-FR')).toEqual({ is: 'which', values: [1234, 1.234] })
    expect(typedNumber('1,234', 'de-CH')).toEqual({ is: 'which', values: [1234, 1.234] })
    expect(typedNumber('-1.234', 'fr-FR')).toEqual({ is: 'which', values: [-1.234, -1234] })
  })

  it.each(['many', '1.2.3', '0x10', '1,2,3', '12 apples', 'Infinity', '1e999'])('%s is none', (text) => {
    expect(typedNumber(text, 'en-GB')).toMatchObject({
      is: 'fault',
      message: /is no number such as 1234\.5$/,
    })
  })

  it('comes with the unit and the sign of its field', () => {
    const km = { type: 'Number', unit: 'km' } as const
    const share = { type: 'Number', format: 'percent' } as const
    expect(typedNumberOf(km, '1.234,5 km', { locale: 'de-DE' })).toEqual({ is: 'value', value: 1234.5 })
    expect(typedNumberOf(share, '12,5 %', { locale: 'de-DE' })).toEqual({ is: 'value', value: 0.125 })
    expect(typedNumberOf(share, '12', { locale: 'de-DE' })).toEqual({ is: 'value', value: 12 })
    expect(typedNumberOf(share, '12', { locale: 'de-DE', asShown: true })).toEqual({
      is: 'value',
      value: 0.12,
    })
    expect(typedNumberOf(share, '1.234%', { locale: 'fr-FR' })).toEqual({
      is: 'which',
      values: [12.34, 0.012_34],
    })
  })

  it.each(['en-GB', 'de-DE', 'fr-FR', 'de-CH', 'ar-EG', 'hi-IN', 'fa-IR', 'sv-SE'])(
    'is read again as it is shown for editing, in %s',
    (locale) => {
      for (const value of [0, -3, 1.234, 1234, 1234.5, 0.125, 1e21, 1.5e-7, 123_456.789])
        expect(typedNumber(numberText('Number', value, locale), locale)).toEqual(
          // Without the language's own sign it would be another number.
          { is: 'value', value },
        )
    },
  )
})

it.each<[string, string, string | undefined]>([
  ['12', 'en-GB', undefined],
  ['1,234', 'en-GB', '1234'],
  ['1.234', 'en-GB', '1.234, between 1 and 2'],
  ['1,234', 'de-DE', '1,234, between 1 and 2'],
  ['1,5', 'en-GB', '1.5'],
  ['1.234', 'fr-FR', 'Which one? ↓ and Enter choose'],
])('of %s a reader of %s is shown %s', (text, locale, said) => {
  expect(understoodNumber('Number', text, typedNumber(text, locale), locale)).toBe(said)
})

it('says numbers by the signs of the language', () => {
  expect(sayNumber(1234.5, 'de-DE')).toBe('1234,5')
  expect(sayNumber(1e21, 'en-GB')).toBe('1e+21')
})
