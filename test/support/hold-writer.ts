import Database from 'better-sqlite3'
import pg from 'pg'
import { WRITE_LOCK } from '#src/engine/postgres-write.ts'

/** Keeps a service from writing to its database, as another program that writes does; what it gives ends that. */
export async function holdWriter(database_url: string): Promise<() => Promise<void>> {
  if (database_url.startsWith('file:')) {
    const file = new Database(database_url.slice('file:'.length))
    file.exec('begin immediate')
    return async () => void file.close()
  }
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  await client.query(`begin; select pg_advisory_xact_lock(${WRITE_LOCK})`)
  return () => client.end()
}
