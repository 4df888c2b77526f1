import { expect, it } from 'vitest'
import { nearestAction } from '#src/domain/nearest-action.ts'

const NAMES = ['add_item', 'bulk_add_items', 'bulk_delete_items', 'delete_item', 'edit_item', 'restore_item']

it.each([
  ['rename_item', 'restore_item'],
  ['bulk_update_items', 'bulk_add_items'],
  ['delte_item', 'delete_item'],
  ['delete_items', 'delete_item'],
  ['remove_item', 'delete_item'],
  ['bulk_remove_items', 'bulk_delete_items'],
  ['something', undefined],
])('the action that is meant by %s is %s', (name, meant) => {
  expect(nearestAction(name, NAMES)).toBe(meant)
})
