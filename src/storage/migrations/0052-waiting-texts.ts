import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Of many or long texts the trigram index gets its entries after their change (decision 52). */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('waiting_text')
    .addColumn('id', dialect.rowId, (column) => column.primaryKey().notNull())
    .addColumn('name', sql`${dialect.text}`)
    .addColumn('description', sql`${dialect.text}`)
    .execute()
  await db.schema.alterTable('item_text').addColumn('waits', 'integer').execute()
  await sql`create view text_size as select id, octet_length(name) + coalesce(octet_length(description), 0) as size from item_text`.execute(
    db,
  )
  await dialect.letTextsWait(db)
}
