import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { itemObject } from '#src/storage/items/item-object.ts'
import { itemNotFound, liveItem } from '#src/storage/items/items.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { chunkFor, noteSize } from '#src/storage/items/text-chunk.ts'
import { isSeen } from '#src/storage/sight/seen-items.ts'
import { knownTags, sightOf } from '#src/storage/sight/sight.ts'

const single = query((p: { item_id: Ulid }, db, dialect) =>
  db
    .selectFrom('item')
    .where('item.item_id', '=', p.item_id)
    .where('item.deleted_at', 'is', null)
    .select(itemObject(db, dialect, 'data').as('json')),
)

const singleOfKnown = query((p: { item_id: Ulid; tags: string }, db, dialect) =>
  db
    .selectFrom('item')
    .where('item.item_id', '=', p.item_id)
    .where('item.deleted_at', 'is', null)
    .select(['item.id', itemObject(db, dialect, 'data', p.tags).as('json')]),
)

/**
 * A live item in its single form (decisions §2), as JSON text.
 * @throws NotFound
 */
export async function itemJson(db: Db, item_id: string): Promise<string> {
  const id = parseUlid(item_id)
  const row = id === null ? undefined : await readItem(db, id)
  if (!row) throw itemNotFound(item_id)
  return row.json
}

async function readItem(db: Db, item_id: Ulid): Promise<{ json: string } | undefined> {
  const tags = knownTags(db)
  if (tags !== undefined) {
    const row = await db.get(singleOfKnown, { item_id, tags })
    return row && (await isSeen(db, row.id)) ? row : undefined
  }
  if (sightOf(db)) await liveItem(db, item_id)
  return db.get(single, { item_id })
}

const deleted = query((p: { after: Ulid; limit: number }, db, dialect) =>
  db
    .selectFrom('item')
    .where('item.deleted_at', 'is not', null)
    .where('item.item_id', '>', p.after)
    .orderBy('item.item_id')
    .limit(p.limit)
    .select(['item.item_id', itemObject(db, dialect, 'deleted').as('json')]),
)

const deletedByIds = query((p: { ids: string }, db, dialect) =>
  db
    .selectFrom('item')
    .where('item.id', 'in', dialect.integers(p.ids))
    .select(['item.id', itemObject(db, dialect, 'deleted').as('json')]),
)

/** Deleted items in their list form with `deleted_at`, by row id. */
export async function deletedItemTexts(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.all(deletedByIds, { ids: JSON.stringify(ids) })
  return new Map(rows.map(({ id, json }) => [id, json]))
}

/** Deleted items in their list form with `deleted_at`, oldest first; `next` is the last id where more follow. */
export async function deletedItemsPage(
  db: Db,
  after: Ulid,
  limit: number,
  max = MAX_PAGE_TEXT,
): Promise<{ texts: string[]; next: Ulid | null }> {
  const texts: string[] = []
  let [last, size] = [after, 0]
  while (texts.length < limit && size < max) {
    const wanted = Math.min(chunkFor(db, max - size), limit - texts.length)
    const rows = await db.all(deleted, { after: last, limit: wanted })
    for (const { item_id, json } of rows) {
      if (size >= max) return { texts, next: last }
      texts.push(json)
      size += json.length
      last = item_id
    }
    noteSize(db, texts.length, size)
    if (rows.length < wanted) return { texts, next: null }
  }
  return { texts, next: last }
}
