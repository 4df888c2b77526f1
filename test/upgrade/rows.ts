import { Client } from 'pg'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { postgresExecutor } from '#src/sql/postgres-pool.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { migrate } from '#src/storage/schema/migrate.ts'

/** A database of PostgreSQL without its schema, which the migrations make that it had. */
export interface Rows {
  migrations: string[]
  /** As PostgreSQL writes a row in one text. */
  tables: Record<string, string[]>
  sequences: Record<string, string>
}

async function connected<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

export const dumpRows = (url: string): Promise<Rows> =>
  connected(url, async (client) => {
    const texts = async (sql: string) =>
      (await client.query<{ text: string }>(sql)).rows.map(({ text }) => text)
    const rows: Rows = { migrations: [], tables: {}, sequences: {} }
    rows.migrations = await texts('select name as text from schema_migration order by name')
    for (const name of await texts("select tablename as text from pg_tables where schemaname = 'public'"))
      rows.tables[name] = await texts(`select t::text as text from "${name}" t`)
    const sequences = 'select sequencename as name, last_value::text as text from pg_sequences'
    for (const { name, text } of (await client.query<{ name: string; text: string | null }>(sequences)).rows)
      if (text !== null) rows.sequences[name] = text
    return rows
  })

/** Into a database without a single table. */
export async function loadRows(url: string, { migrations: names, tables, sequences }: Rows): Promise<void> {
  const hosts = new PostgresHosts(url, { max: 1 })
  try {
    const list = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)))
    await migrate(postgresExecutor(await hosts.primary()), postgresDialect.schema, { list })
  } finally {
    await hosts.close()
  }
  await connected(url, async (client) => {
    // As a dump is restored: the order of tables does not count, and no trigger adds anything.
    await client.query('set session_replication_role = replica')
    for (const [name, rows] of Object.entries(tables)) {
      await client.query(`delete from "${name}"`)
      await client.query(
        `insert into "${name}" overriding system value select (r::"${name}").* from unnest($1::text[]) as r`,
        [rows],
      )
    }
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2::bigint)', [name, value])
  })
}
