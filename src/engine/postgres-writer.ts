import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { callsTogether } from '#src/engine/transaction.ts'
import { abandoned, changeTookTooLong, overloaded, shuttingDown } from '#src/engine/ended.ts'
import type { EngineLog, SqlCall, SqlRunner } from '#src/engine/engine.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { PostgresMemory, readTransactionState } from '#src/engine/postgres-memory.ts'
import { lookUpCommit } from '#src/engine/look-up-commit.ts'
import { beginWrite, commitWrite, EVERYBODY, inOrder, markWrite } from '#src/engine/postgres-write.ts'
import { isConnectionLoss, postgresFault } from '#src/sql/postgres-fault.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import type { Db, PatternMatcher } from '#src/sql/query.ts'

/** Calls in one transaction at the most. */
const MAX_BATCH = 64
/** A writer whose oldest call is older than this keeps others waiting for too long. */
const STUCK_MS = 10_000
/** Calls that wait; more are turned away. */
const MAX_WAITING = 10_000
/** Rows of `write_batch` are needed only while a COMMIT may still be looked up. */
const KEEP_BATCHES = '1 hour'
const SWEEP_EVERY = 10_000

interface Waiting {
  call: SqlCall
  since: number
  signal: AbortSignal | undefined
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
}

export interface WriterOptions {
  hosts: PostgresHosts
  patterns: PatternMatcher
  run: SqlRunner
  /** New ids come after this one; read under the lock, so that ids go forward over all processes. */
  newestId: (db: Db) => Promise<Ulid | null>
  /** What others may have moved with every write, for the cache; read under the lock. */
  remember?: (db: Db) => Promise<ReadonlyMap<string, unknown>>
  log: EngineLog
  /** What an operator's command writes, everybody sees at once. */
  writes_for?: 'caller' | 'everybody'
  /** Milliseconds after which a change is ended. */
  timeout: number
  metrics: Pick<EngineMetrics, 'call' | 'commit' | 'held'>
  /** Called after each commit. */
  committed?: () => void
}

/** One try to write a batch. */
interface Attempt {
  /** By which it is looked up whether it was committed. */
  marker: string
  /** What was carried out, once its COMMIT has been sent. */
  sent: Outcome[] | null
}

type NextId = (now: number) => Ulid

/** The outcome of one call before its transaction has committed. */
type Outcome = { waiting: Waiting; reply: Reply } | { waiting: Waiting; error: unknown }

/**
 * Takes all calls that wait into one transaction, each in a savepoint of its own, and answers them after the COMMIT.
 * A lock in the database lets one process write at a time: operations then need no thought of races, and rows and ids
 * come in one order (decision 110).
 */
export class PostgresWriter {
  private readonly options: WriterOptions
  private waiting: Waiting[] = []
  private working: Promise<void> | undefined
  private underway: readonly Waiting[] = []
  private lastFault: Error | null = null
  private closed = false
  private batches = 0
  private readonly memory = new PostgresMemory()

  constructor(options: WriterOptions) {
    this.options = options
  }

