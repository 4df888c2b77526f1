import { expect, test } from 'vitest'
import { Heights, indexAt } from '#web/rules/heights.ts'

const id = (index: number) => `i${index}`

test('what is measured is as high as it is, the rest is guessed', () => {
  const heights = new Heights(100)
  expect([...heights.tops(3, id)]).toEqual([0, 100, 200, 300])
  expect(heights.set('i1', 40)).toBe(true)
  expect(heights.set('i1', 40)).toBe(false)
  expect([...heights.tops(3, id)]).toEqual([0, 100, 140, 240])
  expect([...heights.tops(2, () => undefined)]).toEqual([0, 100, 200])
})

test('some are enough to guess the others by, once', () => {
  const heights = new Heights(100)
  for (let i = 0; i < 8; i++) heights.set(id(i), 50)
  expect(heights.tops(10, id)[10]).toBe(500)
  heights.set('i8', 90)
  expect(heights.tops(10, id)[10]).toBe(540)
})

test('what is at a height', () => {
  const tops = new Heights(10).tops(4, id)
  expect([-5, 0, 9, 10, 39, 400].map((y) => indexAt(tops, y))).toEqual([0, 0, 0, 1, 3, 3])
  expect(indexAt(new Heights(10).tops(0, id), 5)).toBe(0)
})
