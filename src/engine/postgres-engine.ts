import type { Ulid } from '#src/domain/ulid.ts'
import { DiskFault } from '#src/engine/disk-fault.ts'
import type { Engine, EngineLog, SqlRunner, Timeouts } from '#src/engine/engine.ts'
import { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { PostgresInlineReads } from '#src/engine/postgres-inline-reads.ts'
import type { PostgresStart } from '#src/engine/postgres-messages.ts'
import {
  PostgresReader,
  type ReadConnections,
  type ReadPlace,
  shareOut,
} from '#src/engine/postgres-reader.ts'
import { PostgresRelay } from '#src/engine/postgres-relay.ts'
import { PostgresReplicas } from '#src/engine/postgres-replicas.ts'
import { onPrimary, PostgresSnapshots } from '#src/engine/postgres-snapshots.ts'
import { PostgresThread } from '#src/engine/postgres-thread.ts'
import { PostgresWriter } from '#src/engine/postgres-writer.ts'
import { QuickThreads } from '#src/engine/quick-threads.ts'
import type { StartThread } from '#src/engine/sqlite-thread-options.ts'
import { PRIORITY } from '#src/process/thread-priority.ts'
import { PatternThread } from '#src/sql/pattern-thread.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { orStartFault } from '#src/sql/postgres-start-fault.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import type { Db } from '#src/sql/query.ts'

/**
 * For what has its turn, for a large change that is written before its turn, for the watch over that, and for the texts
 * that are put into their places after a commit.
 */
const WRITE_CONNECTIONS = 4
/** One for LISTEN, and one that looks whether somebody waits for what is tried out. */
const OTHER_CONNECTIONS = 2
/** Where nobody says. */
const CONNECTIONS = { read: 10, lookup: 4 }
/** Of a read and of a change, where the settings say nothing. */
const TIMEOUTS: Timeouts = { read: 60_000, change: 600_000 }

/** Of one process: for reads, to each server, and for what is looked up by key. */
interface PoolSizes {
  readonly read: number
  readonly lookup: number
}

/** All connections of a process to its primary. */
export const connectionsOf = ({ read, lookup }: PoolSizes = CONNECTIONS): number =>
  read + lookup + WRITE_CONNECTIONS + OTHER_CONNECTIONS

export interface PostgresEngineOptions {
  url: string
  replica_urls?: readonly string[]
  /** For LISTEN, where `url` does not carry it. */
  listen_url?: string | null
  connections?: PoolSizes
  /** Calls are carried out in threads; without it in this one, as commands do. */
  startThread?: StartThread
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
  const { url, run, log, timeouts = TIMEOUTS, metrics = new EngineMetrics() } = options
  const { connections = CONNECTIONS, startThread } = options
  const hosts = new PostgresHosts(url, { max: connections.lookup, pipeline: true })
  const listenHosts = new PostgresHosts(options.listen_url ?? url, { max: 1 })
  const patterns = new PatternThread()
  const shared = { ...options, timeouts, metrics, shares: shareOut(connections.read) }
  const { quick, slow, writer, ...places } = startThread
    ? threadsOf({ ...shared, startThread })
    : placesHere(shared)
  const reader = new PostgresReader({ quick, slow, connections: shared.shares, timeouts, metrics })
  const inline = new PostgresInlineReads({ hosts, run, patterns, timeout: timeouts.read, metrics })
  const relay = new PostgresRelay({ hosts, listenHosts, log })
  const close = async () => {
    await places.close()
    await relay.close()
    await Promise.all([listenHosts, hosts, patterns].map((each) => each.close()))
  }
  try {
    await Promise.all([orStartFault(url, () => relay.start()), places.start()])
  } catch (error) {
    await close()
    throw error
  }
  const disk = new DiskFault()
  metrics.watch({ queues: () => ({ ...reader.loads, write: writer.load }), size: () => databaseSize(hosts) })
  return {
    read: (call, limits) => reader.read(call, limits),
    readInline: (call) => inline.read(call),
    write: (call, limits) => disk.watched(writer.write(call, limits?.signal)),
    isHeld: (name) => isHeld(hosts, name),
    writeFault: () => disk.now ?? writer.fault,
    forgetWriteFault: () => disk.forget(),
    version: () => null, // other processes write too
    relay,
    close,
  }
}

interface Shared extends PostgresEngineOptions {
  timeouts: Timeouts
  metrics: EngineMetrics
  shares: ReadConnections
}

/** Where calls are carried out. */
interface Places {
  quick: ReadPlace
  slow: ReadPlace
  writer: Pick<PostgresWriter, 'write' | 'load' | 'fault'>
  start(): Promise<unknown>
  close(): Promise<void>
}

/** Two threads for quick reads, one for what is slow, and one for writes: the main thread computes nothing of what they read. */
function threadsOf(options: Shared & { startThread: StartThread }): Places {
  const { url, replica_urls = [], timeouts, shares, startThread, log, metrics } = options
  const thread = (name: string, more: Pick<PostgresStart, 'role' | 'connections' | 'priority'>) =>
    new PostgresThread({
      spawn: (start) => startThread(start, name),
      start: { engine: 'postgres', url, replica_urls, timeouts, ...more },
      log,
      metrics,
    })
  const half = Math.ceil(shares.quick / 2)
  const [first, ...others] = [half, shares.quick - half]
    .filter((connections) => connections > 0)
    .map((connections) => thread('postgres-reader', { role: 'reader', connections })) as [
    PostgresThread,
    ...PostgresThread[],
  ]
  const slow = thread('postgres-slow', {
    role: 'reader',
    connections: shares.slow + shares.long,
    priority: PRIORITY.behind,
  })
  const writer = thread('postgres-writer', { role: 'writer', connections: WRITE_CONNECTIONS })
  return {
    quick: new QuickThreads([first, ...others]),
    slow,
    writer,
    start: () => Promise.all([first.start(), writer.start()]),
    async close() {
      await writer.close()
      await Promise.all([first, ...others, slow].map((each) => each.close()))
    },
  }
}

/** The same in this thread. */
function placesHere(options: Shared): Places {
  const { url, replica_urls: urls = [], run, newestId, remember, log, writes_for = 'caller' } = options
  const { timeouts, metrics, shares } = options
  const patterns = new PatternThread()
  const readsOn = (max: number) => {
    const hosts = new PostgresHosts(url, { max, pipeline: true })
    const replicas = new PostgresReplicas({ urls, max, log })
    const watchHosts = new PostgresHosts(url, { max: 1 })
    const shared = { hosts, watchHosts, replicas, run, newestId, patterns, timeouts }
    const snapshots = new PostgresSnapshots(shared)
    const close = async () =>
      void (await Promise.all([hosts, watchHosts, replicas].map((each) => each.close())))
    return { read: snapshots.read.bind(snapshots), close }
  }
  const [quick, slow] = [readsOn(shares.quick), readsOn(shares.slow + shares.long)]
  const hosts = new PostgresHosts(url, { max: WRITE_CONNECTIONS, pipeline: true })
  const writing = { hosts, patterns, run, newestId, remember, log, writes_for, metrics }
  const writer = new PostgresWriter({ ...writing, timeout: timeouts.change })
  return {
    quick,
    slow,
    writer,
    start: async () => {},
    async close() {
      await writer.close()
      await Promise.all([hosts, quick, slow, patterns].map((each) => each.close()))
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
  const { rows } = await onPrimary(hosts, (pool) => pool.query<{ free: boolean }>(text, [...parameters]))
  return !rows[0]!.free
}
