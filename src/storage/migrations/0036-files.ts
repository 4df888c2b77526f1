import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Files: their bytes once each, what was uploaded, what refers to it, and URLs that let somebody in once (further §14). */
export async function up(db: Kysely<Tables>, { text, autoIncrement, rowId }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('file_content')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('blob', text, (column) => column.notNull().unique())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('dropped_at', text)
    .execute()
  await db.schema.createIndex('file_content_sha256').on('file_content').column('sha256').execute()

  await db.schema
    .createTable('file')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('file_id', text, (column) => column.notNull().unique())
    .addColumn('content', rowId)
    .addColumn('user_id', text)
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('shared', 'integer', (column) => column.notNull())
    .addColumn('unused_since', text)
    .addColumn('removed_at', text)
    .execute()
  await db.schema.createIndex('file_of_content').on('file').column('content').execute()
  await db.schema
    .createIndex('file_unused')
    .on('file')
    .columns(['user_id', 'unused_since'])
    .where(sql.ref('unused_since'), 'is not', null)
    .execute()

  await db.schema
    .createIndex('file_removed')
    .on('file')
    .column('removed_at')
    .where(sql.ref('content'), 'is not', null)
    .where(sql.ref('removed_at'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('file_content_dropped')
    .on('file_content')
    .column('dropped_at')
    .where(sql.ref('dropped_at'), 'is not', null)
    .execute()

  await db.schema
    .createTable('file_use')
    .addColumn('file', rowId, (column) => column.notNull())
    .addColumn('item_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('file_use_key', ['file', 'item_id'])
    .execute()
  await db.schema.createIndex('file_use_item').on('file_use').column('item_id').execute()

  await db.schema
    .createTable('file_hold')
    .addColumn('file', rowId, (column) => column.notNull())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('shared', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('file_hold_key', ['file', 'holder'])
    .execute()
  await db.schema.createIndex('file_hold_holder').on('file_hold').column('holder').execute()

  await db.schema
    .createTable('file_url')
    .addColumn('token_hash', text, (column) => column.primaryKey())
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('purpose', text, (column) => column.notNull())
    .addColumn('file_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('caller', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addColumn('used_at', text)
    .execute()
  await db.schema.createIndex('file_url_user').on('file_url').column('user_id').execute()
  await db.schema.createIndex('file_url_expiry').on('file_url').column('expires_at').execute()
}
