import { describe, expect, test } from 'vitest'
import {
  addAt,
  addTo,
  chipsOf,
  type Filter,
  getAt,
  groupOf,
  joinAs,
  moveAt,
  removeAt,
  setAt,
  unwrapAt,
} from '#web/rules/filter-edits.ts'

const a: Filter = { name: 'a' }
const b: Filter = { 'Task.effort': { gt: 1 } }
const c: Filter = { not: { has_tag: 'Task' } }

describe('edits of a filter', () => {
  test('join, in the forms that there are', () => {
    expect(groupOf({ and: [a, b] })).toEqual({ kind: 'all', children: [a, b], list: ['and'] })
    expect(groupOf({ not: { or: [a, b] } })).toMatchObject({ kind: 'none', list: ['not', 'or'] })
    expect(groupOf({ not: { and: [a, b] } })).toMatchObject({ kind: 'not all' })
    expect(groupOf({ not: { not: { or: [a, b] } } })).toBeNull()
    expect(groupOf(c)).toBeNull()
  })

  test('add beside what must hold', () => {
    expect(addTo(null, a)).toBe(a)
    expect(addTo(a, b)).toEqual({ and: [a, b] })
    expect(addTo({ and: [a, b] }, c)).toEqual({ and: [a, b, c] })
    expect(addTo({ or: [a, b] }, c)).toEqual({ and: [{ or: [a, b] }, c] })
    expect(addAt({ and: [a, b] }, ['and', 1], c, 'any')).toEqual({ and: [a, { or: [b, c] }] })
    expect(addAt({ not: { or: [a, b] } }, [], c)).toEqual({ not: { or: [a, b, c] } })
  })

  test('leave what is beside as the same object', () => {
    const filter = { and: [a, { or: [b, c] }] }
    const set = setAt(filter, ['and', 1, 'or', 0], a)
    expect(set).toEqual({ and: [a, { or: [a, c] }] })
    expect(getAt(set, ['and', 0])).toBe(a)
    expect(getAt(set, ['and', 1, 'or', 1])).toBe(c)
  })

  test.each<[string, Filter, (string | number)[], Filter | null]>([
    ['all', a, [], null],
    ['one of two', { and: [a, b] }, ['and', 0], b],
    ['one of three', { or: [a, b, c] }, ['or', 1], { or: [a, c] }],
    ['one of an inner pair', { and: [a, { or: [b, c] }] }, ['and', 1, 'or', 0], { and: [a, c] }],
    ['what is under not', { and: [a, c] }, ['and', 1, 'not'], a],
    ['one of none', { not: { or: [a, b] } }, ['not', 'or', 0], { not: b }],
    [
      'the filter of what refers',
      { '<-Task.project': { filter: a, count: { gte: 2 } } },
      ['<-Task.project', 'filter'],
      { '<-Task.project': { count: { gte: 2 } } },
    ],
  ])('remove %s', (_, filter, path, left) => {
    expect(removeAt(filter, path)).toEqual(left)
  })

  test('regroup and move', () => {
    const filter = { and: [a, { or: [b, c] }] }
    expect(joinAs(filter, [], 'none')).toEqual({ not: { or: [a, { or: [b, c] }] } })
    expect(unwrapAt(filter, ['and', 1])).toEqual({ and: [a, b, c] })
    expect(moveAt(filter, ['and', 0], 1)).toEqual({ and: [{ or: [b, c] }, a] })
    expect(moveAt(filter, ['and', 0], -1)).toBe(filter)
  })

  test('show as chips what must hold', () => {
    expect(chipsOf(null)).toEqual([])
    expect(chipsOf({ and: [a, b] }).map(({ path }) => path)).toEqual([
      ['and', 0],
      ['and', 1],
    ])
    expect(chipsOf({ or: [a, b] })).toHaveLength(1)
  })
})
