import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Filters that views had before, for anyone who comes back to follow one (further §19). */
export async function up(db: Kysely<Tables>, { text, rowId, autoIncrement }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('view_filter')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('view_id', text, (column) => column.notNull().references('view.view_id').onDelete('cascade'))
    .addColumn('filter', text, (column) => column.notNull())
    .addColumn('until_event', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('view_filter_view').on('view_filter').columns(['view_id', 'id']).execute()
}
