import { type Kysely, sql } from 'kysely'
import type { Tables } from '#src/sql/tables.ts'

/** What is deleted is in the order in which the trash is listed: a page of it sorts nothing. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createIndex('item_deleted_at')
    .on('item')
    .columns(['deleted_at', 'item_id'])
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
}
