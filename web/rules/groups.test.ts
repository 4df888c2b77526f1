import { describe, expect, test } from 'vitest'
import { bucketRange, groupFilter, groupings, groupLabel } from '#web/rules/groups.ts'

describe('groups', () => {
  test('are by what has few values, and all items by their tags', () => {
    const fields = { status: { type: 'Select', variants: ['a'] }, due: 'Date', done: 'Boolean' }
    const tag = { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0BB', name: 'Task', fields, schema_version: 1 }
    expect(groupings([tag]).map(({ path }) => path)).toEqual(['Task.status', 'Task.done'])
    expect(groupings([])).toEqual([{ path: 'has_tag', label: 'Tag' }])
  })

  test('are filters', () => {
    expect(groupFilter('Task.status', 'open')).toEqual({ 'Task.status': { in: ['open'] } })
    expect(groupFilter('Task.done', false)).toEqual({ 'Task.done': { eq: false } })
    expect(groupFilter('Task.done', null)).toEqual({ not: { 'Task.done': { exists: true } } })
    expect(groupFilter('has_tag', null)).toEqual({ has_tag: null })
    expect(groupFilter('Task.who', { item_id: 'X', name: 'Ada' })).toEqual({ 'Task.who': { in: ['X'] } })
    expect(groupLabel(null)).toBe('Nothing')
  })

  test('of dates have their days', () => {
    expect(bucketRange('2026-02')).toEqual({ from: '2026-02-01', before: '2026-03-01' })
    expect(bucketRange('2026')).toEqual({ from: '2026-01-01', before: '2027-01-01' })
    expect(bucketRange('2026-12-31')).toEqual({ from: '2026-12-31', before: '2027-01-01' })
    expect(bucketRange('2026-W05')).toBeNull()
  })
})
