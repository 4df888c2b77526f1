import { afterEach, describe, expect, it, vi } from 'vitest'
import { BoundedCache } from '#src/domain/bounded-cache.ts'

const cache = () => new BoundedCache<number>({ entries: 3, size: 100, unused: 1000 })

describe('a bounded cache', () => {
  afterEach(() => vi.restoreAllMocks())

  it('keeps this many entries, the last used ones', () => {
    const kept = cache()
    for (const [i, key] of ['a', 'b', 'c'].entries()) kept.set(key, i, 1)
    expect(kept.get('a')).toBe(0)
    kept.set('d', 3, 1)
    expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key))).toEqual([0, undefined, 2, 3])
    expect(kept.size).toBe(3)
  })

  it('keeps so much', () => {
    const kept = cache()
    kept.set('a', 1, 60)
    kept.set('b', 2, 60)
    expect([kept.get('a'), kept.get('b'), kept.size]).toEqual([undefined, 2, 60])
    kept.set('b', 3, 10)
    expect([kept.get('b'), kept.size, kept.entries]).toEqual([3, 10, 1])
    kept.set('c', 4, 101)
    expect([kept.get('c'), kept.get('b'), kept.size]).toEqual([undefined, 3, 10])
    kept.clear()
    expect([kept.size, kept.entries]).toEqual([0, 0])
  })

  it('keeps nothing that nobody asks for', () => {
    const now = vi.spyOn(performance, 'now')
    const kept = cache()
    now.mockReturnValue(0)
    kept.set('a', 1, 1)
    kept.set('b', 2, 1)
    now.mockReturnValue(900)
    expect(kept.get('a')).toBe(1)
    now.mockReturnValue(1100)
    kept.set('c', 3, 1)
    expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual([1, undefined, 3])
  })
})
