import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { accountOf, AccountTimes } from '#src/engine/account-times.ts'
import { nextWrites } from '#src/engine/decide-writes.ts'
import { overloaded, shuttingDown } from '#src/engine/ended.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import { type Ahead, type Attempt, isCollision } from '#src/engine/postgres-ahead.ts'
import { LargeWrites } from '#src/engine/postgres-large.ts'
import { PostgresMemory, readTransactionState } from '#src/engine/postgres-memory.ts'
import { lookUpCommit } from '#src/engine/look-up-commit.ts'
import {
  type Asked,
  type Outcome,
  settled,
  throwIfEnded,
  type WriterOptions,
} from '#src/engine/postgres-call.ts'
import {
  beginWrite,
  commitWrite,
  EVERYBODY,
  inOrder,
  markWrite,
  takeTurn,
} from '#src/engine/postgres-write.ts'
import { isConnectionLoss, postgresFault } from '#src/sql/postgres-fault.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'

/** Calls in one transaction at the most. */
const MAX_BATCH = 64
/** A writer whose oldest call is older than this keeps others waiting for too long. */
const STUCK_MS = 10_000
/** Calls that wait; more are turned away. */
const MAX_WAITING = 10_000
/** Rows of `write_batch` are needed only while a COMMIT may still be looked up. */
const KEEP_BATCHES = '1 hour'
const SWEEP_EVERY = 10_000

interface Waiting extends Asked {
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
}

