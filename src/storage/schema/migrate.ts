import { type Kysely, sql } from 'kysely'
import { unavailable } from '#src/domain/errors.ts'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'
import { type Migration, migrations } from '#src/storage/migrations/index.ts'

export interface MigrateOptions {
  list?: Readonly<Record<string, Migration>>
  /** Called when the database holds something and is about to change; what it throws stops the migration. */
  backUp?: () => Promise<void>
}

/**
 * Brings the schema to the newest version: everything that is missing, in one transaction, under a lock, so that of
 * two processes that start at once the second finds nothing left to do (decision 70).
 * @throws ServiceUnavailable when the database comes from a newer version or its migrations are others.
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: SchemaDialect,
  { list = migrations, backUp }: MigrateOptions = {},
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await dialect.lockSchema(tx)
    await sql`create table if not exists schema_migration (name text primary key, applied_at text not null)`.execute(
      tx,
    )
    const { rows } = await sql<{ name: string }>`select name from schema_migration order by name`.execute(tx)
    const applied = rows.map(({ name }) => name)
    const missing = missingMigrations(Object.keys(list), applied)
    if (missing.length && applied.length) await backUp?.()
    for (const name of missing) {
      await list[name]!.up(tx, dialect).catch((error: Error) => {
        throw new Error(`The migration ${name} failed and nothing was changed: ${error.message}`, {
          cause: error,
        })
      })
      await sql`insert into schema_migration values (${name}, ${new Date().toISOString()})`.execute(tx)
    }
  })
}

/**
 * The known names that follow the applied ones, which must be the beginning of the list.
 * @throws ServiceUnavailable where the database is of a newer version, or of another line of them
 */
export function missingMigrations(known: readonly string[], applied: readonly string[]): string[] {
  const differing = applied.findIndex((name, i) => name !== known[i])
  if (differing < 0) return known.slice(applied.length)
  const name = applied[differing]!
  if (differing === known.length)
    throw unavailable(`The database is of a newer version: this one does not know its migration ${name}`, {
      suggestion:
        'Start the newer version, or restore the backup that it made before it changed the database',
    })
  throw unavailable(
    `The database was made by another line of versions: it has the migration ${name} where this one has ${known[differing]}`,
    { suggestion: 'Start the version that made it, or set DATABASE_URL to another database' },
  )
}
