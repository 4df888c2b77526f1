import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { seenAmong } from '#src/storage/sight/seen-items.ts'
import { isKnownTag } from '#src/storage/sight/sight.ts'
import type { ItemRow } from '#src/storage/items/items.ts'

/** An item that becomes one with others. */
export interface MergingItem extends ItemRow {
  created_at: string
  updated_at: string
}

const live = query((p: { item_ids: string }, sql, dialect) =>
  sql
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description', 'created_at', 'updated_at'])
    .where('item_id', 'in', dialect.texts(p.item_ids))
    .where('deleted_at', 'is', null),
)

/** Those of the ids that are of live items, and are seen, by id. */
export async function mergingItems(
  db: Db,
  item_ids: readonly Ulid[],
): Promise<ReadonlyMap<Ulid, MergingItem>> {
  const rows = await db.all(live, { item_ids: JSON.stringify(item_ids) })
  const seen = await seenAmong(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(rows.filter(({ id }) => seen.has(id)).map((row) => [row.item_id, row]))
}

const entries = query((p: { items: string }, sql, dialect) =>
  sql
    .selectFrom('item_tag')
    .select(['item', 'tag', 'schema_version', 'field_values'])
    .where('item', 'in', dialect.integers(p.items))
    .orderBy('tag')
    .orderBy('item'),
)

/** The tags on items, by row ids, that are known. */
export const entriesOfItems = async (
  db: Db,
  items: readonly number[],
): Promise<{ item: number; tag: number; schema_version: number; field_values: string }[]> =>
  (await db.all(entries, { items: JSON.stringify(items) })).filter(({ tag }) => isKnownTag(db, tag))
