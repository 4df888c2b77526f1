import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Engine, EngineLog, SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { PostgresWriter } from '#src/engine/postgres-writer.ts'
import { PatternThread } from '#src/sql/pattern-thread.ts'
import { isConnectionLoss, postgresFault } from '#src/sql/postgres-fault.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { PostgresConnection } from '#src/sql/postgres.ts'
import type { Db } from '#src/sql/query.ts'

/** Connections for reads, and for the writer with what it looks up. */
const READ_CONNECTIONS = 10
const WRITE_CONNECTIONS = 2
/** A read that takes longer is ended. Writes may last: a bulk change of a million items does. */
const READ_TIMEOUT_MS = 60_000

export interface PostgresEngineOptions {
  url: string
  run: SqlRunner
  newestId: (db: Db) => Promise<Ulid | null>
  log: EngineLog
}

/** PostgreSQL on pools: reads beside each other, each on one snapshot; writes through one transaction at a time. */
export async function startPostgresEngine({
  url,
  run,
  newestId,
  log,
}: PostgresEngineOptions): Promise<Engine> {
  const hosts = new PostgresHosts(url, {
    max: READ_CONNECTIONS,
    statement_timeout: READ_TIMEOUT_MS,
    pipeline: true,
  })
  const writerHosts = new PostgresHosts(url, { max: WRITE_CONNECTIONS, pipeline: true })
  const patterns = new PatternThread()
  const reader: Reader = { hosts, run, patterns }
  const writer = new PostgresWriter({ hosts: writerHosts, run, patterns, newestId, log })
  await hosts.primary()
  return {
    read: (call) => retried(hosts, () => readOn(reader, call)),
    readHere: (call) =>
      retried(hosts, async () => run(new PostgresConnection(await hosts.primary(), patterns), call, noIds)),
    write: (call) => writer.write(call),
    version: () => null, // other processes write too
    async close() {
      await writer.close()
      await Promise.all([hosts.close(), writerHosts.close(), patterns.close()])
    },
  }
}

/** A read whose connection was lost is safe to run once more. */
async function retried(hosts: PostgresHosts, read: () => Promise<Reply>): Promise<Reply> {
  try {
    return await read()
  } catch (error) {
    hosts.noticed(error)
    if (!isConnectionLoss(error)) throw postgresFault(error) ?? error
  }
  try {
    return await read()
  } catch (error) {
    hosts.noticed(error)
    throw postgresFault(error) ?? error
  }
}

interface Reader {
  hosts: PostgresHosts
  run: SqlRunner
  patterns: PatternThread
}

async function readOn({ hosts, run, patterns }: Reader, call: SqlCall): Promise<Reply> {
  const client = await (await hosts.primary()).connect()
  let fault: Error | undefined
  try {
    // Sent ahead of the first query without waiting: one snapshot for all that the call reads.
    const begun = client.query('begin isolation level repeatable read read only')
    const [reply] = await Promise.all([run(new PostgresConnection(client, patterns), call, noIds), begun])
    return reply
  } catch (error) {
    fault = error as Error
    throw error
  } finally {
    if (fault && isConnectionLoss(fault)) client.release(fault)
    else
      client.query('rollback').then(
        () => client.release(),
        (error: Error) => client.release(error),
      )
  }
}

function noIds(): never {
  throw new Error('a read makes no ids')
}
