import { describe, expect, it } from 'vitest'
import { foldInSlices, MOST_FOLDED } from '#src/domain/decompose.ts'
import { Chance } from '#test/support/chance.ts'

const decomposed = (text: string) => foldInSlices(text, (slice) => slice)
const MANY_MARKS = /\p{M}{31}/u

/** Marks of three classes, letters that bring their own, what becomes a mark, what becomes longer, halves of pairs. */
const PIECES =
  'a b é \u0301 \u0323 \u0344 \uff9e \u0e33 \u0591 \u20d0 \u{1d165} \u{1d15e} 😀 ﷺ 가 \u1100 ﾞ ೋ \ud83d \ude00'
    .split(' ')
    .concat(' ')

describe('foldInSlices', () => {
  const random = new Chance(7)
  const pick = (pieces: readonly string[]) => pieces[random.below(pieces.length)]!
  const someText = (pieces: number) =>
    Array.from({ length: pieces }, () => pick(PIECES).repeat(random.is(0.1) ? 6 : 1)).join('')

  it('decomposes as NFKD does, wherever a slice ends', () => {
    for (let i = 0; i < 2000; i++) {
      const text = someText(random.below(60))
      if (!MANY_MARKS.test(text.normalize('NFKD'))) expect(decomposed(text)).toBe(text.normalize('NFKD'))
    }
    for (let i = 0; i < 20; i++) {
      let text = ''
      while (text.length < 60_000) text += `${pick(PIECES)}${pick(PIECES)}x`
      expect(decomposed(text) === text.normalize('NFKD')).toBe(true)
    }
  })

  for (const [what, text, folded] of [
    ['the first 30 of a run of marks', `x${'\u20d0'.repeat(31)}y`, `x${'\u20d0'.repeat(30)}y`],
    ['30 marks as they are', `x${'\u20d0'.repeat(30)}y`, `x${'\u20d0'.repeat(30)}y`],
    ['those that a letter brings too', `é${'\u0301'.repeat(30)}y`, `e${'\u0301'.repeat(30)}y`],
    ['what becomes a mark', '\uff9e'.repeat(50), '\u3099'.repeat(30)],
    [
      'the letter of a vowel behind the marks',
      `${'\u0e48'.repeat(40)}\u0e33`,
      `${'\u0e48'.repeat(30)}\u0e32`,
    ],
    ['marks beyond the basic plane', '\u{1e8d0}'.repeat(40), '\u{1e8d0}'.repeat(30)],
    [
      'each run',
      `a${'\u20d0'.repeat(40)}b${'\u20d0'.repeat(40)}`,
      `a${'\u20d0'.repeat(30)}b${'\u20d0'.repeat(30)}`,
    ],
  ] as const)
    it(`keeps ${what}`, () => expect(decomposed(text)).toBe(folded))

  it('leaves no run of more than 30 marks', () => {
    for (let i = 0; i < 300; i++) {
      const text = Array.from({ length: 400 }, () =>
        pick(['\u0301', '\u0323', '\u0344', '\uff9e', '\u0591']),
      ).join('')
      expect(decomposed(`a${text}`)).not.toMatch(MANY_MARKS)
    }
  })

  it('ends after a million characters, however many code units they have', () => {
    expect(decomposed('ﷺ'.repeat(100_000))).toBe('ﷺ'.normalize('NFKD').repeat(60_000).slice(0, MOST_FOLDED))
    expect(decomposed('😀'.repeat(1_000_001))).toBe('😀'.repeat(MOST_FOLDED))
  })
})
