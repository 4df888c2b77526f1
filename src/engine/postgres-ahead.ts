import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { noIds } from '#src/engine/transaction.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import { watchForWaiting } from '#src/engine/postgres-watch.ts'
import { type Asked, type Outcome, throwIfEnded } from '#src/engine/postgres-call.ts'
import { beginTransaction, WRITE_LOCK } from '#src/engine/postgres-write.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import type { Reply } from '#src/domain/reply.ts'
import { cancelQuery } from '#src/sql/cancel-query.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { isConnectionLoss } from '#src/sql/postgres-fault.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import type { PatternMatcher, WrittenAhead } from '#src/sql/query.ts'

/** One change at a time over all processes writes ahead: two of them would be in each other's way for long. */
const AHEAD_LOCK = '112568789365880'

/** It asks so often whether it is the one, and takes its turn for all of it after that long. */
const ASK_MS = 100
const OTHERS_MS = 30_000

interface AheadOptions {
  hosts: PostgresHosts
  patterns: PatternMatcher
  run: SqlRunner
  /** Milliseconds that one statement may take. */
  timeout: number
}

/** One that has written ahead is in nobody's way: as soon as who holds the writer waits for it, it is to give up. */
export class Ahead {
  readonly written: WrittenAhead = { parts: new Set() }
  /** What the call is answered without its turn. */
  reply: Reply | undefined
  private readonly options: AheadOptions
  private readonly watching = new AbortController()
  private stepsBack = false
  /** From then on what fails is what the call comes to. */
  hasTurn = false

  constructor(options: AheadOptions) {
    this.options = options
  }

  /**
   * Begins a transaction, and writes in it what can be written before the turn of the call. False where the call is not
   * to have its turn yet: `reply` says why.
   */
  async write(client: pg.ClientBase, asked: Asked): Promise<boolean> {
    const { hosts, patterns, run, timeout } = this.options
    await beginTransaction(client, timeout)
    await this.waitForOthers(client, asked)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const watched = { pid: rows[0]!.pid, lock: WRITE_LOCK }
    void watchForWaiting(hosts, watched, this.watching.signal, () => {
      this.stepsBack = true
      cancelQuery(client)
    })
    const db = new PostgresConnection(client, patterns, {
      ahead: this.written,
      throwIfEnded: () => {
        throwIfEnded(asked, timeout)
        this.throwIfStepsBack()
      },
    })
    const reply = await run(db, { ...asked.call, ahead: 'now' }, noIds)
    await db.settled()
    // Before it waits for its turn: who waits for it may be the one that has the writer.
    this.throwIfStepsBack()
    if (!rollbackReason(reply)) return true
    this.reply = reply
    this.close() // what would be cancelled from now on is the next one's on this connection
    return false
  }

  /** Once it is its turn, others wait for all of it. @throws where somebody has waited before */
  beginTurn(): void {
    this.close()
    this.throwIfStepsBack()
    this.hasTurn = true
  }

  /** One by one over all processes, without a statement that nobody could end. @throws where others take too long */
  private async waitForOthers(client: pg.ClientBase, asked: Asked): Promise<void> {
    for (const began = performance.now(); ;) {
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_xact_lock(${AHEAD_LOCK}) as taken`,
      )
      if (rows[0]!.taken) return
      throwIfEnded(asked, this.options.timeout)
      if (performance.now() - began > OTHERS_MS) throw new Error('other large changes take too long')
      await sleep(ASK_MS)
    }
  }

  /** Whether the call has left over what was written for it: then nothing of it is committed. */
  isLeft([outcome]: readonly Outcome<Asked>[]): boolean {
    if (!this.written.parts.size) return false
    const reason = outcome && 'reply' in outcome ? rollbackReason(outcome.reply) : undefined
    return reason === undefined || reason === 'overtaken'
  }

  /** Whether it is to be begun again after this error. */
  isInTheWay(error: unknown): boolean {
    return this.stepsBack || isCollision(error)
  }

  /** Ends the watch. */
  close(): void {
    this.watching.abort()
  }

  private throwIfStepsBack(): void {
    if (this.stepsBack) throw new Error('somebody waits for what was written ahead')
  }
}

/** Class 40: of two transactions that wait for each other the server ends one. */
export const isCollision = (error: unknown): boolean =>
  !isConnectionLoss(error) && Boolean((error as { code?: unknown }).code?.toString().startsWith('40'))

/** One try to write a batch. */
export interface Attempt<Call extends Asked> {
  /** By which it is looked up whether it was committed. */
  marker: string
  /** What was carried out, once its COMMIT has been sent. */
  sent: Outcome<Call>[] | null
  /** Of a change that writes ahead. */
  ahead?: Ahead
}
