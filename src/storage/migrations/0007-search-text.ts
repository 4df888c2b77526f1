import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'
import { textRow } from '#src/storage/items/items.ts'

/** Texts that are in memory at once. */
const CHUNK = 500

/**
 * Searches look at what a reader reads, and put what they find in order of relevance (additions §7): what was folded
 * by case alone is folded again, where that makes a difference.
 */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  await dialect.createSearchTextIndex(db)
  await db.schema
    .createIndex('item_name_length')
    .on('item')
    .expression(sql`length(name), id`)
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('item')
      .innerJoin('item_text', 'item_text.id', 'item.id')
      .select(['item.id', 'item.name', 'item.description'])
      .select(['item_text.name as folded_name', 'item_text.description as folded_description'])
      .where('item.id', '>', after)
      .orderBy('item.id')
      .limit(CHUNK)
      .execute()
    for (const row of rows) {
      const [, name, description] = textRow(row) as [number, string, string | null]
      if (name !== row.folded_name || description !== row.folded_description)
        await db.updateTable('item_text').set({ name, description }).where('id', '=', row.id).execute()
    }
    if (rows.length < CHUNK) return
    after = rows.at(-1)!.id
  }
}
