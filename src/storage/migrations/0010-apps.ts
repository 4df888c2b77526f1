import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Apps that act for accounts, their tokens, and the clients that registered themselves (additions §3). */
export async function up(db: Kysely<Tables>, { text, rowId, autoIncrement }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('app_client')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('client_id', text, (column) => column.notNull().unique())
    .addColumn('metadata', text, (column) => column.notNull())
    .addColumn('address', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('app_client_created')
    .on('app_client')
    .columns(['address', 'created_at'])
    .execute()

  await db.schema
    .createTable('app')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('app_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('client_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('client_uri', text)
    .addColumn('scope', text, (column) => column.notNull().check(sql`scope in ('read', 'write')`))
    .addColumn('consent', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('last_used_at', text)
    .execute()
  await db.schema.createIndex('app_user').on('app').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('app_client_id').on('app').column('client_id').execute()

  // Codes, tokens and requests that wait for a consent.
  await db.schema
    .createTable('app_record')
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('id_hash', text, (column) => column.notNull())
    .addColumn('app_id', text)
    .addColumn('payload', text, (column) => column.notNull())
    .addColumn('rotation', rowId)
    .addColumn('consumed_at', text)
    .addColumn('expires_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('app_record_key', ['kind', 'id_hash'])
    .execute()
  await db.schema.createIndex('app_record_app').on('app_record').column('app_id').execute()
  await db.schema.createIndex('app_record_expiry').on('app_record').column('expires_at').execute()
}
