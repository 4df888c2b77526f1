import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** How tags look (further §22): a sign and a hue, as JSON text. */
export async function up(db: Kysely<Tables>, { text }: SchemaDialect): Promise<void> {
  await db.schema.alterTable('tag').addColumn('look', text).execute()
}
