import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** What many items have in the indexes is taken out after their deletion, a little at a time (decision 46). */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('leaving_item')
    .addColumn('id', dialect.rowId, (column) => column.primaryKey().notNull())
    .addColumn('whole', 'integer', (column) => column.notNull())
    .execute()
  await dialect.createLiveViews(db)
}
