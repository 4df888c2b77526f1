import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Keys and apps that see a part of the base (further §17). */
export async function up(db: Kysely<Tables>, { text }: SchemaDialect): Promise<void> {
  await db.schema.alterTable('api_key').addColumn('limited_to', text).execute()
  await db.schema.alterTable('app').addColumn('limited_to', text).execute()
}
