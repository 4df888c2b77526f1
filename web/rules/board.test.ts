import { describe, expect, test } from 'vitest'
import { boardColumns, columnOfRow, movedCard, valueOfKey } from '#web/rules/board.ts'
import type { CellRow } from '#web/rules/cell-value.ts'
import { columnsOf, type FieldColumn } from '#web/rules/column.ts'

const tag = {
  tag_id: 'T',
  name: 'Task',
  schema_version: 1,
  fields: {
    status: { type: 'Select', variants: ['idea', { name: 'done', fields: { on: 'Date' } }] },
    urgent: 'Boolean',
    who: 'Reference',
  },
}
const field = (name: string) =>
  columnsOf([tag]).find((each): each is FieldColumn => each.kind === 'field' && each.field.name === name)!
const row = (field_values: Record<string, unknown>): CellRow => ({
  item_id: 'I',
  name: 'One',
  created_at: '',
  updated_at: '',
  tags: { T: { tag_name: 'Task', schema_version: 1, field_values } },
})
const outlined = (columns: ReturnType<typeof boardColumns>) =>
  columns.map(({ name, count, sum }) => [name, count, sum])

describe('the columns of a board', () => {
  test('are all variants in their order, then values of before, then what has none', () => {
    const groups = [
      { key: ['done'], count: 3, metrics: [12.5] },
      { key: ['gone'], count: 1, metrics: [null] },
    ]
    expect(outlined(boardColumns(field('status'), groups))).toEqual([
      ['idea', 0, null],
      ['done', 3, 12.5],
      ['gone', 1, null],
      ['No status', 0, null],
    ])
  })

  test('are yes, no and nothing', () => {
    const groups = [
      { key: [null], count: 2, metrics: [] },
      { key: [false], count: 1, metrics: [] },
    ]
    expect(outlined(boardColumns(field('urgent'), groups))).toEqual([
      ['Yes', 0, null],
      ['No', 1, null],
      ['No urgent', 2, null],
    ])
  })

  test('are items that are referred to, then those that may be', () => {
    const groups = [
      { key: [{ item_id: 'A', name: 'Ada' }], count: 1, metrics: [] },
      { key: [{ item_id: 'X', name: null }], count: 2, metrics: [] },
    ]
    const candidates = [
      { item_id: 'A', name: 'Ada' },
      { item_id: 'B', name: 'Bob' },
    ]
    expect(outlined(boardColumns(field('who'), groups, candidates))).toEqual([
      ['A deleted item', 2, null],
      ['Ada', 1, null],
      ['Bob', 0, null],
      ['No who', 0, null],
    ])
  })

  test.each([
    ['status', { status: { variant: 'idea' } }, 'idea'],
    ['status', {}, 'No status'],
    ['urgent', { urgent: false }, 'No'],
    ['who', { who: 'A' }, 'Ada'],
    ['who', { who: null }, 'No who'],
  ])('have what has the value, by which it comes there too: %s %j', (name, values, column) => {
    const by = field(name)
    const columns = boardColumns(by, [], [{ item_id: 'A', name: 'Ada' }])
    const found = columns.find(({ id }) => id === columnOfRow(by, row(values)))!
    expect(found.name).toBe(column)
    const moved = row({ [name]: valueOfKey(by, found.key) })
    expect(columnOfRow(by, moved)).toBe(found.id)
  })
})

test('what is kept from another type is in the column of what has no value', () => {
  const older = (values: Record<string, unknown>): CellRow => ({
    ...row(values),
    tags: { T: { tag_name: 'Task', schema_version: 0, field_values: values } },
  })
  expect(columnOfRow(field('who'), older({ who: 'the boss' }))).toBe('none')
  expect(columnOfRow(field('status'), older({ status: 'idea' }))).toBe('none')
  expect(columnOfRow(field('urgent'), older({ urgent: 'yes' }))).toBe('none')
})

describe('keys', () => {
  const totals = [3, 0, 9, 1]
  test.each([
    ['ArrowDown', 0, 2, [0, 2]],
    ['ArrowUp', 2, 3, [2, 2]],
    ['ArrowRight', 0, 2, [2, 2]],
    ['ArrowRight', 2, 8, [3, 0]],
    ['ArrowRight', 3, 0, [3, 0]],
    ['ArrowLeft', 2, 8, [0, 2]],
    ['PageDown', 2, 1, [2, 6]],
    ['End', 2, 1, [2, 8]],
    ['Home', 2, 1, [2, 0]],
  ])('%s from %i, %i', (key, column, index, [toColumn, toIndex]) => {
    expect(movedCard(key, { column, index }, totals, 5)).toEqual({ column: toColumn, index: toIndex })
  })

  test('that do not move are none', () =>
    expect(movedCard('x', { column: 0, index: 0 }, totals, 5)).toBeUndefined())
})
