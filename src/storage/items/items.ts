import { sql } from 'kysely'
import { notFound, type ServiceError } from '#src/domain/errors.ts'
import { foldDescription, foldForSearch } from '#src/domain/search-text.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { returningInserter, rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { FoldedGrowth } from '#src/storage/items/folded-growth.ts'
import { markWords } from '#src/storage/words/mark-words.ts'
import { isSeen, seenAmong } from '#src/storage/sight/seen-items.ts'
import { letLeave, takeOut } from '#src/storage/large/leaving-items.ts'
import { letTextsWait } from '#src/storage/large/waiting-texts.ts'

export interface ItemRow {
  /** Row id. */
  id: number
  item_id: Ulid
  name: string
  description: string | null
}

export const itemNotFound = (item_id: string): ServiceError =>
  notFound('Item', item_id, {
    suggestion:
      parseUlid(item_id) === null
        ? 'The id of an item is a ULID, e.g. 01JJXZ5T7GQ3M8K4B9R2C6D0EF; POST /api/items/search (get_items) finds items by name'
        : 'It never was, or has been deleted; POST /api/items/search (get_items) finds those that there are',
  })

const live = query((p: { item_id: Ulid }, db) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description'])
    .where('item_id', '=', p.item_id)
    .where('deleted_at', 'is', null),
)

/** @throws NotFound, also for an item that is deleted or not seen, and for text that is no id */
export async function liveItem(db: Db, item_id: string): Promise<ItemRow> {
  const id = parseUlid(item_id)
  const row = id === null ? undefined : await db.get(live, { item_id: id })
  if (!row || !(await isSeen(db, row.id))) throw itemNotFound(item_id)
  return row
}

export interface NewItem {
  item_id: Ulid
  name: string
  description: string | null
}

const insertRows = returningInserter<'item', { id: number; item_id: Ulid }>(
  'item',
  ['item_id', 'name', 'description', 'created_at', 'updated_at'],
  ['id', 'item_id'],
)
const insertTextRows = rowInserter('item_text', ['id', 'name', 'description', 'waits'])

/** Texts of items that had none, folded. */
export async function insertTexts(db: Db, rows: readonly TextRow[]): Promise<void> {
  const waiting = await letTextsWait(db, rows.map(sizeOfTexts), 'new')
  await insertTextRows(
    db,
    rows.map((row) => [...row, waiting.has(row[0]) ? 1 : null]),
  )
  await markWords(
    db,
    rows.map(([id]) => id),
  )
}
/** What `item_text` has of an item: id, name, description. */
type TextRow = [id: number, name: string, description: string | null]
const sizeOfTexts = ([id, name, description]: TextRow) => ({
  id,
  size: Buffer.byteLength(name) + (description === null ? 0 : Buffer.byteLength(description)),
})
export const textRow = ({ id, name, description }: Omit<ItemRow, 'item_id'>): TextRow => [
  id,
  foldForSearch(name),
  description === null ? null : foldDescription(description),
]

export type FoldedItem = NewItem & { folded: Folded }
type Folded = Pick<NewItem, 'name' | 'description'>

/** With the texts as searches find them. */
export function foldItem(item: NewItem, growth: FoldedGrowth): FoldedItem {
  const [, name, description] = textRow({ ...item, id: 0 })
  growth.add(item, { name, description })
  return { ...item, folded: { name, description } }
}

/** Inserts items in order; their row ids. */
export async function insertItems(db: Db, items: readonly FoldedItem[], now: Date): Promise<number[]> {
  const created = now.toISOString()
  const inserted = await insertRows(
    db,
    items.map(({ item_id, name, description }) => [item_id, name, description, created, created]),
  )
  const byItemId = new Map(inserted.map(({ id, item_id }) => [item_id, id]))
  const ids = items.map(({ item_id }) => byItemId.get(item_id)!)
  await insertTexts(
    db,
    items.map(({ folded }, i) => [ids[i]!, folded.name, folded.description]),
  )
  return ids
}

const updateRow = query(
  (p: { id: number; name: string; description: string | null; now: string }, db, dialect) =>
    db
      .updateTable('item')
      .set({
        name: p.name,
        description: p.description,
        updated_at: dialect.later(sql.ref('updated_at'), p.now),
      })
      .where('id', '=', p.id),
)
const updateText = query(
  (p: { id: number; name: string; description: string | null; waits: number | null }, db) =>
    db
      .updateTable('item_text')
      .set({ name: p.name, description: p.description, waits: p.waits })
      .where('id', '=', p.id),
)

