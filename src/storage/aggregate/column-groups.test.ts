import { expect, it } from 'vitest'
import { countValues, digitsOf, groupRows } from '#src/storage/aggregate/column-groups.ts'
import type { GroupKey } from '#src/storage/aggregate/group-key.ts'
import type { PathCodes } from '#src/storage/columns/path-codes.ts'

const BY_VALUE = { source: { kind: 'has_tag' }, form: { as: 'value' } } as const satisfies GroupKey
const WIDE = { source: { kind: 'has_tag' }, form: { as: 'width', width: 10 } } as const satisfies GroupKey

/** Rows of which each has a value of its own but for every third, which has none. */
function ownValues(rows: number, valueOf: (row: number) => number): PathCodes {
  const codes = Int32Array.from({ length: rows }, (_, row) => (row % 3 ? row + 2 : row % 2))
  return { codes, values: [null, null, ...Array.from({ length: rows }, (_, row) => valueOf(row))] }
}

it('tells groups apart whose combinations are more than a double can count', () => {
  const rows = 12_000
  const columns = [1, 0.5, -7].map((factor) => ownValues(rows, (row) => row * factor))
  const summed = ownValues(rows, (row) => row)
  const mask = Uint8Array.from({ length: rows }, (_, row) => (row % 5 ? 1 : 0))
  const digits = columns.map((codes) => digitsOf(codes, BY_VALUE, false))
  const found = groupRows(mask, digits, rows)!
  const own = Array.from(mask.keys()).filter((row) => mask[row] && row % 3)
  const without = Array.from(mask.keys()).filter((row) => mask[row] && row % 3 === 0).length
  expect(found.groups).toHaveLength(own.length + 1)
  const nothing = found.groups.findIndex(({ keys }) => keys[0] === null)
  expect(found.groups[nothing]).toStrictEqual({ keys: [null, null, null], count: without })
  const others = found.groups.filter((_, i) => i !== nothing)
  expect(others).toStrictEqual(own.map((row) => ({ keys: [row, row * 0.5, row * -7], count: 1 })))
  const counted = countValues(found, summed)
  expect(
    counted.map(({ group, value, count }) => [found.groups[group]!.keys[0], value, count]),
  ).toStrictEqual(own.map((row) => [row, row, 1]))
})

it('counts values that become one key together, and says when there are more groups than may be', () => {
  const codes = ownValues(30, (row) => row)
  const mask = new Uint8Array(30).fill(1)
  const digits = [digitsOf(codes, WIDE, false)]
  const { groups } = groupRows(mask, digits, 4)!
  expect(groups).toStrictEqual([
    { keys: [null], count: 10 },
    { keys: [0], count: 6 },
    { keys: [10], count: 7 },
    { keys: [20], count: 7 },
  ])
  expect(groupRows(mask, digits, 3)).toBeUndefined()
})

it('has one group without keys, and none of no rows', () => {
  expect(groupRows(Uint8Array.of(1, 0, 1), [], 1)!.groups).toStrictEqual([{ keys: [], count: 2 }])
  expect(
    groupRows(new Uint8Array(3), [digitsOf(ownValues(3, Number), BY_VALUE, false)], 1)!.groups,
  ).toStrictEqual([])
})
