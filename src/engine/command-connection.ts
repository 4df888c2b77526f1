import { randomUUID } from 'node:crypto'
import type { DatabaseConfig } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import { GONE_AFTER } from '#src/engine/postgres-relay.ts'
import { beginWrite, EVERYBODY, markWrite } from '#src/engine/postgres-write.ts'
import { withinTransaction } from '#src/engine/transaction.ts'
import { PatternThread } from '#src/sql/pattern-thread.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { orStartFault } from '#src/sql/postgres-start-fault.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import type { Db } from '#src/sql/query.ts'
import { connectionForCommand } from '#src/sql/sqlite-connection.ts'

/** One connection for a command that works on the whole base. */
export interface CommandConnection {
  readonly db: Db
  /** All of the work or nothing. */
  write<T>(work: () => Promise<T>): Promise<T>
  /** Everything that the work reads is of one moment. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
  /** Runs SQL text outside a transaction. */
  exec(text: string): Promise<void>
  /** @throws ServiceUnavailable while another process works on the database; of an SQLite file that is for its lock. */
  refuseOthers(): Promise<void>
  close(): Promise<void>
}

interface ConnectionOptions {
  /** Nothing is written. */
  readonly?: boolean
}

export async function openCommandConnection(
  database: DatabaseConfig,
  { readonly = false }: ConnectionOptions = {},
): Promise<CommandConnection> {
  if (database.engine === 'postgres') return openPostgres(database.url)
  const db = connectionForCommand(database.file, { readonly })
  const { write, snapshot } = db.dialect.begin
  return {
    db,
    write: (work) => withinTransaction(db, write, () => (db.refresh(), work())),
    snapshot: (work) => withinTransaction(db, snapshot, () => (db.refresh(), work())),
    exec: async (text) => db.exec(text),
    async refuseOthers() {},
    close: async () => db.close(),
  }
}

async function openPostgres(url: string): Promise<CommandConnection> {
  const hosts = new PostgresHosts(url, { max: 1, pipeline: true })
  const patterns = new PatternThread()
  const close = async () => {
    await Promise.all([hosts.close(), patterns.close()])
  }
  try {
    const client = await orStartFault(url, async () => (await hosts.primary()).connect())
    const db = new PostgresConnection(client, patterns, { room: { texts: Infinity } })
    return {
      db,
      write: (work) =>
        withinTransaction(
          db,
          () => beginWrite(client),
          async () => {
            const result = await work()
            await db.settled()
            await markWrite(client, randomUUID(), [EVERYBODY])
            return result
          },
        ),
      snapshot: (work) => withinTransaction(db, db.dialect.begin.snapshot, work),
      exec: (text) => db.exec(text),
      refuseOthers: () => refuseOthers(db),
      async close() {
        client.release()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A predecessor that is just stopping gets this long to let go, and a process that sees the import to stop. */
const PATIENCE_MS = 3000
const PAUSE_MS = 100

/**
 * Processes say in a table that they are there. Their connections would not say: those of a pooler stay when the
 * processes are gone.
 */
async function refuseOthers(db: Db): Promise<void> {
  const others = {
    sql: `select 1 from process where seen_at > now() - interval '${GONE_AFTER}' limit 1`,
    parameters: [],
  }
  const until = Date.now() + PATIENCE_MS
  while ((await db.select(others)).length) {
    if (Date.now() > until)
      throw unavailable('The database is in use by another Facet process', {
        suggestion: `Stop every process of the service that works on it, then try again; one that was killed counts for ${GONE_AFTER} more`,
      })
    await new Promise((resume) => setTimeout(resume, PAUSE_MS))
  }
}
