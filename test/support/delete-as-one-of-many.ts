import { deleteItem } from '#src/operations/items/delete-item.ts'
import { itemDeleted } from '#src/operations/items/item-events.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { liveItem, softDeleteItems } from '#src/storage/items/items.ts'
import { Reply } from '#src/domain/reply.ts'

/** Deletes an item as a change of many does: what the indexes have of it stays for a while, unseen. */
export const deleteAsOneOfMany: typeof deleteItem = {
  ...deleteItem,
  async run(context, { item_id }) {
    const { db, now } = context
    const item = await liveItem(db, item_id)
    const reply = new Reply(await itemJson(db, item_id))
    await softDeleteItems(db, [item.id], now, true)
    await appendEvents(db, context, [itemDeleted(item)])
    return reply
  },
}
