import { type Kysely, sql } from 'kysely'
import type { SecretBox } from '#src/auth/secret-box.ts'
import { unavailable } from '#src/domain/errors.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { postgresExecutor } from '#src/sql/postgres-pool.ts'
import { orStartFault } from '#src/sql/postgres-start-fault.ts'
import type { Tables } from '#src/sql/tables.ts'
import { sealTotpSecrets } from '#src/storage/accounts/seal-totp.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { unguardedTables } from '#src/storage/schema/unguarded-tables.ts'
import { sealWebhookSecrets } from '#src/storage/webhooks/seal-webhook-secrets.ts'

export interface PreparedPostgres {
  /** How many TOTP secrets none of the keys opens. */
  unreadable: number
  /** What an operator should read, in sentences. */
  warnings: readonly string[]
}

/**
 * Brings the schema of a PostgreSQL database up to date; processes that start at once wait for each other.
 * `connections`: how many the process may open.
 * @throws ServiceUnavailable where the database cannot be used
 */
export async function preparePostgres(
  url: string,
  secrets?: SecretBox,
  connections = 0,
): Promise<PreparedPostgres> {
  const hosts = new PostgresHosts(url, { max: 1 })
  try {
    return await orStartFault(url, async () => {
      const executor = postgresExecutor(await hosts.primary())
      const otherwise = await otherEncoding(executor)
      await migrate(executor, postgresDialect.schema)
      const warnings = [
        ...otherwise,
        ...(await unguardedTables(executor, postgresDialect.schema)),
        ...(await tooManyConnections(executor, connections)),
      ]
      if (secrets) warnings.push(...(await sealWebhookSecrets(executor, secrets)))
      return { warnings, unreadable: secrets ? await sealTotpSecrets(executor, secrets) : 0 }
    })
  } finally {
    await hosts.close()
  }
}

/**
 * What an operator should read where a base is in another encoding than UTF-8, in sentences.
 * @throws ServiceUnavailable where it has no tables yet
 */
async function otherEncoding(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; encoding: string; has_tables: boolean }>`select
    current_database() as name, current_setting('server_encoding') as encoding,
    to_regclass('schema_migration') is not null as has_tables`.execute(db)
  const { name, encoding, has_tables } = rows[0]!
  if (encoding === 'UTF8') return []
  const fault = `The database '${name}' is in ${encoding}, and Facet needs UTF-8`
  const way = `create database facet encoding 'UTF8' template template0`
  if (!has_tables)
    throw unavailable(fault, { suggestion: `Make another one, and name it in DATABASE_URL: ${way}` })
  return [
    `${fault}: texts may be compared and ordered wrongly. Move the base by export and import into another one: ${way}`,
  ]
}

/** What an operator should read where a process may open more connections than the server allows, in sentences. */
async function tooManyConnections(db: Kysely<Tables>, wanted: number): Promise<string[]> {
  const { rows } = await sql<{ allowed: number }>`select current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int as allowed`.execute(db)
  const { allowed } = rows[0]!
  if (wanted <= allowed) return []
  return [
    `This process may open ${wanted} connections to PostgreSQL (READ_CONNECTIONS + LOOKUP_CONNECTIONS + 6), and the server allows ${allowed}: when there is much to do, requests will be answered with 503. Lower READ_CONNECTIONS, or raise max_connections of the server; a pooler between them helps as well`,
  ]
}
