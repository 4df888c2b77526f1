import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { seenAmong } from '#src/storage/sight/seen-items.ts'
import { sightOf } from '#src/storage/sight/sight.ts'

const items = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item').select(['id', 'item_id', 'name', 'deleted_at']).where('id', 'in', integers(p.ids)),
)
const purgedRows = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('purged_item').select(['id', 'item_id']).where('id', 'in', integers(p.ids)),
)

/** Those of the row ids that are of purged items, which have left their ids alone. */
export const purgedItems = (db: Db, ids: readonly number[]): Promise<{ id: number; item_id: Ulid }[]> =>
  db.all(purgedRows, { ids: JSON.stringify(ids) })

/** Of an item that lives, is deleted or was purged; a purged one has no name any more, and is what is not seen. */
export interface ItemName {
  item_id: Ulid
  name: string | null
  deleted: boolean
}

/** By row id. */
export async function itemNames(db: Db, ids: readonly number[]): Promise<Map<number, ItemName>> {
  const found = new Map<number, ItemName>()
  const seen = sightOf(db) && (await seenAmong(db, ids))
  for (const { id, item_id, name, deleted_at } of await db.all(items, { ids: JSON.stringify(ids) }))
    found.set(
      id,
      seen?.has(id) === false
        ? { item_id, name: null, deleted: true }
        : { item_id, name, deleted: deleted_at !== null },
    )
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length)
    for (const { id, item_id } of await purgedItems(db, missing))
      found.set(id, { item_id, name: null, deleted: true })
  return found
}
