import { notFound, type ServiceError } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { leavingAmong, letStay, takeOutNow } from '#src/storage/large/leaving-items.ts'
import type { ItemHead, ItemRow } from '#src/storage/items/items.ts'

const deleted = query((p: { item_id: Ulid }, sql) =>
  sql
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description', 'deleted_at'])
    .where('item_id', '=', p.item_id),
)

/** @throws NotFound, also where the item is not deleted */
export async function deletedItem(db: Db, text: string): Promise<ItemRow> {
  const item_id = parseUlid(text)
  const row = item_id === null ? undefined : await db.get(deleted, { item_id })
  if (row?.deleted_at == null) throw itemNotDeleted(text, row !== undefined)
  const { id, name, description } = row
  return { id, item_id: row.item_id, name, description }
}

const itemNotDeleted = (item_id: string, isLive: boolean): ServiceError =>
  notFound('Deleted item', item_id, {
    suggestion: isLive
      ? 'The item is not deleted'
      : 'It never was, or has been purged; GET /api/items/deleted (list_deleted_items) shows what there is',
  })

const restoreMany = query((p: { ids: string }, sql, dialect) =>
  sql.updateTable('item').set({ deleted_at: null }).where('id', 'in', dialect.integers(p.ids)),
)

/** Lets them live again. @returns those of which the indexes have everything; the others are the caller's to index again */
export async function undeleteItems(db: Db, items: readonly { id: number }[]): Promise<number[]> {
  const ids = items.map(({ id }) => id)
  const { whole, others } = await leavingAmong(db, ids)
  await takeOutNow(db, others)
  await letStay(db, whole)
  await db.enqueue(restoreMany, { ids: JSON.stringify(ids) })
  return whole
}

/** A deleted item or tag that may be purged. */
export interface Purgeable extends ItemHead {
  deleted_at: string
}

const all = query((_: object, sql) =>
  sql
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .orderBy('item_id')
    .$narrowType<{ deleted_at: string }>(),
)
const some = query((p: { item_ids: string }, sql, dialect) =>
  sql
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'deleted_at'])
    .where('item_id', 'in', dialect.texts(p.item_ids))
    .where(dialect.isDeleted)
    .orderBy('item_id')
    .$narrowType<{ deleted_at: string }>(),
)

/** Deleted items, oldest first: all, or those of the ids that are. */
export const deletedItems = (db: Db, item_ids?: readonly Ulid[]): Promise<Purgeable[]> =>
  item_ids ? db.all(some, { item_ids: JSON.stringify(item_ids) }) : db.all(all, {})

const keepIds = query((p: { ids: string }, sql, dialect) =>
  sql
    .insertInto('purged_item')
    .columns(['id', 'item_id'])
    .expression(sql.selectFrom('item').select(['id', 'item_id']).where('id', 'in', dialect.integers(p.ids))),
)
const purge = query((p: { ids: string }, sql, dialect) =>
  sql.deleteFrom('item').where('id', 'in', dialect.integers(p.ids)).where(dialect.isDeleted),
)

/**
 * Removes deleted items (row ids) for good with their tags, but for what the word index has of them (`purgeWords`). Their
 * ids stay, so that references to them dangle.
 */
export async function purgeItems(db: Db, ids: readonly number[]): Promise<void> {
  const list = JSON.stringify(ids)
  const { whole, others } = await leavingAmong(db, ids)
  await takeOutNow(db, [...whole, ...others])
  await db.enqueue(keepIds, { ids: list })
  await db.enqueue(purge, { ids: list })
}

const purged = query((p: { item_ids: string }, sql, { texts }) =>
  sql.selectFrom('purged_item').select('id').where('item_id', 'in', texts(p.item_ids)),
)

/** Row ids of those of the items that have been purged. */
export const purgedRows = async (db: Db, item_ids: readonly Ulid[]): Promise<number[]> =>
  (await db.all(purged, { item_ids: JSON.stringify(item_ids) })).map(({ id }) => id)
