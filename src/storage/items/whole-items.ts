import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ItemRow } from '#src/storage/items/items.ts'

/** All that is stored of an item itself. */
export interface WholeItemRow extends ItemRow {
  created_at: string
  updated_at: string
  deleted_at: string | null
}

const rows = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description', 'created_at', 'updated_at', 'deleted_at'])
    .where('id', 'in', dialect.integers(p.ids)),
)

/** The items of row ids, deleted ones too, seen or not; purged ones are left out. */
export const wholeItemRows = (db: Db, ids: readonly number[]): Promise<WholeItemRow[]> =>
  db.all(rows, { ids: JSON.stringify(ids) })

/** A tag on an item (row id); its values are JSON text. */
interface Entry {
  item: number
  tag_id: Ulid
  schema_version: number
  field_values: string
}

const entries = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('tag', 'tag.id', 'item_tag.tag')
    .select(['item_tag.item', 'tag.tag_id', 'item_tag.schema_version', 'item_tag.field_values'])
    .where('item_tag.item', 'in', dialect.integers(p.ids)),
)

/** The tags on these items, known or not. */
export const entriesOfWholeItems = (db: Db, ids: readonly number[]): Promise<Entry[]> =>
  db.all(entries, { ids: JSON.stringify(ids) })
