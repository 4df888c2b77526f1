import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { orStartFault } from '#src/sql/postgres-start-fault.ts'
import { postgresDialect, postgresExecutor } from '#src/sql/postgres.ts'
import { migrate } from '#src/storage/schema/migrate.ts'

/**
 * Brings the schema of a PostgreSQL database up to date; processes that start at once wait for each other.
 * @throws ServiceUnavailable where the database cannot be used
 */
export async function preparePostgres(url: string): Promise<void> {
  const hosts = new PostgresHosts(url, { max: 1 })
  try {
    await orStartFault(url, async () =>
      migrate(postgresExecutor(await hosts.primary()), postgresDialect.schema),
    )
  } finally {
    await hosts.close()
  }
}
