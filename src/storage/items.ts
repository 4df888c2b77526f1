import { sql } from 'kysely'
import { notFound, type ServiceError } from '#src/domain/errors.ts'
import { fold } from '#src/domain/fold.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import { unindexItems } from '#src/storage/field-values.ts'

export interface ItemRow {
  /** Row id. */
  id: number
  item_id: Ulid
  name: string
  description: string | null
}

export const itemNotFound = (item_id: string): ServiceError => notFound('Item', item_id)

const live = query((p: { item_id: Ulid }, db) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description'])
    .where('item_id', '=', p.item_id)
    .where('deleted_at', 'is', null),
)

/** @throws NotFound, also for a deleted item and for text that is no id */
export async function liveItem(db: Db, item_id: string): Promise<ItemRow> {
  const id = parseUlid(item_id)
  const row = id === null ? undefined : await db.get(live, { item_id: id })
  if (!row) throw itemNotFound(item_id)
  return row
}

const deleted = query((p: { item_id: Ulid }, db) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description'])
    .where('item_id', '=', p.item_id)
    .where('deleted_at', 'is not', null),
)

export async function findDeletedItem(db: Db, item_id: Ulid): Promise<ItemRow | undefined> {
  return db.get(deleted, { item_id })
}

/** The 404 for an item that was to be restored or purged and is not deleted. */
export async function itemNotDeleted(db: Db, item_id: string): Promise<ServiceError> {
  const id = parseUlid(item_id)
  const isLive = id !== null && (await db.get(live, { item_id: id })) !== undefined
  return notFound('Deleted item', item_id, {
    suggestion: isLive
      ? 'The item is not deleted'
      : 'It never was, or has been purged; list_deleted_items (GET /api/items/deleted) shows what there is',
  })
}

/** The single form of an item (decisions §2); the stored JSON is pasted by the database itself. */
const itemAsJson = query((p: { item_id: Ulid }, db, { jsonQuote }) => {
  const quoted = (column: 'item.name' | 'item.description' | 'tag.name') => jsonQuote(sql.ref(column))
  const data = db
    .selectFrom('item_tag')
    .innerJoin('tag', 'tag.id', 'item_tag.tag')
    .where('item_tag.item', '=', sql.ref<number>('item.id'))
    .select(
      sql<string>`string_agg('"' || tag.tag_id || '":{"tag_name":' || ${quoted('tag.name')} || ',"schema_version":' || item_tag.schema_version || ',"field_values":' || item_tag.field_values || '}', ',' order by item_tag.tag)`.as(
        'data',
      ),
    )
  return db
    .selectFrom('item')
    .where('item.item_id', '=', p.item_id)
    .where('item.deleted_at', 'is', null)
    .select(
      sql<string>`'{"item_id":"' || item.item_id || '","id":"' || item.item_id || '","name":' || ${quoted('item.name')} || ',"description":' || ${quoted('item.description')} || ',"data":{' || coalesce((${data}), '') || '},"created_at":"' || item.created_at || '","updated_at":"' || item.updated_at || '"}'`.as(
        'json',
      ),
    )
})

/**
 * A live item in its single form, as JSON text.
 * @throws NotFound
 */
export async function itemJson(db: Db, item_id: string): Promise<string> {
  const id = parseUlid(item_id)
  const row = id === null ? undefined : await db.get(itemAsJson, { item_id: id })
  if (!row) throw itemNotFound(item_id)
  return row.json
}

export interface NewItem {
  item_id: Ulid
  name: string
  description: string | null
}

const insertItem = query((p: { item_id: Ulid; name: string; description: string | null; now: string }, db) =>
  db
    .insertInto('item')
    .values({
      item_id: p.item_id,
      name: p.name,
      description: p.description,
      created_at: p.now,
      updated_at: p.now,
    })
    .returning('id'),
)
const insertTexts = rowInserter('item_text', ['id', 'name', 'description'])
const textRow = ({ id, name, description }: Omit<ItemRow, 'item_id'>) => [
  id,
  fold(name),
  description === null ? null : fold(description),
]

/** Inserts items in order; their row ids. */
export async function insertItems(db: Db, items: readonly NewItem[], now: Date): Promise<number[]> {
  const created = now.toISOString()
  const rows: ItemRow[] = []
  for (const item of items) {
    const { id } = (await db.get(insertItem, { ...item, now: created }))!
    rows.push({ id, ...item })
  }
  await insertTexts(db, rows.map(textRow))
  return rows.map(({ id }) => id)
}

const updateRow = query((p: { id: number; name: string; description: string | null; now: string }, db) =>
  db
    .updateTable('item')
    .set({ name: p.name, description: p.description, updated_at: p.now })
    .where('id', '=', p.id),
)
const updateText = query((p: { id: number; name: string; description: string | null }, db) =>
  db.updateTable('item_text').set({ name: p.name, description: p.description }).where('id', '=', p.id),
)

export async function updateItem(db: Db, item: Omit<ItemRow, 'item_id'>, now: Date): Promise<void> {
  const [id, name, description] = textRow(item) as [number, string, string | null]
  await db.run(updateRow, { ...item, now: now.toISOString() })
  await db.run(updateText, { id, name, description })
}

const touch = query((p: { ids: string; now: string }, db, { integers }) =>
  db.updateTable('item').set({ updated_at: p.now }).where('id', 'in', integers(p.ids)),
)
const touchOne = query((p: { id: number; now: string }, db) =>
  db.updateTable('item').set({ updated_at: p.now }).where('id', '=', p.id),
)

/** Moves `updated_at` of items whose tags or values changed. */
export async function touchItems(db: Db, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 1) await db.run(touchOne, { id: ids[0]!, now: now.toISOString() })
  else await db.run(touch, { ids: JSON.stringify(ids), now: now.toISOString() })
}

const markDeleted = query((p: { ids: string; now: string }, db, { integers }) =>
  db.updateTable('item').set({ deleted_at: p.now }).where('id', 'in', integers(p.ids)),
)
const dropTexts = query((p: { ids: string }, db, { integers }) =>
  db.deleteFrom('item_text').where('id', 'in', integers(p.ids)),
)

/** Out of every search and index; tags, values and references to it stay. */
export async function softDeleteItems(db: Db, ids: readonly number[], now: Date): Promise<void> {
  const list = JSON.stringify(ids)
  await unindexItems(db, ids)
  await db.run(dropTexts, { ids: list })
  await db.run(markDeleted, { ids: list, now: now.toISOString() })
}

const markRestored = query((p: { id: number }, db) =>
  db.updateTable('item').set({ deleted_at: null }).where('id', '=', p.id),
)

/** Back into searches by text; its values are the caller's to index again. */
export async function undeleteItem(db: Db, item: ItemRow): Promise<void> {
  await db.run(markRestored, { id: item.id })
  await insertTexts(db, [textRow(item)])
}

const headsById = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item').select(['id', 'item_id', 'name']).where('id', 'in', integers(p.ids)).orderBy('id'),
)
export type ItemHead = Pick<ItemRow, 'id' | 'item_id' | 'name'>

/** Oldest first, whether deleted or not. */
export async function itemHeads(db: Db, ids: readonly number[]): Promise<ItemHead[]> {
  return db.all(headsById, { ids: JSON.stringify(ids) })
}
