import { expect, it } from 'vitest'
import { PendingEdits } from '#web/data/pending-edits.ts'

const row = { item_id: 'I', name: 'Roof', tags: { T: { field_values: { effort: 1, urgent: true } } } }

it('shows what was typed before what is stored, also nothing', () => {
  const pending = new PendingEdits()
  expect(pending.shown(row)).toBe(row)
  pending.set({ item_id: 'I', tag_id: 'T', field: 'effort' }, { value: null })
  pending.set({ item_id: 'I', tag_id: null, field: 'name' }, { value: 'Fence' })
  pending.set({ item_id: 'I', tag_id: 'gone', field: 'x' }, { value: 1 })
  pending.set({ item_id: 'J', tag_id: 'T', field: 'urgent' }, { value: false })
  expect(pending.shown(row)).toEqual({
    ...row,
    name: 'Fence',
    tags: { T: { field_values: { effort: null, urgent: true } } },
  })
  expect(row.tags.T.field_values.effort).toBe(1)
  for (const [tag_id, field] of [
    ['T', 'effort'],
    [null, 'name'],
    ['gone', 'x'],
  ] as const)
    expect(pending.delete({ item_id: 'I', tag_id, field })).toBe(true)
  expect(pending.delete({ item_id: 'I', tag_id: 'T', field: 'effort' })).toBe(false)
  expect(pending.shown(row)).toBe(row)
})
