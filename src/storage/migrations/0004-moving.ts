import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** What an import needs: how far it has come, and the views whose owners did not come along. */
export async function up(db: Kysely<Tables>, { rowId, text }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('import_state')
    .addColumn('lines', rowId, (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('waiting_view')
    .addColumn('id', rowId, (column) => column.primaryKey())
    .addColumn('view_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('owner_email', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('icon', text, (column) => column.notNull())
    .addColumn('filter', text, (column) => column.notNull())
    .addColumn('view_type', text, (column) => column.notNull())
    .addColumn('settings', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('waiting_view_owner').on('waiting_view').column('owner_email').execute()
}
