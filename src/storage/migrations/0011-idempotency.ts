import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Answers that are kept so that a request which is sent again is carried out once (additions §5). */
export async function up(db: Kysely<Tables>, { text }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('kept_answer')
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('request_hash', text, (column) => column.notNull())
    .addColumn('answer', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('kept_answer_key', ['user_id', 'key'])
    .execute()
  await db.schema.createIndex('kept_answer_expiry').on('kept_answer').column('expires_at').execute()
}
