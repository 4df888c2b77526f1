import { describe, expect, it } from 'vitest'
import { countMask, idsOfMask } from '#src/storage/search/column-matches.ts'

describe('a mask', () => {
  const mask = Uint8Array.from([0, 1, 1, 0, 0, 1, 1])

  it.each([
    [undefined, 10, [1, 2, 5, 6]],
    [undefined, 4, [1, 2, 5, 6]],
    [undefined, 3, [1, 2, 5]],
    [undefined, 1, [1]],
    [undefined, 0, []],
    [0, 2, [1, 2]],
    [1, 2, [2, 5]],
    [4, 9, [5, 6]],
    [5, 9, [6]],
    [6, 9, []],
    [9, 9, []],
  ])('has these row ids after %s, %d of them', (after, limit, ids) => {
    expect(idsOfMask(mask, after, limit)).toEqual(ids)
  })

  it('has so many', () => {
    expect(countMask(mask)).toBe(4)
    expect(countMask(Uint8Array.from([1, 0, 1]))).toBe(2)
    expect(countMask(new Uint8Array(0))).toBe(0)
  })
})
