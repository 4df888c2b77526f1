import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Changes (additions §4): which events belong together, who made them by what, and what undo needs. */
export async function up(db: Kysely<Tables>, { text, clustered }: SchemaDialect): Promise<void> {
  for (const column of ['change_id', 'client', 'state'])
    await db.schema.alterTable('audit_event').addColumn(column, text).execute()

  await db.schema
    .createTable('change')
    .addColumn('change_id', text, (column) => column.primaryKey().notNull())
    .addColumn('last_event', text, (column) => column.notNull())
    .addColumn('operation', text)
    .addColumn('summary', text)
    .addColumn('user_id', text)
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('client', text)
    .addColumn('client_id', text)
    .addColumn('counts', text, (column) => column.notNull())
    .addColumn('undoes', text)
    .addColumn('undone_by', text)
    .modifyEnd(clustered)
    .execute()
  // Anyone who looks for one user's or one client's changes must not walk everybody's.
  await db.schema.createIndex('change_user').on('change').columns(['user_id', 'change_id']).execute()
  await db.schema
    .createIndex('change_client')
    .on('change')
    .columns(['client_id', 'change_id'])
    .where(sql.ref('client_id'), 'is not', null)
    .execute()

  // What was recorded before: each event is a change of its own.
  await sql`insert into change (change_id, last_event, user_id, source, counts)
    select event_id, event_id, user_id, source, '{"' || event_type || '":1}' from audit_event order by event_id`.execute(
    db,
  )
}