type NextId = (now: number) => Ulid

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
  private readonly large: LargeWrites
  private readonly times = new AccountTimes('changes')

  constructor(options: WriterOptions) {
    this.options = options
    this.large = new LargeWrites(options, (pool, asked, attempt) => this.attempt(pool, [asked], attempt))
  }

  write(call: SqlCall, signal?: AbortSignal): Promise<Reply> {
    if (this.closed) return Promise.reject(shuttingDown())
    if (this.waiting.length >= MAX_WAITING) return Promise.reject(overloaded())
    const since = performance.now()
    return call.ahead ? this.writeLarge({ call, since, signal }) : this.takeTurn({ call, since, signal })
  }

  private takeTurn(asked: Asked): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...asked, resolve, reject })
      this.working ??= this.work()
    })
  }

  private async writeLarge(asked: Asked): Promise<Reply> {
    const written = await this.large.write(asked).catch((error: unknown) => {
      throw postgresFault(error) ?? error
    })
    return written ?? this.takeTurn(asked)
  }

  /** Calls that wait or are under way. */
  get load(): number {
    return this.waiting.length + this.underway.length + this.large.load
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
    await this.large.settled()
    await new Promise((resume) => setImmediate(resume)) // the last of them may take its turn after that
    await this.working
  }

  private async work(): Promise<void> {
    await Promise.resolve() // what comes in during this turn goes along
    while (this.waiting.length) {
      const batch = this.takeNext()
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

  /** As many as share a transaction: those of accounts that have used least, as on SQLite. */
  private takeNext(): readonly Waiting[] {
    const bounds = { most: MAX_BATCH, now: performance.now(), aloneAtOnce: true }
    const next = nextWrites(this.waiting, ({ call }) => call, this.times, bounds)
    const taken = new Set(next)
    this.waiting = this.waiting.filter((each) => !taken.has(each))
    return next
  }

  /** Once more where the connection was lost before the COMMIT was sent: then nothing has been changed. */
  private async commit(batch: readonly Waiting[]): Promise<Outcome<Waiting>[]> {
    for (let last = false; ; last = true) {
      const attempt: Attempt<Waiting> = { marker: randomUUID(), sent: null }
      try {
        const outcomes = await this.options.hosts.use((pool) => this.attempt(pool, batch, attempt))
        if (!attempt.sent) this.memory.forget()
        return outcomes.map(settled)
      } catch (error) {
        this.memory.forget()
        if (!isConnectionLoss(error) && (last || !isCollision(error))) throw error
        if (attempt.sent) {
          await lookUpCommit(this.options, attempt.marker, batch.length)
          return attempt.sent.map(settled)
        }
        if (last) throw error
      }
    }
  }

  private async attempt<Call extends Asked>(
    pool: pg.Pool,
    batch: readonly Call[],
    attempt: Attempt<Call>,
  ): Promise<Outcome<Call>[]> {
    const client = await pool.connect()
    const { ahead } = attempt
    let fault: Error | undefined
    let held: number | undefined
    try {
      if (ahead && !(await ahead.write(client, batch[0]!))) {
        await client.query('rollback')
        return []
      }
      const { db, nextId } = await this.begin(client, ahead)
      held = performance.now()
      const outcomes = await this.carryOut(db, batch, nextId)
      if (ahead?.isLeft(outcomes)) {
        await client.query('rollback')
        return []
      }
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

  private async begin(
    client: pg.ClientBase,
    ahead: Ahead | undefined,
  ): Promise<{ db: PostgresConnection; nextId: NextId }> {
    const { patterns, newestId, remember } = this.options
    const reading = new PostgresConnection(client, patterns)
    const [, { version }, newest, moved] = await Promise.all([
      ahead ? takeTurn(client) : beginWrite(client, this.options.timeout),
      readTransactionState(client),
      newestId(reading),
      remember?.(reading),
    ])
    ahead?.beginTurn()
    // What another transaction of this writer remembers may be what it has not committed yet; and the version that
    // one sees which has written ahead may never come to be.
    const memory = ahead ? { hints: this.memory.hints } : this.memory.at(version)
    const db = new PostgresConnection(client, patterns, { ...memory, ahead: ahead?.written })
    for (const [key, value] of moved ?? []) db.cache.set(key, value)
    return { db, nextId: ulidSource(newest) }
  }

  private async carryOut<Call extends Asked>(
    db: PostgresConnection,
    batch: readonly Call[],
    nextId: NextId,
  ): Promise<Outcome<Call>[]> {
    const outcomes: Outcome<Call>[] = []
    const alone = batch.length === 1
    for (const [i, waiting] of batch.entries()) {
      const { call } = waiting
      db.throwIfEnded = () => throwIfEnded(waiting, this.options.timeout)
      const began = performance.now()
      if (!alone) db.send(`${i > 0 ? `release ${savepointOf(i - 1)}; ` : ''}savepoint ${savepointOf(i)}`)
      try {
        const reply = await this.options.run(db, call, () => nextId(call.now))
        if (!reply.meta?.rolled_back) await db.settled()
        else if (!alone) await db.rollback(savepointOf(i))
        outcomes.push({ waiting, reply })
      } catch (error) {
        // Where two have waited for each other, the server has taken back all of this one.
        if (isConnectionLoss(error) || isCollision(error)) throw error
        outcomes.push({ waiting, error })
        if (alone) break
        await db.rollback(savepointOf(i))
      } finally {
        const took = performance.now() - began
        this.options.metrics.call('write', began - waiting.since, took)
        this.times.ran(accountOf(call), took)
      }
    }
    return outcomes
  }

  /** What it sends goes before what is sent after it. */
  private mark(
    client: pg.ClientBase,
    marker: string,
    changed: readonly Outcome<Asked>[],
  ): Promise<unknown>[] {
    const marked = markWrite(client, marker, this.concerned(changed))
    if (++this.batches % SWEEP_EVERY !== 1) return [marked]
    return [marked, client.query(`delete from write_batch where at < now() - interval '${KEEP_BATCHES}'`)]
  }

  /** Whose reads go to no replica that does not have it. */
  private concerned(changed: readonly Outcome<Asked>[]): string[] {
    if (this.options.writes_for === 'everybody') return [EVERYBODY]
    const users = changed.flatMap((outcome) => [
      outcome.waiting.call.caller.user_id,
      ...('reply' in outcome ? (outcome.reply.meta?.concerns ?? []) : []),
    ])
    return [...new Set(users)].filter((user) => user !== null)
  }
}

/** A name of its own: where it could not be set, going back to it fails too, and takes back no other call. */
const savepointOf = (index: number) => `call_${index}`
