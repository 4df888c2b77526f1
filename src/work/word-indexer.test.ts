import { describe, expect, it } from 'vitest'
import { Turns } from '#src/work/word-indexer.ts'

describe('the word index takes in what waits', () => {
  const decided = (...looks: number[]) => {
    const turns = new Turns()
    return looks.map((waiting) => turns.isDue(waiting))
  }

  it('when that is much, or no more comes', () => {
    expect(decided(100, 100, 2047, 2047, 2048, 0)).toEqual([false, false, false, true, true, false])
  })

  it('after a large change once no other has followed it', () => {
    expect(decided(5000, 2952)).toEqual([false, true])
    expect(decided(6000, 12_000, 12_001, 9953)).toEqual([false, false, true, true])
  })

  it('after a minute of large changes all the same', () => {
    const looks = Array.from({ length: 14 }, (_, i) => 6000 * (i + 1))
    expect(decided(...looks)).toEqual(looks.map((_, i) => i === 12))
  })
})
