import { expect, it } from 'vitest'
import { Fault } from '#web/api/fault.ts'
import { PendingEdits } from '#web/data/pending-edits.ts'

const row = { item_id: 'I', name: 'Roof', tags: { T: { field_values: { effort: 1, urgent: true } } } }

it('shows the same object until something else is typed, or is refused', () => {
  const pending = new PendingEdits()
  const place = { item_id: 'I', tag_id: 'T', field: 'effort' }
  pending.set(place, { value: 2 })
  const first = pending.shown(row)
  expect(pending.shown(row)).toBe(first)
  expect(pending.shown({ ...row })).not.toBe(first)
  const again = pending.shown(row)
  const fault = new Fault(400, { error: 'BadRequest', message: 'is no number' })
  pending.set(place, { value: 2, fault })
  expect(pending.shown(row)).not.toBe(again)
  pending.set({ ...place, field: 'urgent' }, { value: false })
  const both = pending.shown(row)
  pending.delete({ ...place, field: 'urgent' })
  expect(pending.shown(row)).not.toBe(both)
})

it('shows the same object of each row, where two parts of a page have one of their own', () => {
  const pending = new PendingEdits()
  pending.set({ item_id: 'I', tag_id: null, field: 'name' }, { value: 'Fence' })
  const other = { ...row }
  const shown = [pending.shown(row), pending.shown(other)]
  expect([pending.shown(row), pending.shown(other)].every((each, i) => each === shown[i])).toBe(true)
})

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
