import type { DatabaseConfig } from '#src/domain/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import { WRITE_LOCK } from '#src/engine/postgres-writer.ts'
import { PatternThread } from '#src/sql/pattern-thread.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { PostgresConnection } from '#src/sql/postgres.ts'
import type { Db } from '#src/sql/query.ts'
import { SqliteConnection } from '#src/sql/sqlite.ts'

/** One connection for a command that works on the whole base. */
export interface CommandConnection {
  readonly db: Db
  /** All of the work or nothing. */
  write<T>(work: () => Promise<T>): Promise<T>
  /** Everything that the work reads is of one moment. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
  /** Runs SQL text outside a transaction. */
  exec(text: string): Promise<void>
  close(): Promise<void>
}

interface ConnectionOptions {
  /** Nothing is written. */
  readonly?: boolean
  /** Nobody else may work on the database; of an SQLite file that is whoever has its lock. */
  alone?: boolean
}

export async function openCommandConnection(
  database: DatabaseConfig,
  { readonly = false, alone = false }: ConnectionOptions,
): Promise<CommandConnection> {
  if (database.engine === 'postgres') return openPostgres(database.url, alone)
  const db = new SqliteConnection(database.file, { readonly })
  return connectionOn(db, async () => db.close())
}

interface Transactional extends Db {
  exec(text: string): void | Promise<void>
  rollback(): void | Promise<void>
}

function connectionOn(db: Transactional, close: () => Promise<void>): CommandConnection {
  const within = async <T>(begin: string, work: () => Promise<T>): Promise<T> => {
    await db.exec(begin)
    try {
      const result = await work()
      await db.exec('commit')
      return result
    } catch (error) {
      // Where the rollback fails too, the connection is gone, which rolls back.
      await Promise.resolve(db.rollback()).catch(() => {})
      throw error
    }
  }
  return {
    db,
    write: (work) => within(db.dialect.begin.write, work),
    snapshot: (work) => within(db.dialect.begin.snapshot, work),
    exec: async (text) => db.exec(text),
    close,
  }
}

async function openPostgres(url: string, alone: boolean): Promise<CommandConnection> {
  const hosts = new PostgresHosts(url, { max: 1, pipeline: true })
  const patterns = new PatternThread()
  const close = async () => {
    await Promise.all([hosts.close(), patterns.close()])
  }
  try {
    const client = await (await hosts.primary()).connect()
    const db = new PostgresConnection(client, patterns)
    const connection = connectionOn(db, async () => {
      client.release()
      await close()
    })
    if (alone) await beAlone(db).catch((error: unknown) => (client.release(), Promise.reject(error)))
    return connection
  } catch (error) {
    await close()
    throw error
  }
}

/** A predecessor that is just stopping gets this long to let go. */
const PATIENCE_MS = 3000
const PAUSE_MS = 100

/** Keeps other processes from writing until the connection closes. @throws ServiceUnavailable where one is there. */
async function beAlone(db: Db): Promise<void> {
  const others = {
    sql: `select pg_try_advisory_lock(${WRITE_LOCK}) as free, (select count(*) from pg_stat_activity
      where datname = current_database() and application_name = 'facet' and pid <> pg_backend_pid()) as others`,
    parameters: [],
  }
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const [found] = await db.select<{ free: boolean; others: number }>(others)
    if (found!.free && found!.others === 0) return
    if (Date.now() > until)
      throw unavailable('The database is in use by another Facet process', {
        suggestion: 'Stop every process of the service that works on it, then try again',
      })
    await new Promise((resume) => setTimeout(resume, PAUSE_MS))
  }
}
