import { expect, it } from 'vitest'
import { NumberTable } from '#src/storage/columns/number-table.ts'
import { Chance } from '#test/support/chance.ts'

it('numbers what it meets as a map would', () => {
  const chance = new Chance(1)
  const extremes = [
    0,
    -0,
    1,
    -1,
    0.1,
    5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    2 ** 53,
    2 ** 32,
    -(2 ** 31),
  ]
  const some = Array.from({ length: 5000 }, () => Math.floor(chance.next() * 2000) - 1000)
  const fractions = Array.from({ length: 5000 }, () => chance.next())
  const given = [...extremes, ...some, ...fractions, ...extremes, ...fractions]
  const table = new NumberTable(given.length)
  const positions = new Map<number, number>()
  for (const number of given) {
    if (!positions.has(number)) positions.set(number, positions.size)
    expect(table.positionOf(number)).toBe(positions.get(number))
  }
  expect(table.numbers).toStrictEqual([...positions.keys()])
  table.free()
})

it('has room for as many different numbers as were said', () => {
  for (const most of [0, 1, 2, 3, 1023, 1024]) {
    const table = new NumberTable(most)
    for (let i = 0; i < most; i++) expect(table.positionOf(i * 2 ** 32)).toBe(i)
    expect(table.numbers).toHaveLength(most)
  }
})
