import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import { type Ulid, ulidSource } from '#src/domain/ulid.ts'
import type { EngineLog, SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { isConnectionLoss, postgresFault } from '#src/sql/postgres-fault.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { PostgresConnection } from '#src/sql/postgres.ts'
import type { Db, PatternMatcher } from '#src/sql/query.ts'

/** Calls in one transaction at the most. */
const MAX_BATCH = 64
/** Calls that wait; more are turned away. */
const MAX_WAITING = 10_000
/** `facetw` in ASCII: one write transaction at a time over all processes, as SQLite has it. */
const WRITE_LOCK = '112568789365879'
/** A COMMIT whose answer was lost is looked up for so long. */
const LOOK_UP_MS = 30_000
const LOOK_UP_PAUSE_MS = 250
/** Rows of `write_batch` are needed only while a COMMIT may still be looked up. */
const KEEP_BATCHES = '1 hour'
const SWEEP_EVERY = 10_000

interface Waiting {
  call: SqlCall
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
}

export interface WriterOptions {
  hosts: PostgresHosts
  patterns: PatternMatcher
  run: SqlRunner
  /** New ids come after this one; read under the lock, so that ids go forward over all processes. */
  newestId: (db: Db) => Promise<Ulid | null>
  log: EngineLog
  /** Told of the WAL position after each commit, with the calls that it holds. */
  onCommit?: (position: string, calls: readonly SqlCall[]) => void
}

/** The outcome of one call before its transaction has committed. */
type Outcome = { waiting: Waiting; reply: Reply } | { waiting: Waiting; error: unknown }

/**
 * Takes all calls that wait into one transaction, each in a savepoint of its own, and answers them after the COMMIT.
 * A lock in the database lets one process write at a time: operations then need no thought of races, and rows and ids
 * come in one order.
 */
export class PostgresWriter {
  private readonly options: WriterOptions
  private waiting: Waiting[] = []
  private working: Promise<void> | undefined
  private closed = false
  private batches = 0

  constructor(options: WriterOptions) {
    this.options = options
  }

  write(call: SqlCall): Promise<Reply> {
    if (this.closed)
      return Promise.reject(unavailable('The service is shutting down', { suggestion: 'Try again shortly' }))
    if (this.waiting.length >= MAX_WAITING)
      return Promise.reject(
        unavailable('The service has more to do than it can take on', {
          suggestion: 'Try again in a moment',
        }),
      )
    return new Promise((resolve, reject) => {
      this.waiting.push({ call, resolve, reject })
      this.working ??= this.work().finally(() => (this.working = undefined))
    })
  }

  /** After what waits is done. */
  async close(): Promise<void> {
    this.closed = true
    await this.working
  }

  private async work(): Promise<void> {
    await Promise.resolve() // what comes in during this turn goes along
    while (this.waiting.length) {
      const batch = this.waiting.splice(0, MAX_BATCH)
      try {
        for (const outcome of await this.commit(batch))
          if ('reply' in outcome) outcome.waiting.resolve(outcome.reply)
          else outcome.waiting.reject(outcome.error)
      } catch (error) {
        const fault = postgresFault(error) ?? error
        for (const { reject } of batch) reject(fault)
      }
    }
  }

  private async commit(batch: readonly Waiting[]): Promise<Outcome[]> {
    const client = await this.connect()
    const marker = randomUUID()
    let outcomes: Outcome[] | undefined
    let fault: Error | undefined
    try {
      outcomes = await this.carryOut(client, batch, marker)
      if (outcomes.some((outcome) => 'reply' in outcome)) await this.sendCommit(client, batch)
      else await client.query('rollback')
    } catch (error) {
      fault = error as Error
      this.options.hosts.noticed(error)
      if (!outcomes || !isConnectionLoss(error)) throw error
      await this.lookUp(marker, batch.length)
    } finally {
      client.release(fault) // with an error the connection is closed, which rolls back
    }
    return outcomes.map((outcome) => this.settled(outcome))
  }

  private settled(outcome: Outcome): Outcome {
    return 'error' in outcome ? { ...outcome, error: postgresFault(outcome.error) ?? outcome.error } : outcome
  }

  private async connect(): Promise<pg.PoolClient> {
    const { hosts } = this.options
    try {
      return await (await hosts.primary()).connect()
    } catch (error) {
      hosts.noticed(error)
      if (!isConnectionLoss(error)) throw error
      return await (await hosts.primary()).connect() // nothing has begun, so once more is safe
    }
  }

  private async carryOut(
    client: pg.PoolClient,
    batch: readonly Waiting[],
    marker: string,
  ): Promise<Outcome[]> {
    const db = new PostgresConnection(client, this.options.patterns)
    await this.begin(client)
    const nextId = ulidSource(await this.options.newestId(db))
    const outcomes: Outcome[] = []
    const alone = batch.length === 1
    for (const waiting of batch) {
      const { call } = waiting
      if (!alone) await db.exec('savepoint call')
      try {
        outcomes.push({ waiting, reply: await this.options.run(db, call, () => nextId(call.now)) })
      } catch (error) {
        if (isConnectionLoss(error)) throw error
        outcomes.push({ waiting, error })
        if (alone) return outcomes
        await db.rollback('call')
      }
      if (!alone) await db.exec('release call')
    }
    await client.query({
      name: 'write_batch',
      text: 'insert into write_batch (id) values ($1)',
      values: [marker],
    })
    if (++this.batches % SWEEP_EVERY === 1)
      await client.query(`delete from write_batch where at < now() - interval '${KEEP_BATCHES}'`)
    return outcomes
  }

  private async begin(client: pg.ClientBase): Promise<void> {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(${WRITE_LOCK})`)
  }

  /** @throws ServiceUnavailable when the server says that a standby may not have it: a failover could lose it. */
  private async sendCommit(client: pg.PoolClient, batch: readonly Waiting[]): Promise<void> {
    let unsure: string | undefined
    const listen = ({ message }: { message?: string | undefined }) => {
      if (message?.startsWith('canceling wait for synchronous replication')) unsure = message
    }
    client.on('notice', listen)
    try {
      await client.query('commit')
      if (this.options.onCommit) {
        const { rows } = await client.query<{ position: string }>(
          'select pg_current_wal_lsn()::text as position',
        )
        this.options.onCommit(
          rows[0]!.position,
          batch.map(({ call }) => call),
        )
      }
    } finally {
      client.off('notice', listen)
    }
    if (unsure) throw unknownOutcome()
  }

  /**
   * The COMMIT was sent and its answer is lost: whether it happened stands in the database.
   * @throws ServiceUnavailable where it did not, or where nobody can say.
   */
  private async lookUp(marker: string, calls: number): Promise<void> {
    const until = Date.now() + LOOK_UP_MS
    let found: boolean | undefined
    while (found === undefined && Date.now() < until) {
      found = await this.hasMarker(marker).catch(() => undefined)
      if (found === undefined) await new Promise((resume) => setTimeout(resume, LOOK_UP_PAUSE_MS))
    }
    this.options.log('warn', 'The answer to a COMMIT was lost', { committed: found ?? 'unknown', calls })
    if (found === undefined) throw unknownOutcome()
    if (!found) throw unavailable('The database broke off: nothing was changed', { suggestion: 'Try again' })
  }

  private async hasMarker(marker: string): Promise<boolean> {
    const { hosts } = this.options
    try {
      const client = await (await hosts.primary()).connect()
      try {
        await this.begin(client) // waits until the transaction in question has ended, one way or the other
        const { rows } = await client.query('select 1 from write_batch where id = $1', [marker])
        return rows.length > 0
      } finally {
        client.release(true)
      }
    } catch (error) {
      hosts.noticed(error)
      throw error
    }
  }
}

const unknownOutcome = () =>
  unavailable('The database broke off while it made this change: whether it was made is unknown', {
    suggestion: 'Read before trying again',
  })
