import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** The security log is chained from now on: each event has the hash of the one before, and its own over both. */
export async function up(db: Kysely<Tables>, { text }: SchemaDialect): Promise<void> {
  await db.schema.alterTable('security_event').addColumn('previous', text).execute()
  await db.schema.alterTable('security_event').addColumn('hash', text).execute()
}
