import { tmpdir } from 'node:os'
import { PatternThread } from '#src/sql/pattern-thread.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { postgresPool } from '#src/sql/postgres-pool.ts'
import { baseOn } from '#test/support/base.ts'
import { testDatabase } from '#test/support/test-database.ts'

/** A connection to a database that is there. */
export async function connectPostgres(url: string) {
  const pool = postgresPool(url, { max: 1, pipeline: true })
  const client = await pool.connect()
  const patterns = new PatternThread()
  return {
    db: new PostgresConnection(client, patterns),
    async close() {
      client.release()
      await Promise.all([pool.end(), patterns.close()])
    },
  }
}

/** As `openBase`, on a PostgreSQL database of its own; for tests of the project `postgres`. */
export async function openPostgresBase() {
  const { url, drop } = await testDatabase(tmpdir())
  const { db, close } = await connectPostgres(url)
  return {
    ...baseOn(db),
    async close() {
      await close()
      await drop()
    },
  }
}
