import { describe, expect, it } from 'vitest'
import { partsOf, TextParts } from '#src/domain/text-parts.ts'
import { Chance } from '#test/support/chance.ts'
import { computed } from '#test/support/computed.ts'

describe('TextParts', () => {
  it('finds what looking for each part finds', () => {
    const chance = new Chance(1)
    const word = (letters: string, most: number) =>
      Array.from({ length: Math.floor(chance.next() * most) + 1 }, () => {
        const all = Array.from(letters)
        return all[Math.floor(chance.next() * all.length)]
      }).join('')
    let found = 0
    for (let round = 0; round < 3000; round++) {
      const letters = round % 2 ? 'ab' : 'aé😀\u0000'
      const parts = Array.from({ length: Math.floor(chance.next() * 6) + 1 }, () => word(letters, 5))
      const text = word(letters, 12)
      const holds = parts.some((part) => text.includes(part))
      if (holds) found++
      expect(new TextParts(parts).isIn(text), JSON.stringify({ parts, text })).toBe(holds)
    }
    expect(found).toBeGreaterThan(500)
    expect(found).toBeLessThan(2500)
  })

  it('finds what ends within another part, and nothing of no parts', () => {
    expect(new TextParts(['abcd', 'bc']).isIn('xabcx')).toBe(true)
    expect(new TextParts(['abab', 'abc']).isIn('ababc')).toBe(true)
    expect(new TextParts([]).isIn('a')).toBe(false)
    expect(new TextParts(['']).isIn('')).toBe(true)
  })

  it('takes time linear in the text, whatever the parts', () => {
    const parts = Array.from({ length: 999 }, (_, i) => `${'a'.repeat(i)}b`)
    const text = 'a'.repeat(1_000_000)
    const began = computed()
    expect(partsOf(JSON.stringify(parts)).isIn(text)).toBe(false)
    expect(computed() - began).toBeLessThan(3000)
  })
})
