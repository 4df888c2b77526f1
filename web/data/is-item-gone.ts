import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { getItem } from '#web/api/operations.ts'

/** Whether an item is deleted, or was removed for good: what else was not found may be a tag. */
export async function isItemGone(item_id: string): Promise<boolean> {
  const item = await call(getItem, { item_id }).catch(toFault)
  return item instanceof Fault && item.status === 404
}
