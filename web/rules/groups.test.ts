import { describe, expect, test } from 'vitest'
import { columnsOf } from '#web/rules/column.ts'
import {
  bucketRange,
  bucketsFilter,
  groupBy,
  groupFilter,
  groupingColumn,
  groupings,
  groupLabel,
  groupsInOrder,
} from '#web/rules/groups.ts'

describe('groups', () => {
  test('are by fields, dates by their month, and all items by their tags', () => {
    const fields = {
      status: { type: 'Select', variants: ['a'] },
      due: 'Date',
      done: 'Boolean',
      at: 'DateTime',
      team: 'String',
      effort: 'Number',
    }
    const tag = { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0BB', name: 'Task', fields, schema_version: 1 }
    expect(groupings([tag]).map(({ path }) => path)).toEqual([
      'Task.status',
      'Task.due',
      'Task.done',
      'Task.at',
      'Task.team',
      'Task.effort',
    ])
    expect(groupings([])).toEqual([{ path: 'has_tag', label: 'Tag' }])
  })

  test.each([
    ['team', ['10 m', '9 m', null], ['9 m', '10 m', null]],
    ['labels', [null, 'b', 'a'], ['a', 'b', null]],
    ['done', [null, false, true], [true, false, null]],
    ['effort', [10, 9, null], [10, 9, null]],
  ])('of one size stand by %s as %j is counted', (name, keys, sorted) => {
    const fields = {
      team: 'String',
      labels: { type: 'MultiSelect', variants: ['a', 'b'] },
      done: 'Boolean',
      effort: 'Number',
    }
    const tag = { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0BB', name: 'Task', fields, schema_version: 1 }
    const column = groupingColumn(columnsOf([tag]), `Task.${name}`)
    const groups = keys.map((key) => ({ key: [key], count: 1 }))
    expect(groupsInOrder(groups, column).map(({ key }) => key[0])).toEqual(sorted)
  })

  test('are filters', () => {
    expect(groupFilter('Task.status', 'open')).toEqual({ 'Task.status': { in: ['open'] } })
    expect(groupFilter('Task.done', false)).toEqual({ 'Task.done': { eq: false } })
    expect(groupFilter('Task.done', null)).toEqual({ not: { 'Task.done': { exists: true } } })
    expect(groupFilter('has_tag', null)).toEqual({ has_tag: null })
    expect(groupFilter('Task.who', { item_id: 'X', name: 'Ada' })).toEqual({ 'Task.who': { in: ['X'] } })
    expect(groupFilter('Task.team', 'Yard', 'String')).toEqual({ 'Task.team': { eq: 'Yard' } })
    expect(groupFilter('Task.effort', 2.5, 'Number')).toEqual({ 'Task.effort': { eq: 2.5 } })
    expect(groupBy('Task.due', 'Date')).toEqual({ by: 'Task.due', bucket: 'month' })
    expect(groupFilter('Task.due', '2026-02', 'Date')).toEqual({
      and: [{ 'Task.due': { gte: '2026-02-01' } }, { 'Task.due': { lt: '2026-03-01' } }],
    })
    expect(groupLabel(null)).toBe('Nothing')
    expect(groupLabel(' ', { type: 'String', schema: 'String' })).toBe('Blank')
  })

  test.each([
    [{ format: 'percent' }, 0.255, '25.5%'],
    [{ unit: 'km', decimals: 0 }, 1.5, '1.5\u00A0km'],
    [{}, 1e-30, '1E-30'],
    [{}, 12_345.678, '12,345.678'],
  ])('of a Number that is shown as %j have %d as %s', (look, key, label) => {
    expect(groupLabel(key, { type: 'Number', schema: { type: 'Number', ...look } })).toBe(label)
  })

  test('of no values are those of lists with nothing in them, too', () => {
    const is = (test: object) => ({ 'Task.labels': test })
    const nothing = (counted: object) => ({
      or: [is({ exists: false }), is({ eq: [] }), { and: [is({ outdated: true }), { not: counted }] }],
    })
    expect(groupFilter('Task.labels', null, 'MultiSelect', ['a', null, 'gone'])).toEqual(
      nothing(is({ in: ['a', 'gone'] })),
    )
    expect(groupFilter('Task.labels', null, 'MultiReference')).toEqual(
      nothing({ or: [is({ dangling: true }), is({ dangling: false })] }),
    )
  })

  test('at the ends of time have one bound, or none', () => {
    const due = 'Task.due'
    expect(groupFilter(due, '9999-12', 'Date')).toEqual({ [due]: { gte: '9999-12-01' } })
    expect(groupFilter(due, '0000-01', 'Date')).toEqual({ [due]: { lt: '0000-02-01' } })
    expect(bucketsFilter(due, '0000', '9999', false)).toEqual({ [due]: { exists: true } })
    expect(bucketsFilter(due, '0001', '0099', false)).toEqual({
      and: [{ [due]: { gte: '0001-01-01' } }, { [due]: { lt: '0100-01-01' } }],
    })
    const before = new Date(2000, 0, 1)
    before.setFullYear(0, 0, 2)
    expect(groupFilter('Task.at', '9999-12-31', 'DateTime')).toEqual({
      'Task.at': { gte: new Date(9999, 11, 31).toISOString() },
    })
    expect(bucketsFilter('Task.at', '0000-01-01', '0000-01-01', true)).toEqual({
      'Task.at': { lt: before.toISOString() },
    })
  })

  test('of dates have their days', () => {
    expect(bucketRange('2026-02')).toEqual({ from: '2026-02-01', before: '2026-03-01' })
    expect(bucketRange('2026')).toEqual({ from: '2026-01-01', before: '2027-01-01' })
    expect(bucketRange('2026-12-31')).toEqual({ from: '2026-12-31', before: '2027-01-01' })
    expect(bucketRange('0099-02')).toEqual({ from: '0099-02-01', before: '0099-03-01' })
    const [march, april] = [new Date(2026, 2, 1), new Date(2026, 3, 1)].map((each) => each.toISOString())
    expect(bucketRange('2026-03', true)).toEqual({ from: march, before: april })
    expect(groupFilter('Task.at', '2026-03', 'DateTime')).toEqual({
      and: [{ 'Task.at': { gte: march } }, { 'Task.at': { lt: april } }],
    })
    expect(groupBy('Task.at', 'DateTime')).toEqual({ by: 'Task.at', bucket: 'month' })
    expect(bucketRange('2026-W05')).toBeNull()
  })
})