  write(call: SqlCall, signal?: AbortSignal): Promise<Reply> {
    if (this.closed) return Promise.reject(shuttingDown())
    if (this.waiting.length >= MAX_WAITING) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      this.waiting.push({ call, since: performance.now(), signal, resolve, reject })
      this.working ??= this.work()
    })
  }

  /** Calls that wait or are under way. */
  get load(): number {
    return this.waiting.length + this.underway.length
  }

  /** What keeps it from writing, as far as its last call showed, or a call that does not end. */
  get fault(): Error | null {
    const [oldest] = this.underway.length ? this.underway : this.waiting
    if (oldest && performance.now() - oldest.since > STUCK_MS)
      return unavailable('A change has kept all others waiting for more than 10 s', {
        suggestion: 'Try again in a moment',
      })
    return this.lastFault
  }

  /** After what waits is done. */
  async close(): Promise<void> {
    this.closed = true
    await this.working
  }

  private async work(): Promise<void> {
    await Promise.resolve() // what comes in during this turn goes along
    while (this.waiting.length) {
      const calls = this.waiting.map(({ call }) => call)
      const batch = this.waiting.splice(0, callsTogether(calls, MAX_BATCH))
      this.underway = batch
      try {
        const outcomes = await this.commit(batch)
        this.lastFault = null
        for (const outcome of outcomes)
          if ('reply' in outcome) outcome.waiting.resolve(outcome.reply)
          else outcome.waiting.reject(outcome.error)
      } catch (error) {
        const fault = postgresFault(error) ?? error
        this.lastFault = fault as Error
        for (const { reject } of batch) reject(fault)
      }
    }
    this.underway = []
    this.working = undefined // in the same tick as the last look at what waits: nothing comes between
  }

  /** Once more where the connection was lost before the COMMIT was sent: then nothing has been changed. */
  private async commit(batch: readonly Waiting[]): Promise<Outcome[]> {
    for (let last = false; ; last = true) {
      const attempt: Attempt = { marker: randomUUID(), sent: null }
      try {
        const outcomes = await this.options.hosts.use((pool) => this.attempt(pool, batch, attempt))
        if (!attempt.sent) this.memory.forget()
        return outcomes.map(settled)
      } catch (error) {
        this.memory.forget()
        if (!isConnectionLoss(error)) throw error
        if (attempt.sent) {
          await lookUpCommit(this.options, attempt.marker, batch.length)
          return attempt.sent.map(settled)
        }
        if (last) throw error
      }
    }
  }

  private async attempt(pool: pg.Pool, batch: readonly Waiting[], attempt: Attempt): Promise<Outcome[]> {
    const client = await pool.connect()
    let fault: Error | undefined
    let held: number | undefined
    try {
      const { db, nextId } = await this.begin(client)
      held = performance.now()
      const outcomes = await this.carryOut(db, batch, nextId)
      const changed = outcomes.filter((outcome) => 'reply' in outcome && !outcome.reply.meta?.rolled_back)
      if (changed.length) {
        attempt.sent = outcomes
        // A COMMIT after a failure takes everything back, and the failure is what is told.
        const began = performance.now()
        await inOrder([...this.mark(client, attempt.marker, changed), commitWrite(client)])
        this.options.metrics.commit(batch.length, performance.now() - began)
        this.options.committed?.()
      } else await client.query('rollback')
      return outcomes
    } catch (error) {
      fault = error as Error
      throw error
    } finally {
      if (held !== undefined) this.options.metrics.held(performance.now() - held)
      client.release(fault) // with an error the connection is closed, which rolls back
    }
  }

  /** @throws where the change is to end */
  private throwIfEnded({ signal, since }: Waiting): void {
    if (signal?.aborted) throw abandoned()
    const { timeout } = this.options
    if (performance.now() - since > timeout) throw changeTookTooLong(timeout)
  }

  private async begin(client: pg.ClientBase): Promise<{ db: PostgresConnection; nextId: NextId }> {
    const { patterns, newestId, remember } = this.options
    const reading = new PostgresConnection(client, patterns)
    const [, { version }, newest, moved] = await Promise.all([
      beginWrite(client, this.options.timeout),
      readTransactionState(client),
      newestId(reading),
      remember?.(reading),
    ])
    const db = new PostgresConnection(client, patterns, this.memory.at(version))
    for (const [key, value] of moved ?? []) db.cache.set(key, value)
    return { db, nextId: ulidSource(newest) }
  }

  private async carryOut(
    db: PostgresConnection,
    batch: readonly Waiting[],
    nextId: NextId,
  ): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    const alone = batch.length === 1
    for (const [i, waiting] of batch.entries()) {
      const { call } = waiting
      db.throwIfEnded = () => this.throwIfEnded(waiting)
      const began = performance.now()
      if (!alone) db.send(`${i > 0 ? `release ${savepointOf(i - 1)}; ` : ''}savepoint ${savepointOf(i)}`)
      try {
        const reply = await this.options.run(db, call, () => nextId(call.now))
        if (!reply.meta?.rolled_back) await db.settled()
        else if (!alone) await db.rollback(savepointOf(i))
        outcomes.push({ waiting, reply })
      } catch (error) {
        if (isConnectionLoss(error)) throw error
        outcomes.push({ waiting, error })
        if (alone) break
        await db.rollback(savepointOf(i))
      } finally {
        this.options.metrics.call('write', began - waiting.since, performance.now() - began)
      }
    }
    return outcomes
  }

  /** What it sends goes before what is sent after it. */
  private mark(client: pg.ClientBase, marker: string, changed: readonly Outcome[]): Promise<unknown>[] {
    const marked = markWrite(client, marker, this.concerned(changed))
    if (++this.batches % SWEEP_EVERY !== 1) return [marked]
    return [marked, client.query(`delete from write_batch where at < now() - interval '${KEEP_BATCHES}'`)]
  }

  /** Whose reads go to no replica that does not have it. */
  private concerned(changed: readonly Outcome[]): string[] {
    if (this.options.writes_for === 'everybody') return [EVERYBODY]
    const users = new Set(changed.map(({ waiting }) => waiting.call.caller.user_id))
    return [...users].filter((user) => user !== null)
  }
}

/** A name of its own: where it could not be set, going back to it fails too, and takes back no other call. */
const savepointOf = (index: number) => `call_${index}`

const settled = (outcome: Outcome): Outcome =>
  'error' in outcome ? { ...outcome, error: postgresFault(outcome.error) ?? outcome.error } : outcome
