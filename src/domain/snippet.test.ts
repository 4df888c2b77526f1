import { expect, it } from 'vitest'
import { snippetOf } from '#src/domain/snippet.ts'

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
