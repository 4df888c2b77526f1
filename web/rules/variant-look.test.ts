import { describe, expect, it } from 'vitest'
import { HUES } from '#web/rules/hues.ts'
import { lookOfVariant, pillHue, variantLooks } from '#web/rules/variant-look.ts'

const STAGE = {
  type: 'Select' as const,
  variants: [
    'lead',
    { name: 'talks', hue: 38 },
    { name: 'won', closed: true, hue: 120 },
    { name: 'lost', closed: true },
  ],
}

describe('variantLooks', () => {
  it('counts the place among those that are not closed, so that lost is not fuller than won', () => {
    expect(
      variantLooks(STAGE).map(({ name, position, count, closed }) => [name, position, count, closed]),
    ).toEqual([
      ['lead', 0, 2, false],
      ['talks', 1, 2, false],
      ['won', -1, 2, true],
      ['lost', -1, 2, true],
    ])
  })

  it('knows the hue that is given, and a name that is gone', () => {
    expect(variantLooks(STAGE).map(({ hue }) => hue !== null && HUES[hue])).toEqual([
      false,
      'Orange',
      'Green',
      false,
    ])
    expect(lookOfVariant(STAGE, 'gone')).toMatchObject({ position: -1, closed: false, hue: null })
    expect(variantLooks('String')).toEqual([])
  })
})

describe('pillHue', () => {
  it('takes the hue that is given, else one that differs from those beside', () => {
    const looks = variantLooks({ type: 'MultiSelect', variants: ['a', 'b', { name: 'c', hue: 330 }] })
    const hues = looks.map((look, i) => pillHue(look, i))
    expect(hues[2]).toBe(HUES.indexOf('Rose'))
    expect(hues[0]).not.toBe(hues[1])
  })
})
