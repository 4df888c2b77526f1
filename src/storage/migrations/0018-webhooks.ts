import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Webhooks, what is to be sent to them, and which process sends it (additions §9). */
export async function up(db: Kysely<Tables>, { text, rowId, autoIncrement }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('webhook')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('webhook_id', text, (column) => column.notNull().unique())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('event_types', text)
    .addColumn('tag_ids', text)
    .addColumn('filter', text)
    .addColumn('description', text)
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('secret_id', text, (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('disabled_at', text)
    .addColumn('disabled_reason', text)
    .addColumn('created_by', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('position', text, (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('delivery_id', text, (column) => column.notNull().unique())
    .addColumn('webhook', rowId, (column) => column.notNull().references('webhook.id').onDelete('cascade'))
    .addColumn('event_id', text)
    .addColumn('lane', text, (column) => column.notNull())
    .addColumn('status', text, (column) =>
      column.notNull().check(sql`status in ('pending', 'delivered', 'failed')`),
    )
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('error', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('last_attempt_at', text)
    .addColumn('next_attempt_at', text)
    .addUniqueConstraint('webhook_delivery_event', ['webhook', 'event_id'])
    .execute()
  await db.schema
    .createIndex('webhook_delivery_list')
    .on('webhook_delivery')
    .columns(['webhook', 'delivery_id'])
    .execute()
  await db.schema
    .createIndex('webhook_delivery_due')
    .on('webhook_delivery')
    .columns(['webhook', 'next_attempt_at', 'id'])
    .where(sql.ref('next_attempt_at'), 'is not', sql.lit(null))
    .execute()
  await db.schema
    .createIndex('webhook_delivery_lane')
    .on('webhook_delivery')
    .columns(['webhook', 'lane', 'id'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute()

  await db.schema
    .createTable('webhook_lease')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('beat', text, (column) => column.notNull())
    .execute()
}
