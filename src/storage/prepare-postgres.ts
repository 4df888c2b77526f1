import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { postgresDialect, postgresExecutor } from '#src/sql/postgres.ts'
import { refuseUnfinishedImport } from '#src/storage/import-state.ts'
import { migrate } from '#src/storage/migrate.ts'

interface PrepareOptions {
  /** An import goes on, which nobody else may meet half-way. */
  importing?: boolean
}

/** Brings the schema of a PostgreSQL database up to date; processes that start at once wait for each other. */
export async function preparePostgres(
  url: string,
  { importing = false }: PrepareOptions = {},
): Promise<void> {
  const hosts = new PostgresHosts(url, { max: 1 })
  try {
    const db = postgresExecutor(await hosts.primary())
    await migrate(db, postgresDialect.schema)
    if (!importing) await refuseUnfinishedImport(db)
  } finally {
    await hosts.close()
  }
}
