import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Links by which people set a new password, of which an account has one (further §21). */
export async function up(db: Kysely<Tables>, { text }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('reset_link')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('token_hash', text, (column) => column.notNull().unique())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .execute()
}
