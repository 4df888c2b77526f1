import type { Conditional } from '#src/runtime/operation.ts'
import { itemJson } from '#src/storage/items/item-json.ts'

/** A change that is meant for one state of an item (additions §5). */
export const itemState: Conditional = {
  present: async ({ db }, { item_id }) => JSON.parse(await itemJson(db, String(item_id))),
}
