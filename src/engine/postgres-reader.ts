import { noIds } from '#src/engine/no-ids.ts'
import pg from 'pg'
import type { Reply } from '#src/domain/reply.ts'
import { FairQueue } from '#src/domain/fair-queue.ts'
import { CallEnd } from '#src/engine/call-end.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { readTookTooLong } from '#src/engine/ended.ts'
import type { Limits, SqlCall, SqlRunner, Timeouts } from '#src/engine/engine.ts'
import { PostgresMemory, readTransactionState } from '#src/engine/postgres-memory.ts'
import { newestWriteFor } from '#src/engine/postgres-write.ts'
import type { PostgresReplicas } from '#src/engine/postgres-replicas.ts'
import { isConnectionLoss, isTimeout, postgresFault } from '#src/sql/postgres-fault.ts'
import { cancelQuery } from '#src/sql/cancel-query.ts'
import type { PatternThread } from '#src/sql/pattern-thread.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { PostgresLookups } from '#src/sql/postgres-lookups.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import type { PatternMatcher } from '#src/sql/query.ts'

export interface ReaderOptions {
  hosts: PostgresHosts
  replicas: PostgresReplicas
  run: SqlRunner
  patterns: PatternThread
  timeouts: Timeouts
  /** To each server. */
  connections: number
  metrics: EngineMetrics
}

/** Runs reads, each on one snapshot: on a replica where there is one that has what the caller has written. */
export class PostgresReader {
  private readonly options: ReaderOptions
  private readonly memories = new WeakMap<pg.Pool, PostgresMemory>()
  private readonly lookups = new WeakMap<pg.Pool, PostgresLookups>()
  private readonly queue: FairQueue
  private readonly longQueue: FairQueue

  constructor(options: ReaderOptions) {
    this.options = options
    const { connections, timeouts } = options
    // Half of the connections are left for the others, whatever one account asks for.
    const what = 'queries'
    this.queue = new FairQueue({
      at_once: connections,
      of_one_key: connections / 2,
      max_wait: timeouts.read,
      what,
    })
    this.longQueue = new FairQueue({ at_once: 2, of_one_key: 1, max_wait: timeouts.change, what })
  }

  /** Ends at its deadline, and when its client leaves, waiting included. */
  async read(call: SqlCall, { signal, long = false }: Limits = {}): Promise<Reply> {
    const { read, change } = this.options.timeouts
    const since = performance.now()
    const end = new CallEnd(long ? change : read, readTookTooLong, signal)
    try {
      const queue = long ? this.longQueue : this.queue
      const account = call.caller.user_id ?? call.caller.address
      // The time in the line counts, and is told as the call's own.
      return await end.during(
        () => {},
        () => queue.run(account, () => this.timed(long, since, () => this.readAnywhere(call, end))),
      )
    } finally {
      end.close()
    }
  }

  /** Calls that wait or are under way. */
  get loads(): { read: number; long_read: number } {
    return { read: this.queue.load, long_read: this.longQueue.load }
  }

  private async timed<T>(long: boolean, since: number, read: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await read()
    } finally {
      this.options.metrics.call(long ? 'long_read' : 'read', began - since, performance.now() - began)
    }
  }

  private async readAnywhere(call: SqlCall, end: CallEnd): Promise<Reply> {
    end.look()
    const replica = this.options.replicas.next()
    const reply = replica && (await this.readOnReplica(replica, call, end))
    return reply ?? this.onPrimary((pool) => this.readOn(pool, call, end))
  }

  /** On the primary, without a transaction around it, together with others of its kind. */
  async readInline(call: SqlCall): Promise<Reply> {
    const began = performance.now()
    try {
      return await this.onPrimary((pool) => this.options.run(this.lookupsOn(pool), call, noIds))
    } finally {
      this.options.metrics.call('lookup', undefined, performance.now() - began)
    }
  }

  /** undefined: the replica does not have what the caller has written, or something is wrong with it. */
  private async readOnReplica(replica: pg.Pool, call: SqlCall, end: CallEnd): Promise<Reply | undefined> {
    // The primary knows of what is written through any process. It is asked while the replica begins.
    const newest = this.newestBatchOf(call.caller.user_id)
    newest.catch(() => {})
    try {
      return await this.readOn(replica, call, end, newest)
    } catch (error) {
      end.look()
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
    try {
      return await end.during(
        () => cancelQuery(client),
        () => this.readWith(client, this.memoryOf(pool), call, { end, least }),
      )
    } catch (error) {
      fault = error as Error
      throw error
    } finally {
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
      client.query(
        `${postgresDialect.begin.snapshot}; set local statement_timeout = ${timeouts.change}; set local jit = off`,
      ),
      readTransactionState(client),
    ])
    if (least && batch < (await least)) return undefined
    const matcher: PatternMatcher = {
      match: (pattern, texts) => patterns.match(pattern, texts, end),
    }
    const { committed } = memory
    const db = new PostgresConnection(client, matcher, { ...memory.at(version), committed, look: end.look })
    return run(db, call, noIds)
  }

  /** Nothing is remembered between two of them: what they read may change at any moment. */
  private lookupsOn(pool: pg.Pool): PostgresConnection {
    let lookups = this.lookups.get(pool)
    if (!lookups) this.lookups.set(pool, (lookups = new PostgresLookups(pool, this.options.timeouts.read)))
    return new PostgresConnection(pool, this.options.patterns, { lookups })
  }

  private memoryOf(pool: pg.Pool): PostgresMemory {
    let memory = this.memories.get(pool)
    if (!memory) this.memories.set(pool, (memory = new PostgresMemory()))
    return memory
  }

  /** A read whose connection was lost is safe to run once more. */
  private async onPrimary(read: (pool: pg.Pool) => Promise<Reply>): Promise<Reply> {
    try {
      return await this.options.hosts.use(read)
    } catch (error) {
      if (!isConnectionLoss(error)) throw postgresFault(error) ?? error
    }
    try {
      return await this.options.hosts.use(read)
    } catch (error) {
      throw postgresFault(error) ?? error
    }
  }
}
