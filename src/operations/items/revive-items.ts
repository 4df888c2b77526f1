import type { SqlContext } from '#src/runtime/operation.ts'
import { undeleteItems } from '#src/storage/items/deleted-items.ts'
import type { ItemRow } from '#src/storage/items/items.ts'
import { indexAgain } from '#src/storage/large/returning-items.ts'

/** Brings deleted items back, into every search. A deleted tag has left deleted items too, so those that are left live. */
export async function reviveItems(
  { db, recorder }: Pick<SqlContext, 'db' | 'recorder'>,
  items: readonly Omit<ItemRow, 'item_id'>[],
): Promise<void> {
  const whole = new Set(await undeleteItems(db, items))
  recorder?.restOn([...whole])
  await indexAgain(
    db,
    items.filter(({ id }) => !whole.has(id)),
  )
}
