import type { SecretBox } from '#src/auth/secret-box.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { orStartFault } from '#src/sql/postgres-start-fault.ts'
import { postgresDialect, postgresExecutor } from '#src/sql/postgres.ts'
import { sealTotpSecrets } from '#src/storage/accounts/seal-totp.ts'
import { migrate } from '#src/storage/schema/migrate.ts'

/**
 * Brings the schema of a PostgreSQL database up to date; processes that start at once wait for each other.
 * @returns how many TOTP secrets none of the keys opens
 * @throws ServiceUnavailable where the database cannot be used
 */
export async function preparePostgres(url: string, secrets?: SecretBox): Promise<number> {
  const hosts = new PostgresHosts(url, { max: 1 })
  try {
    return await orStartFault(url, async () => {
      const executor = postgresExecutor(await hosts.primary())
      await migrate(executor, postgresDialect.schema)
      return secrets ? sealTotpSecrets(executor, secrets) : 0
    })
  } finally {
    await hosts.close()
  }
}
