import { type Kysely, sql } from 'kysely'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'
import { itemNotFound } from '#src/storage/items/items.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { chunkFor, noteSize } from '#src/storage/items/text-chunk.ts'

/** The object of an item as an expression over `item`; what is stored as JSON is pasted by the database itself. */
function itemObject(db: Kysely<Tables>, dialect: Dialect, form: 'data' | 'tags', more = sql`''`) {
  const quoted = (column: 'item.name' | 'item.description' | 'tag.name') => dialect.jsonQuote(sql.ref(column))
  const entries = db
    .selectFrom('item_tag')
    .innerJoin('tag', 'tag.id', 'item_tag.tag')
    .where('item_tag.item', '=', sql.ref<number>('item.id'))
    .select(
      sql`string_agg('"' || tag.tag_id || '":{"tag_name":' || ${quoted('tag.name')} || ',"schema_version":' || item_tag.schema_version || ',"field_values":' || item_tag.field_values || '}', ',' order by item_tag.tag)`.as(
        'entries',
      ),
    )
  return sql<string>`'{"item_id":"' || item.item_id || '","id":"' || item.item_id || '","name":' || ${quoted('item.name')} || ',"description":' || ${quoted('item.description')} || ${sql.lit(`,"${form}":{`)} || coalesce((${entries}), '') || '},"created_at":"' || item.created_at || '","updated_at":"' || item.updated_at || '"' || ${more} || '}'`
}

const single = query((p: { item_id: Ulid }, db, dialect) =>
  db
    .selectFrom('item')
    .where('item.item_id', '=', p.item_id)
    .where('item.deleted_at', 'is', null)
    .select(itemObject(db, dialect, 'data').as('json')),
)

/**
 * A live item in its single form (decisions §2), as JSON text.
 * @throws NotFound
 */
export async function itemJson(db: Db, item_id: string): Promise<string> {
  const id = parseUlid(item_id)
  const row = id === null ? undefined : await db.get(single, { item_id: id })
  if (!row) throw itemNotFound(item_id)
  return row.json
}

const deleted = query((p: { after: Ulid; limit: number }, db, dialect) =>
  db
    .selectFrom('item')
    .where('item.deleted_at', 'is not', null)
    .where('item.item_id', '>', p.after)
    .orderBy('item.item_id')
    .limit(p.limit)
    .select([
      'item.item_id',
      itemObject(db, dialect, 'tags', sql`',"deleted_at":"' || item.deleted_at || '"'`).as('json'),
    ]),
)

const deletedByIds = query((p: { ids: string }, db, dialect) =>
  db
    .selectFrom('item')
    .where('item.id', 'in', dialect.integers(p.ids))
    .select([
      'item.id',
      itemObject(db, dialect, 'tags', sql`',"deleted_at":"' || item.deleted_at || '"'`).as('json'),
    ]),
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
