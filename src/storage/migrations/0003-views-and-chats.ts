import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** What belongs to one account: saved filters, and the conversations with the assistant. */
export async function up(db: Kysely<Tables>, { rowId, text, autoIncrement }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('view')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('view_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('icon', text, (column) => column.notNull())
    .addColumn('filter', text, (column) => column.notNull())
    .addColumn('view_type', text, (column) => column.notNull())
    .addColumn('settings', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('view_user').on('view').columns(['user_id', 'id']).execute()

  await db.schema
    .createTable('chat')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('chat_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('awaits_title', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('chat_user').on('chat').columns(['user_id', 'updated_at', 'id']).execute()

  await db.schema
    .createTable('chat_message')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('message_id', text, (column) => column.notNull().unique())
    .addColumn('chat', rowId, (column) => column.notNull().references('chat.id').onDelete('cascade'))
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addColumn('tool_calls', text)
    .addColumn('transcript', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('chat_message_chat').on('chat_message').columns(['chat', 'id']).execute()
}
