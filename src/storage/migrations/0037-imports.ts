import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Imports of files (further §15): how far each has come, its changes, and the items of rows that others refer to. */
export async function up(db: Kysely<Tables>, { text, rowId, autoIncrement }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('import')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('import_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) => column.references('account.user_id').onDelete('cascade'))
    .addColumn('file_id', text)
    .addColumn('file_name', text, (column) => column.notNull())
    .addColumn('format', text, (column) => column.notNull())
    .addColumn('caller', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('job', text)
    .addColumn('place', text, (column) => column.notNull())
    .addColumn('look', text)
    .addColumn('mapping', text)
    .addColumn('plan', text)
    .addColumn('report', text)
    .addColumn('outcome', text)
    .addColumn('error', text)
    .addColumn('undone', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('import_of').on('import').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('import_expiry').on('import').column('expires_at').execute()

  await db.schema
    .createTable('import_change')
    .addColumn('import', rowId, (column) => column.notNull().references('import.id').onDelete('cascade'))
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('change_id', text, (column) => column.notNull())
    .addColumn('undoes', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('import_change_key', ['import', 'seq'])
    .execute()

  await db.schema
    .createTable('import_row')
    .addColumn('import', rowId, (column) => column.notNull().references('import.id').onDelete('cascade'))
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('item_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('import_row_key', ['import', 'n'])
    .execute()
}
