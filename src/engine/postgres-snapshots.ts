import pg from 'pg'
import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { CallEnd } from '#src/engine/call-end.ts'
import type { SqlCall, SqlRunner, Timeouts } from '#src/engine/engine.ts'
import { noIds } from '#src/engine/transaction.ts'
import { PostgresMemory, readTransactionState } from '#src/engine/postgres-memory.ts'
import type { PostgresReplicas } from '#src/engine/postgres-replicas.ts'
import { runOnScratch } from '#src/engine/postgres-scratch.ts'
import { newestWriteFor, nextRowIds } from '#src/engine/postgres-write.ts'
import { cancelQuery } from '#src/sql/cancel-query.ts'
import type { PatternThread } from '#src/sql/pattern-thread.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { isConnectionLoss, isTimeout, postgresFault } from '#src/sql/postgres-fault.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import type { Db, ReserveRowIds } from '#src/sql/query.ts'

export interface SnapshotOptions {
  hosts: PostgresHosts
  /** For quick looks at the primary beside a read, such as whether somebody waits for what is tried out. */
  watchHosts: PostgresHosts
  replicas: PostgresReplicas
  run: SqlRunner
  /** Ids of what is tried out come after this one. */
  newestId: (db: Db) => Promise<Ulid | null>
  patterns: PatternThread
  timeouts: Timeouts
}

/**
 * Runs reads, each on one snapshot: on a replica where there is one that has what the caller has written, and on the
 * primary where nobody in particular asks.
 */
export class PostgresSnapshots {
  private readonly options: SnapshotOptions
  private readonly memories = new WeakMap<pg.Pool, PostgresMemory>()
  /** Reads that have a connection. */
  private underWay = 0

  constructor(options: SnapshotOptions) {
    this.options = options
  }

  async read(call: SqlCall, end: CallEnd): Promise<Reply> {
    end.throwIfEnded()
    if (call.scratch) return this.tryOut(call, end)
    // What the service asks of its own (whether a session has ended, what is due) would be answered as it was before.
    const mayLag = call.late ?? call.caller.user_id !== null
    const replica = mayLag ? this.options.replicas.next() : undefined
    const reply = replica && (await this.readOnReplica(replica, call, end))
    return reply ?? onPrimary(this.options.hosts, (pool) => this.readOn(pool, call, end))
  }

  /** On the primary: a replica takes no writes, not even those that are taken back. */
  private tryOut(call: SqlCall, end: CallEnd): Promise<Reply> {
    const { hosts, watchHosts, run, newestId, patterns, timeouts } = this.options
    const options = { watchHosts, run, newestId, patterns, timeout: timeouts.change }
    return onPrimary(hosts, (pool) => runOnScratch(pool, call, end, options))
  }

  /** undefined: the replica does not have what the caller has written, or something is wrong with it. */
  private async readOnReplica(replica: pg.Pool, call: SqlCall, end: CallEnd): Promise<Reply | undefined> {
    // The primary knows of what is written through any process. It is asked while the replica begins.
    const newest = this.newestBatchOf(call.caller.user_id)
    newest.catch(() => {})
    try {
      return await this.readOn(replica, call, end, newest)
    } catch (error) {
      end.throwIfEnded()
      if (isTimeout(error) || !(isConnectionLoss(error) || error instanceof pg.DatabaseError))
        throw postgresFault(error) ?? error
      if (isConnectionLoss(error)) this.options.replicas.lost(replica, error)
      return undefined
    }
  }

  /** The number of the last write transaction that the user is to see. Beyond all where nobody can say. */
  private async newestBatchOf(user_id: string | null): Promise<number> {
    if (user_id === null) return 0
    try {
      return await newestWriteFor(await this.options.hosts.primary(), user_id)
    } catch {
      return Infinity
    }
  }

  private readOn(pool: pg.Pool, call: SqlCall, end: CallEnd): Promise<Reply>
  private readOn(
    pool: pg.Pool,
    call: SqlCall,
    end: CallEnd,
    least: Promise<number>,
  ): Promise<Reply | undefined>
  private async readOn(
    pool: pg.Pool,
    call: SqlCall,
    end: CallEnd,
    least?: Promise<number>,
  ): Promise<Reply | undefined> {
    const client = await pool.connect()
    let fault: Error | undefined
    this.underWay++
    try {
      return await end.during(
        () => cancelQuery(client),
        () => this.readWith(client, this.memoryOf(pool), call, { end, least }),
      )
    } catch (error) {
      fault = error as Error
      throw error
    } finally {
      this.underWay--
      if (fault && (end.fault || isConnectionLoss(fault))) client.release(fault)
      else
        client.query('rollback').then(
          () => client.release(),
          (error: Error) => client.release(error),
        )
    }
  }

  private async readWith(
    client: pg.PoolClient,
    memory: PostgresMemory,
    call: SqlCall,
    { end, least }: { end: CallEnd; least: Promise<number> | undefined },
  ): Promise<Reply | undefined> {
    const { run, patterns, timeouts } = this.options
    const [, { version, batch }] = await Promise.all([
      client.query(beginSnapshot(timeouts.change, this.underWay > 1)),
      readTransactionState(client),
    ])
    if (least && batch < (await least)) return undefined
    const { committed } = memory
    const db = new PostgresConnection(client, patterns, {
      ...memory.at(version),
      committed,
      throwIfEnded: end.throwIfEnded,
      reserveRowIds: call.plan && this.reserveRowIds,
    })
    return run(db, call, noIds)
  }

  /** A snapshot reads only, and may be a replica's. Where the primary fails, the change will hear of that itself. */
  private readonly reserveRowIds: ReserveRowIds = (table, count) =>
    this.options.watchHosts.use((pool) => nextRowIds(pool, table, count)).catch(() => undefined)

  private memoryOf(pool: pg.Pool): PostgresMemory {
    let memory = this.memories.get(pool)
    if (!memory) this.memories.set(pool, (memory = new PostgresMemory()))
    return memory
  }
}

/** Beside others none takes further processors: they would be those of the others. */
const beginSnapshot = (timeout: number, besideOthers: boolean): string =>
  `${postgresDialect.begin.snapshot}; set local statement_timeout = ${timeout}; set local jit = off${
    besideOthers ? '; set local max_parallel_workers_per_gather = 0' : ''
  }`

/** A read whose connection was lost is safe to run once more. */
export async function onPrimary<T>(hosts: PostgresHosts, read: (pool: pg.Pool) => Promise<T>): Promise<T> {
  try {
    return await hosts.use(read)
  } catch (error) {
    if (!isConnectionLoss(error)) throw postgresFault(error) ?? error
  }
  try {
    return await hosts.use(read)
  } catch (error) {
    throw postgresFault(error) ?? error
  }
}
