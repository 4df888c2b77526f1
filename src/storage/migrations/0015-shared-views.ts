import { type Kysely, sql } from 'kysely'
import type { Tables } from '#src/sql/tables.ts'

/** Views that others may read (additions §1), and their place among others (additions §11). */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const table of ['view', 'waiting_view'] as const) {
    await db.schema
      .alterTable(table)
      .addColumn('shared', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable(table).addColumn('position', 'double precision').execute()
  }
  await db.schema
    .createIndex('view_shared')
    .on('view')
    .column('view_id')
    .where(sql.ref('shared'), '=', sql.lit(1))
    .execute()
}
