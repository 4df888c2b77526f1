import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '#src/sql/tables.ts'

const INT8 = 20

/** Row ids and counts stay far under 2^53, so bigint columns come back as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export interface PoolOptions {
  /** Connections at the most. */
  max: number
  /** Milliseconds that a connection may take to be made. */
  connect_timeout?: number
  /** Statements are sent one behind the other without waiting for answers. */
  pipeline?: boolean
  /** Looks at each new connection; one for which it rejects is not used. */
  check?: (client: pg.ClientBase) => Promise<void>
}

export function postgresPool(
  url: string,
  { max, connect_timeout = 10_000, pipeline = false, check }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline,
    types,
    application_name: 'facet',
    connectionTimeoutMillis: connect_timeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    verify: check && ((client, done) => void toCallback(check(client), done)),
  })
  // A lost connection fails the queries that run on it; unheard, the event would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  return pool
}

async function toCallback(work: Promise<void>, done: (fault?: Error) => void): Promise<void> {
  let fault: Error | undefined
  try {
    await work
  } catch (error) {
    fault = error as Error
  }
  done(fault)
}

/** Kysely that executes, for migrations only. */
export function postgresExecutor(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
