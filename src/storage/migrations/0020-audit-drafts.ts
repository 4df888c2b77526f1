import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** What large changes have recorded waits here to be entered into the log (decision 45). */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  const { rowId, text, autoIncrement } = dialect
  await db.schema
    .createTable('audit_draft')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('last_event', text, (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('user_id', text)
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('client', text)
    .addColumn('change_id', text, (column) => column.notNull())
    .addColumn('events', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('audit_draft_last').on('audit_draft').column('last_event').execute()
  await dialect.keepUncompressed(db, 'audit_draft', 'events')
}
