import { describe, expect, it } from 'vitest'
import { fold } from '#src/domain/fold.ts'

const LAST_CODE_POINT = 0x10ffff
const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff

function* everyCharacter(): Generator<string> {
  for (let point = 0; point <= LAST_CODE_POINT; point++)
    if (!isSurrogate(point)) yield String.fromCodePoint(point)
}

describe('fold', () => {
  it('keeps every text as long as it is', () => {
    for (const char of everyCharacter()) if (fold(char).length !== char.length) expect(fold(char)).toBe(char)
  })

  it('joins the characters that are the same but for case, and no others', () => {
    // By ECMAScript, a pattern with the flags i and u compares by simple case folding.
    const cased = [...everyCharacter()].filter(
      (char) => char !== char.toLowerCase() || char !== char.toUpperCase() || fold(char) !== char,
    )
    const text = cased.join('')
    const byFold = Map.groupBy(cased, fold)
    for (const char of cased) {
      const same = text.match(new RegExp(`\\u{${char.codePointAt(0)!.toString(16)}}`, 'giu'))
      expect(byFold.get(fold(char)), char).toEqual(same)
    }
  })

  it('leaves folded text as it is', () => {
    for (const char of everyCharacter()) if (fold(fold(char)) !== fold(char)) expect(char).toBe('stable')
  })

  for (const { text, folded } of [
    { text: 'ÉCOLE École', folded: 'école école' },
    { text: 'ΟΔΥΣΣΕΥΣ ς', folded: 'οδυσσευσ σ' },
    { text: 'STRAẞE straße', folded: 'straße straße' },
    { text: 'İIıi', folded: 'İiıi' },
    { text: '𐐀 K 😀', folded: '𐐨 k 😀' },
  ])
    it(`folds ${text} to ${folded}`, () => expect(fold(text)).toBe(folded))
})
