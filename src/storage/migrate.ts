import type { Kysely } from 'kysely'
import { type Migration as KyselyMigration, Migrator } from 'kysely/migration'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'
import { migrations } from '#src/storage/migrations/index.ts'

/** Brings the schema to the newest version: everything that is missing, in one transaction. */
export async function migrate(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  const list: Record<string, KyselyMigration> = {}
  for (const [name, migration] of Object.entries(migrations))
    list[name] = { up: (tx: Kysely<Tables>) => migration.up(tx, dialect) }
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => list },
  }).migrateToLatest()
  if (error) throw error
}
