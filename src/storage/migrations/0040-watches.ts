import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Views that somebody watches, how far they are looked at, and what accounts are told (further §19). */
export async function up(db: Kysely<Tables>, { text, rowId, autoIncrement }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('watch')
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('view_id', text, (column) => column.notNull().references('view.view_id').onDelete('cascade'))
    .addColumn('enters', 'integer', (column) => column.notNull())
    .addColumn('changes', 'integer', (column) => column.notNull())
    .addColumn('leaves', 'integer', (column) => column.notNull())
    .addColumn('since', text, (column) => column.notNull())
    .addColumn('filter', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('watch_key', ['user_id', 'view_id'])
    .execute()
  await db.schema.createIndex('watch_view').on('watch').column('view_id').execute()

  await db.schema
    .createTable('watch_cursor')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('position', text, (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('notification')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('notification_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('kind', text, (column) =>
      column
        .notNull()
        .check(
          sql`kind in ('enter', 'change', 'leave', 'proposal', 'proposal_decided', 'import_done', 'webhook_disabled')`,
        ),
    )
    .addColumn('about', text, (column) => column.notNull())
    .addColumn('item_id', text)
    .addColumn('change_id', text)
    .addColumn('done_by', text)
    .addColumn('count', 'integer')
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('is_read', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('notification_user')
    .on('notification')
    .columns(['user_id', 'notification_id'])
    .execute()
}
