import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** The newest copy that the service has made of the base, and what kept it from making one since. */
export async function up(db: Kysely<Tables>, { text, rowId }: SchemaDialect): Promise<void> {
  // One row at most.
  await db.schema
    .createTable('backup_state')
    .addColumn('id', rowId, (column) => column.primaryKey())
    .addColumn('made', text)
    .addColumn('failed', text)
    .execute()
}
