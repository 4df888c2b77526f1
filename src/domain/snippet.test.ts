import { expect, it } from 'vitest'
import { foldForSearch } from '#src/domain/search-text.ts'
import { snippetOf } from '#src/domain/snippet.ts'
import { soughtIn } from '#src/domain/words.ts'

const marked = { stems: new Set(['needle']), texts: [] }
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

it.each(['👩‍👩‍👧', '🇦🇹', '👍🏽', '한'.normalize('NFD'), 'e\u0302\u0301', '𝔸', 'x'])(
  'ends with a whole %s',
  (character) => {
    for (let before = 0; before < 12; before++) {
      const { text, marks } = snippetOf(`needle ${'a'.repeat(before)} ${character.repeat(300)}`, marked)!
      expect(text.length).toBeGreaterThan(240 - character.length)
      expect(text.length).toBeLessThanOrEqual(240)
      expect([...segmenter.segment(text)].at(-1)!.segment).toBe(character)
      expect(marks).toEqual([[0, 6]])
    }
  },
)

it('shows a part of a character that is longer than a snippet', () => {
  const { text } = snippetOf(`needle ${'\u0301'.repeat(300)}`, marked)!
  expect(text).toHaveLength(240)
})

/** What is marked of a text by a search for a phrase, and for any of the words. */
function markedOf(text: string, sought: string) {
  const folded = foldForSearch(sought)
  const stems = new Set(soughtIn(folded).map(({ stem }) => stem))
  return [
    { stems: new Set<string>(), texts: [folded] },
    { stems, texts: [] },
  ].map((by) => {
    const found = snippetOf(text, by)
    return found?.marks.map(([from, to]) => found.text.slice(from, to))
  })
}

it.each([
  ['less CO₂ by 2030', 'co2', [['CO₂'], ['CO₂']]],
  ['100㎡ of room', '100m2', [['100㎡'], ['100㎡']]],
  ['Facet™ is free', 'facet™', [['Facet™'], ['Facet™']]],
  ['the oﬃce', 'of', [['oﬃ'], undefined]],
  ['오늘 회의한 것', '회의하', [['회의한'], undefined]],
  ['½ cup', '1', [['½'], ['½']]],
  // Two marks as they are typed, which folding puts in order.
  ['قال مُحَم\u0651\u064eد نعم', 'مُحَم\u064e\u0651د', [['مُحَم\u0651\u064eد'], ['مُحَم\u0651\u064eد']]],
  ['ｶﾞｲﾄﾞの本', 'ガイド', [['ｶﾞｲﾄﾞ'], ['ｶﾞｲﾄﾞ']]],
  ['มีน้ำแข็ง', 'น้ำ', [['น้ำ'], ['น้ำ']]],
  ['the Daten\u00adbank\u200bs', 'datenbanks', [['Daten\u00adbank\u200bs'], ['Daten\u00adbank\u200bs']]],
  ['I ❤\ufe0f it', '❤', [['❤\ufe0f'], undefined]],
  ['two  blanks', 'two blanks', [['two  blanks'], ['two', 'blanks']]],
])('marks in %j whole characters of what %j has met', (text, sought, marks) => {
  expect(markedOf(text, sought)).toEqual(marks)
})
