import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Changes that somebody proposes, and keys and apps that may only propose (further §16). */
export async function up(db: Kysely<Tables>, { text, rowId, autoIncrement }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('proposal')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('proposal_id', text, (column) => column.notNull().unique())
    .addColumn('state', text, (column) =>
      column.notNull().check(sql`state in ('open', 'accepted', 'refused', 'withdrawn')`),
    )
    .addColumn('summary', text, (column) => column.notNull())
    .addColumn('message', text)
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('client', text)
    .addColumn('client_id', text)
    .addColumn('counts', text, (column) => column.notNull())
    .addColumn('changed_count', 'integer', (column) => column.notNull())
    .addColumn('after_event', text, (column) => column.notNull())
    .addColumn('made', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('touched_at', text, (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('decided_by', text)
    .addColumn('decided_at', text)
    .addColumn('reason', text)
    .addColumn('change_ids', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('proposal_state').on('proposal').columns(['state', 'proposal_id']).execute()
  await db.schema.createIndex('proposal_user').on('proposal').columns(['user_id', 'state']).execute()

  await db.schema
    .createTable('proposal_part')
    .addColumn('proposal', rowId, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('item_id', text)
    .addColumn('tag_id', text)
    .addColumn('accepted', 'integer', (column) => column.notNull())
    .addColumn('kept', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('proposal_part_key', ['proposal', 'position'])
    .execute()
  await db.schema.createIndex('proposal_part_item').on('proposal_part').column('item_id').execute()

  // The scope itself stays 'read': the check of these tables knows no third.
  for (const table of ['api_key', 'app'] as const)
    await db.schema
      .alterTable(table)
      .addColumn('proposes', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  await db.schema.alterTable('change').addColumn('proposed_by', text).execute()
}