/** Texts that are folded. */
export async function writeTexts(db: Db, row: TextRow): Promise<void> {
  const [id, name, description] = row
  const waiting = await letTextsWait(db, [sizeOfTexts(row)], 'others')
  await db.enqueue(updateText, { id, name, description, waits: waiting.has(id) ? 1 : null })
  await markWords(db, [id])
}

export async function writeItem(
  db: Db,
  item: Omit<ItemRow, 'item_id'>,
  now: Date,
  growth: FoldedGrowth,
): Promise<void> {
  const row = textRow(item)
  growth.add(item, { name: row[1], description: row[2] })
  await db.enqueue(updateRow, { ...item, now: now.toISOString() })
  await writeTexts(db, row)
}

/** Names and descriptions of many, deleted ones too; `updated_at` is the caller's to move. */
export async function updateItems(db: Db, items: readonly Omit<ItemRow, 'item_id'>[]): Promise<void> {
  for (const item of items) {
    await db.enqueue(renameRow, { id: item.id, name: item.name, description: item.description })
    await writeTexts(db, textRow(item))
  }
}

const renameRow = query((p: { id: number; name: string; description: string | null }, db) =>
  db.updateTable('item').set({ name: p.name, description: p.description }).where('id', '=', p.id),
)

const touch = query((p: { ids: string; now: string }, db, dialect) =>
  db
    .updateTable('item')
    .set({ updated_at: dialect.later(sql.ref('updated_at'), p.now) })
    .where('id', 'in', dialect.integers(p.ids)),
)
const touchOne = query((p: { id: number; now: string }, db, dialect) =>
  db
    .updateTable('item')
    .set({ updated_at: dialect.later(sql.ref('updated_at'), p.now) })
    .where('id', '=', p.id),
)

/** Moves `updated_at` of items whose tags or values changed. */
export async function touchItems(db: Db, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 1) await db.enqueue(touchOne, { id: ids[0]!, now: now.toISOString() })
  else await db.enqueue(touch, { ids: JSON.stringify(ids), now: now.toISOString() })
}

const markDeleted = query((p: { ids: string; now: string }, db, dialect) =>
  db.updateTable('item').set({ deleted_at: p.now }).where('id', 'in', dialect.integers(p.ids)),
)
/**
 * Out of every search and index; tags, values and references to it stay. Of `many` the indexes keep what they have
 * where nobody sees it: it is taken out later, a little at a time.
 */
export async function softDeleteItems(
  db: Db,
  ids: readonly number[],
  now: Date,
  many = false,
): Promise<void> {
  if (many && db.dialect.leavesLater) await letLeave(db, ids)
  else await takeOut(db, ids)
  await db.enqueue(markDeleted, { ids: JSON.stringify(ids), now: now.toISOString() })
}

const statesById = query((p: { item_ids: string }, db, dialect) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'updated_at'])
    .where('item_id', 'in', dialect.texts(p.item_ids))
    .where('deleted_at', 'is', null),
)

/** `updated_at` of those of the items that live and are seen. */
export async function statesOf(db: Db, item_ids: readonly string[]): Promise<Map<Ulid, string>> {
  const rows = await db.all(statesById, { item_ids: JSON.stringify(item_ids) })
  const seen = await seenAmong(
    db,
    rows.map(({ id }) => id),
  )
  const shown = rows.filter(({ id }) => seen.has(id))
  return new Map(shown.map(({ item_id, updated_at }) => [item_id, updated_at]))
}

const rowsById = query((p: { ids: string }, db, dialect) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description'])
    .where('id', 'in', dialect.integers(p.ids))
    .orderBy('id'),
)

/** Oldest first, whether deleted or not. */
export const itemRows = (db: Db, ids: readonly number[]): Promise<ItemRow[]> =>
  db.all(rowsById, { ids: JSON.stringify(ids) })

const headsById = query((p: { ids: string }, db, dialect) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'name'])
    .where('id', 'in', dialect.integers(p.ids))
    .orderBy('id'),
)
export type ItemHead = Pick<ItemRow, 'id' | 'item_id' | 'name'>

/** Oldest first, whether deleted or not. */
export async function itemHeads(db: Db, ids: readonly number[]): Promise<ItemHead[]> {
  return db.all(headsById, { ids: JSON.stringify(ids) })
}

const liveRowsById = query((p: { ids: string }, db, dialect) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description'])
    .where('id', 'in', dialect.integers(p.ids))
    .where('deleted_at', 'is', null),
)

/** Of these (row ids) those that live, by row id. */
export async function liveItemRows(db: Db, ids: Iterable<number>): Promise<Map<number, ItemRow>> {
  const rows = await db.all(liveRowsById, { ids: JSON.stringify([...ids]) })
  return new Map(rows.map((row) => [row.id, row]))
}
