import { describe, expect, test } from 'vitest'
import { RowSlots } from '#web/data/row-slots.ts'

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ item_id: `${from + i}`, name: `row ${from + i}` }))
const filled = (...parts: [start: number, count: number, next?: string][]) => {
  const slots = new RowSlots<{ item_id: string; name: string }>()
  for (const [start, count, next] of parts) slots.fill(start, rows(start, count), next)
  return slots
}
const ids = (slots: ReturnType<typeof filled>) =>
  Array.from({ length: slots.length }, (_, i) => slots.at(i)?.item_id ?? '·').join(' ')

describe('rows by their place', () => {
  test('come page by page to the end', () => {
    const slots = filled([0, 3, 'a'])
    expect([slots.length, slots.front, slots.isWhole, slots.cursor(3)]).toEqual([3, 3, false, 'a'])
    expect(slots.hole(2, 6, 10)).toEqual({ first: 3, from: 3, before: Infinity })
    slots.fill(3, rows(3, 2), undefined)
    expect([slots.length, slots.isWhole, slots.hasEnd]).toEqual([5, true, true])
    expect(slots.hole(0, 5, 10)).toBeUndefined()
  })

  test('leave a hole where somebody jumped, which is reported as far as it matters', () => {
    const slots = filled([0, 2, 'a'], [8, 2])
    expect(ids(slots)).toBe('0 1 · · · · · · 8 9')
    expect([slots.front, slots.isWhole, slots.rows.length]).toEqual([2, false, 4])
    expect(slots.hole(0, 10, 100)).toEqual({ first: 2, from: 2, before: 8 })
    expect(slots.hole(5, 7, 100)).toEqual({ first: 5, from: 2, before: 8 })
    expect(slots.hole(5, 7, 2)).toEqual({ first: 5, from: 3, before: 7 })
    expect(slots.hole(8, 10, 100)).toBeUndefined()
    slots.fill(2, rows(2, 6), 'b')
    expect([ids(slots), slots.isWhole]).toEqual(['0 1 2 3 4 5 6 7 8 9', true])
  })

  test('are fewer than was said', () => {
    const slots = filled([0, 2, 'a'], [8, 2, 'z'])
    slots.fill(4, rows(4, 2), undefined)
    expect([ids(slots), slots.hasEnd, slots.isWhole, slots.has('9')]).toEqual([
      '0 1 · · 4 5',
      true,
      false,
      false,
    ])
    slots.end(2)
    expect([ids(slots), slots.isWhole]).toEqual(['0 1', true])
  })

  test('stay where they were seen when they come again at the end', () => {
    const slots = filled([0, 3, 'a'])
    slots.fill(3, [...rows(1, 1), ...rows(3, 2)], 'b')
    expect([ids(slots), slots.cursor(5)]).toEqual(['0 1 2 3 4', 'b'])
  })

  test('are all renewed where one stands twice', () => {
    const slots = filled([0, 2, 'a'], [6, 2])
    slots.fill(2, [...rows(6, 1), ...rows(2, 1)], 'b')
    expect(ids(slots)).toBe('0 1 6 2 · · 6 7')
    slots.replace({ item_id: '6', name: 'new' })
    expect(slots.rows.filter(({ name }) => name === 'new').length).toBe(2)
    expect(slots.replace({ item_id: '99', name: 'none' })).toBe(false)
  })

  test('come and go with their cursors', () => {
    const slots = filled([0, 2, 'a'], [6, 2, 'z'])
    slots.insert(0, { item_id: 'new', name: 'new' })
    expect([ids(slots), slots.cursor(3), slots.cursor(9)]).toEqual(['new 0 1 · · · · 6 7', 'a', 'z'])
    expect(slots.remove(new Set(['new', '1', '7', 'none']))).toBe(3)
    expect([ids(slots), slots.cursor(1), slots.cursor(6)]).toEqual(['0 · · · · 6', 'a', 'z'])
  })
})
