import { call } from '#web/api/call.ts'
import { createItem } from '#web/api/operations.ts'
import type { Item } from '#web/data/item-query.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { keepChange } from '#web/data/undo-change.ts'

/** Makes another item with the same description, tags and values; its id. */
export async function duplicateItem({ name, description, data }: Item): Promise<string> {
  const called = `${name} (copy)`
  const tags = Object.entries(data).map(([tag_id, { field_values }]) => ({
    tag_ref: { Existing: tag_id },
    field_values,
  }))
  const made = await call(createItem, { name: called, tags, ...(description && { description }) })
  keepChange(`Made ${called}`, made.change_id)
  itemsChanged([made.data.item_id])
  return made.data.item_id
}
