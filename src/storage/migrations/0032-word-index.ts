import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/**
 * Searches for any of some words are ranked (additions §13): the words of items with how often they occur. What there
 * is waits to be taken in, which happens when the service runs.
 */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  const { rowId, bytes, text } = dialect
  const { schema } = db
  await schema
    .createTable('word_pending')
    .addColumn('seq', rowId, (column) => dialect.autoIncrement(column.notNull()))
    .addColumn('item', rowId, (column) => column.notNull())
    .execute()
  await schema
    .createTable('word_item')
    .addColumn('item', rowId, (column) => column.primaryKey().notNull())
    .addColumn('document', rowId, (column) => column.notNull())
    .execute()
  await schema
    .createTable('word_part')
    .addColumn('part', rowId, (column) => column.primaryKey().notNull())
    .addColumn('documents', 'integer', (column) => column.notNull())
    .addColumn('gone', 'integer', (column) => column.notNull())
    .addColumn('version', rowId, (column) => column.notNull())
    .addColumn('cleared', sql`${text}`)
    .execute()
  await sql`create table word_part_data (part ${sql.raw(rowId)} not null, kind integer not null, data ${bytes} not null, primary key (part, kind))`.execute(
    db,
  )
  await sql`create table word_block (part ${sql.raw(rowId)} not null, word ${text} not null, data ${bytes} not null, primary key (part, word)) ${dialect.clustered}`.execute(
    db,
  )
  await dialect.keepUncompressed(db, 'word_block', 'data')
  await dialect.keepUncompressed(db, 'word_part_data', 'data')
  await sql`insert into word_pending (item) select id from item_text order by id`.execute(db)
}
