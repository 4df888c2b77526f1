import { sql } from 'kysely'
import { unavailable } from '#src/domain/errors.ts'
import { NO_TABLES } from '#src/sql/no-tables.ts'
import type { Db } from '#src/sql/query.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { missingMigrations } from '#src/storage/schema/migrate.ts'

/** @throws ServiceUnavailable where the tables are not this version's: commands leave migrations to the service */
export async function refuseOtherSchema(db: Db): Promise<void> {
  const applied = await appliedMigrations(db).catch((error: unknown) => {
    if (!db.dialect.schema.isMissingTable(error)) throw error
    throw unavailable(NO_TABLES.message, { suggestion: NO_TABLES.suggestion })
  })
  // A newer base is refused by name, as the service does.
  if (missingMigrations(Object.keys(migrations), applied).length)
    throw unavailable('The database is of another version than this program', {
      suggestion: 'Start the service of this version once, which brings the database up to date',
    })
}

/** The names of what `migrate` has run on the database, oldest first. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const names = sql`select name from schema_migration order by name`
  return (await db.select<{ name: string }>(names.compile(db.dialect.builder))).map(({ name }) => name)
}
