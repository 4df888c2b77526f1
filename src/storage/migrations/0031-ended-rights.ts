import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/**
 * What was added by a session that had not proved itself, webhooks of owners who are owners no longer, where requests of
 * apps come from, and sign-ins to unknown addresses that have no row of their own (additions §1, §3, §11).
 */
export async function up(db: Kysely<Tables>, { text, rowId }: SchemaDialect): Promise<void> {
  await db.schema.alterTable('account').addColumn('password_unproven_at', text).execute()
  await db.schema.alterTable('totp').addColumn('unproven_at', text).execute()
  await db.schema.alterTable('passkey').addColumn('unproven_at', text).execute()
  await db.schema.alterTable('webhook').addColumn('suspended_at', text).execute()

  await db.schema.alterTable('app_record').addColumn('address', text).execute()
  await db.schema
    .createIndex('app_record_address')
    .on('app_record')
    .columns(['kind', 'address', 'expires_at'])
    .execute()

  // One row.
  await db.schema
    .createTable('unknown_sign_ins')
    .addColumn('id', rowId, (column) => column.primaryKey())
    .addColumn('since', text, (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .execute()
  await db.insertInto('unknown_sign_ins').values({ id: 1, since: '', failed: 0 }).execute()
}
