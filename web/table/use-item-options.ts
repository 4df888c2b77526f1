import { call } from '#web/api/call.ts'
import { createItem } from '#web/api/operations.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { keepItemName } from '#web/data/item-names.ts'
import { findItemsLike, isNamed, useItemsLike } from '#web/data/item-options.ts'
import type { Option } from '#web/table/option.ts'

/** Items that a reference may name; the last choice makes one. */
export function useItemOptions(text: string, of: readonly string[]): { options: Option[]; isOld: boolean } {
  const { items, isOld } = useItemsLike(text, of)
  const found = items.map(({ item_id, name, what }) => ({
    value: item_id,
    text: name,
    what,
  }))
  const isNew = text && !isOld && !items.some(({ name }) => isNamed(name, text))
  return { options: isNew ? [...found, creating(text, of)] : found, isOld }
}

/** What Enter takes of them once they are read: the first one, else the one that is made. */
export async function firstItem(text: string, of: readonly string[]): Promise<string> {
  const [first] = await findItemsLike(text, of)
  return first?.item_id ?? creating(text, of).create()
}

const creating = (name: string, of: readonly string[]) => ({
  value: 'new',
  text: `Create “${name}”`,
  create: async () => {
    const tags = of.length === 1 ? [{ tag_ref: { Existing: of[0]! } }] : []
    const { data, change_id } = await call(createItem, { name, tags })
    keepChange(`Made ${name}`, change_id)
    keepItemName(data.item_id, name)
    return data.item_id
  },
})
