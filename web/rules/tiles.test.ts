import { expect, test } from 'vitest'
import { movedTile, tilesIn } from '#web/rules/tiles.ts'

test('tiles fill the width, and those in sight are drawn with a row around them', () => {
  expect(tilesIn({ width: 1000, height: 600, top: 0, total: 100 })).toEqual({
    across: 5,
    tileHeight: 246,
    first: 0,
    last: 20,
  })
  expect(tilesIn({ width: 1000, height: 600, top: 2460, total: 100 })).toMatchObject({ first: 45, last: 70 })
  expect(tilesIn({ width: 320, height: 600, top: 0, total: 1 })).toMatchObject({
    across: 2,
    first: 0,
    last: 1,
  })
  expect(tilesIn({ width: 100, height: 600, top: 900, total: 0 })).toMatchObject({
    across: 1,
    first: 0,
    last: 0,
  })
})

test.each([
  ['ArrowRight', 3, 4],
  ['ArrowLeft', 0, 0],
  ['ArrowDown', 3, 8],
  ['ArrowDown', 9, 11],
  ['ArrowUp', 3, 3],
  ['End', 3, 11],
  ['Home', 9, 0],
  ['x', 9, undefined],
])('%s leads from tile %i to %s', (key, from, to) => {
  expect(movedTile(key, from, { across: 5, total: 12 })).toBe(to)
})
