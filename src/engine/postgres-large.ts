import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Reply } from '#src/domain/reply.ts'
import { lookUpCommit } from '#src/engine/look-up-commit.ts'
import { Ahead, type Attempt } from '#src/engine/postgres-ahead.ts'
import {
  type Asked,
  type Outcome,
  replyOf,
  settled,
  throwIfEnded,
  type WriterOptions,
} from '#src/engine/postgres-call.ts'
import { isConnectionLoss } from '#src/sql/postgres-fault.ts'

/** One that had to step back begins again after about PAUSE_MS, for RETRY_MS in all; then it takes its turn. */
const PAUSE_MS = 100
const RETRY_MS = 10_000

type Try = (pool: pg.Pool, asked: Asked, attempt: Attempt<Asked>) => Promise<Outcome<Asked>[]>

/** Large changes, one after the other: their rows are written before their turn with the writer (decision 110). */
export class LargeWrites {
  private readonly options: WriterOptions
  private readonly attempt: Try
  private last: Promise<unknown> = Promise.resolve()
  /** Those that write ahead, or wait for that. */
  load = 0

  /** `attempt` carries out the call in one transaction, which its `ahead` begins. */
  constructor(options: WriterOptions, attempt: Try) {
    this.options = options
    this.attempt = attempt
  }

  /** The reply after the COMMIT; undefined where nothing was changed, and the call has to take its turn for all of it. */
  async write(asked: Asked): Promise<Reply | undefined> {
    this.load++
    const written = this.last.then(() => this.untilDone(asked))
    this.last = written.catch(() => {})
    try {
      return await written
    } finally {
      this.load--
    }
  }

  /** After all of them. */
  async settled(): Promise<void> {
    while (this.load) await this.last
  }

  private async untilDone(asked: Asked): Promise<Reply | undefined> {
    for (const began = performance.now(); ;) {
      throwIfEnded(asked, this.options.timeout)
      const ahead = new Ahead(this.options)
      try {
        return await this.once(asked, ahead)
      } catch (error) {
        throwIfEnded(asked, this.options.timeout)
        if (!ahead.isInTheWay(error)) {
          if (ahead.hasTurn) throw error
          return undefined // what is wrong with it is found out in its turn
        }
      } finally {
        ahead.close()
      }
      if (performance.now() - began > RETRY_MS) return undefined
      await sleep(PAUSE_MS * (0.5 + Math.random()))
    }
  }

  private async once(asked: Asked, ahead: Ahead): Promise<Reply | undefined> {
    const attempt: Attempt<Asked> = { marker: randomUUID(), sent: null, ahead }
    let outcomes: Outcome<Asked>[] | null
    try {
      outcomes = await this.options.hosts.use((pool) => this.attempt(pool, asked, attempt))
    } catch (error) {
      if (!isConnectionLoss(error) || ahead.isInTheWay(error)) throw error
      if (!attempt.sent) return undefined
      await lookUpCommit(this.options, attempt.marker, 1)
      outcomes = attempt.sent
    }
    const [outcome] = outcomes
    return ahead.reply ?? (outcome && replyOf(settled(outcome)))
  }
}
