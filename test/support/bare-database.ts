import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { postgresExecutor, postgresPool } from '#src/sql/postgres-pool.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import type { Tables } from '#src/sql/tables.ts'
import { postgresDatabase, TEST_ENGINE, type TestDatabase } from '#test/support/test-database.ts'

/** A database of the engine under test without any table, in `folder` where it is a file. */
export async function emptyDatabase(folder: string): Promise<TestDatabase> {
  if (TEST_ENGINE === 'postgres') return postgresDatabase()
  return { url: `file:${join(folder, 'facet.db')}`, async drop() {} }
}

/** Beside the service, or before it starts. */
export async function withDatabase<T>(
  url: string,
  use: (db: Kysely<Tables>, schema: typeof sqliteDialect.schema) => Promise<T>,
): Promise<T> {
  if (TEST_ENGINE === 'sqlite') {
    const connection = new SqliteConnection(url.slice('file:'.length))
    return use(sqliteExecutor(connection.raw), sqliteDialect.schema).finally(() => connection.close())
  }
  const pool = postgresPool(url, { max: 1 })
  try {
    return await use(postgresExecutor(pool), postgresDialect.schema)
  } finally {
    await pool.end()
  }
}
