import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/**
 * Searches look at what a reader reads, and put what they find in order of relevance (additions §7). What was folded
 * by case alone is folded again when the service runs (decision 23); how far that has come is in `text_folding`.
 */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  await dialect.createSearchTextIndex(db)
  await db.schema
    .createIndex('item_name_length')
    .on('item')
    .expression(sql`length(name), id`)
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await createTextFolding(db, dialect)
  await sql`insert into text_folding (done, last) select 0, max(id) from item_text having max(id) is not null`.execute(
    db,
  )
}

/** Bases that were migrated before have no such table: the migration 0023 makes it. */
export async function createTextFolding(db: Kysely<Tables>, { rowId }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('text_folding')
    .ifNotExists()
    .addColumn('done', rowId, (column) => column.notNull())
    .addColumn('last', rowId, (column) => column.notNull())
    .execute()
}
