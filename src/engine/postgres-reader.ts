import pg from 'pg'
import type { Reply } from '#src/domain/reply.ts'
import type { SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { PostgresMemory, positionOf } from '#src/engine/postgres-memory.ts'
import { newestWriteFor } from '#src/engine/postgres-write.ts'
import type { PostgresReplicas } from '#src/engine/postgres-replicas.ts'
import { isConnectionLoss, isTimeout, postgresFault } from '#src/sql/postgres-fault.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { PostgresLookups } from '#src/sql/postgres-lookups.ts'
import { PostgresConnection, postgresDialect } from '#src/sql/postgres.ts'
import type { PatternMatcher } from '#src/sql/query.ts'

export interface ReaderOptions {
  hosts: PostgresHosts
  replicas: PostgresReplicas
  run: SqlRunner
  patterns: PatternMatcher
  /** Milliseconds after which a statement is ended, and a lookup by key asked again on another connection. */
  timeout: number
}

/** Runs reads, each on one snapshot: on a replica where there is one that has what the caller has written. */
export class PostgresReader {
  private readonly options: ReaderOptions
  private readonly memories = new WeakMap<pg.Pool, PostgresMemory>()
  private readonly lookups = new WeakMap<pg.Pool, PostgresLookups>()

  constructor(options: ReaderOptions) {
    this.options = options
  }

  async read(call: SqlCall): Promise<Reply> {
    const replica = this.options.replicas.next()
    const reply = replica && (await this.readOnReplica(replica, call))
    return reply ?? this.onPrimary((pool) => this.readOn(pool, call))
  }

  /** On the primary, without a transaction around it, together with others of its kind. */
  readInline(call: SqlCall): Promise<Reply> {
    return this.onPrimary((pool) => this.options.run(this.lookupsOn(pool), call, noIds))
  }

  /** undefined: the replica does not have what the caller has written, or something is wrong with it. */
  private async readOnReplica(replica: pg.Pool, call: SqlCall): Promise<Reply | undefined> {
    // The primary knows of what is written through any process. It is asked while the replica begins.
    const newest = this.newestBatchOf(call.caller.user_id)
    newest.catch(() => {})
    try {
      return await this.readOn(replica, call, newest)
    } catch (error) {
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

  private readOn(pool: pg.Pool, call: SqlCall): Promise<Reply>
  private readOn(pool: pg.Pool, call: SqlCall, least: Promise<number>): Promise<Reply | undefined>
  private async readOn(pool: pg.Pool, call: SqlCall, least?: Promise<number>): Promise<Reply | undefined> {
    const { run, patterns, timeout } = this.options
    const client = await pool.connect()
    let fault: Error | undefined
    try {
      const [, { version, batch }] = await Promise.all([
        client.query(
          `${postgresDialect.begin.snapshot}; set local statement_timeout = ${timeout}; set local jit = off`,
        ),
        positionOf(client),
      ])
      if (least && batch < (await least)) return undefined
      const memory = this.memoryOf(pool).at(version)
      return await run(new PostgresConnection(client, patterns, memory), call, noIds)
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

  /** Nothing is remembered between two of them: what they read may change at any moment. */
  private lookupsOn(pool: pg.Pool): PostgresConnection {
    let lookups = this.lookups.get(pool)
    if (!lookups) this.lookups.set(pool, (lookups = new PostgresLookups(pool, this.options.timeout)))
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

function noIds(): never {
  throw new Error('a read makes no ids')
}
