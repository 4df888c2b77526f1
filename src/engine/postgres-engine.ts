import type { Ulid } from '#src/domain/ulid.ts'
import type { Engine, EngineLog, SqlRunner, Timeouts } from '#src/engine/engine.ts'
import { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { PostgresReader } from '#src/engine/postgres-reader.ts'
import { PostgresRelay } from '#src/engine/postgres-relay.ts'
import { PostgresReplicas } from '#src/engine/postgres-replicas.ts'
import { PostgresWriter } from '#src/engine/postgres-writer.ts'
import { PatternThread } from '#src/sql/pattern-thread.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { orStartFault } from '#src/sql/postgres-start-fault.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import type { Db } from '#src/sql/query.ts'

/** Connections for reads, to each server; and for the writer with what it looks up. */
const READ_CONNECTIONS = 10
const WRITE_CONNECTIONS = 2
/** Of a read and of a change, where the settings say nothing. */
const TIMEOUTS: Timeouts = { read: 60_000, change: 600_000 }

export interface PostgresEngineOptions {
  url: string
  replica_urls?: readonly string[]
  /** For LISTEN, where `url` does not carry it. */
  listen_url?: string | null
  run: SqlRunner
  newestId: (db: Db) => Promise<Ulid | null>
  remember?: (db: Db) => Promise<ReadonlyMap<string, unknown>>
  log: EngineLog
  writes_for?: 'caller' | 'everybody'
  timeouts?: Timeouts
  metrics?: EngineMetrics
}

/** PostgreSQL on pools: reads beside each other, each on one snapshot; writes through one transaction at a time. */
export async function startPostgresEngine(options: PostgresEngineOptions): Promise<Engine> {
  const { url, run, newestId, remember, log, writes_for = 'caller' } = options
  const { timeouts = TIMEOUTS, metrics = new EngineMetrics() } = options
  const connections = connectionsOf(options)
  const { hosts, writerHosts, listenHosts, replicas, patterns } = connections
  const shared = { run, patterns, metrics }
  const reader = new PostgresReader({ ...shared, hosts, replicas, timeouts, connections: READ_CONNECTIONS })
  const writer = new PostgresWriter({
    ...shared,
    hosts: writerHosts,
    newestId,
    remember,
    log,
    writes_for,
    timeout: timeouts.change,
  })
  const relay = new PostgresRelay({ hosts, listenHosts, log })
  const close = async () => {
    await writer.close()
    await relay.close()
    await connections.close()
  }
  try {
    await orStartFault(url, () => relay.start())
  } catch (error) {
    await close()
    throw error
  }
  metrics.watch({ queues: () => ({ ...reader.loads, write: writer.load }), size: () => databaseSize(hosts) })
  return {
    read: (call, limits) => reader.read(call, limits),
    readInline: (call) => reader.readInline(call),
    write: (call, limits) => writer.write(call, limits?.signal),
    isHeld: (name) => isHeld(hosts, name),
    writeFault: () => writer.fault,
    version: () => null, // other processes write too
    relay,
    close,
  }
}

/** Every way to the servers, and the thread that matches patterns for them. */
function connectionsOf({ url, replica_urls: urls = [], listen_url, log }: PostgresEngineOptions) {
  const hosts = new PostgresHosts(url, { max: READ_CONNECTIONS, pipeline: true })
  const writerHosts = new PostgresHosts(url, { max: WRITE_CONNECTIONS, pipeline: true })
  const listenHosts = new PostgresHosts(listen_url ?? url, { max: 1 })
  const replicas = new PostgresReplicas({ urls, max: READ_CONNECTIONS, log })
  const patterns = new PatternThread()
  return {
    hosts,
    writerHosts,
    listenHosts,
    replicas,
    patterns,
    async close() {
      const all = [listenHosts, hosts, writerHosts, replicas, patterns]
      await Promise.all(all.map((each) => each.close()))
    },
  }
}

/** Milliseconds: a request for the metrics does not wait for a database that cannot be reached. */
const SIZE_WAIT = 2000

async function databaseSize(hosts: PostgresHosts): Promise<number | null> {
  const asked = hosts.use(async (pool) => {
    const { rows } = await pool.query<{ size: string }>(
      'select pg_database_size(current_database())::text as size',
    )
    return Number(rows[0]!.size)
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, SIZE_WAIT, null)))
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}

/** On the primary, where the names are. */
async function isHeld(hosts: PostgresHosts, name: string): Promise<boolean> {
  const { names, builder } = postgresDialect
  const { sql: text, parameters } = builder.selectNoFrom(names!.isFree(name).as('free')).compile()
  const { rows } = await hosts.use((pool) => pool.query<{ free: boolean }>(text, [...parameters]))
  return !rows[0]!.free
}
