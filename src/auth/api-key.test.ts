import { describe, expect, it } from 'vitest'
import { isWholeKey, newKey, prefixOf } from '#src/auth/api-key.ts'

describe('a key', () => {
  it('has its form, and is another each time', () => {
    const keys = Array.from({ length: 200 }, newKey)
    for (const key of keys) {
      expect(key).toMatch(/^facet_[0-9A-Za-z]{49}$/)
      expect(isWholeKey(key)).toBe(true)
      expect(key.startsWith(prefixOf(key))).toBe(true)
    }
    expect(new Set(keys).size).toBe(200)
  })

  it('is known to be mistyped: one character changed, two swapped, cut or longer', () => {
    const key = newKey()
    for (let i = 6; i < key.length; i++) {
      const other = key[i] === 'a' ? 'b' : 'a'
      expect(isWholeKey(key.slice(0, i) + other + key.slice(i + 1)), `${i}`).toBe(false)
    }
    const at = Array.from(key).findIndex((char, i) => i > 6 && char !== key[i + 1])
    expect(isWholeKey(key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2))).toBe(false)
    for (const wrong of [key.slice(0, -1), `${key}a`, `${key}\n`, '', 'facet_', key.toLowerCase()])
      expect(isWholeKey(wrong)).toBe(false)
  })
})
