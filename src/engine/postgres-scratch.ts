import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import type { CallEnd } from '#src/engine/call-end.ts'
import type { SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { isCollision } from '#src/engine/postgres-ahead.ts'
import { watchForWaiting } from '#src/engine/postgres-watch.ts'
import { cancelQuery } from '#src/sql/cancel-query.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { isConnectionLoss } from '#src/sql/postgres-fault.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import type { Db, PatternMatcher } from '#src/sql/query.ts'

/** One that others have waited for begins again after about PAUSE_MS, for RETRY_MS in all. */
const PAUSE_MS = 100
const RETRY_MS = 10_000

interface ScratchOptions {
  /** Looks whether somebody waits; no other call keeps it from that. */
  watchHosts: PostgresHosts
  run: SqlRunner
  newestId: (db: Db) => Promise<Ulid | null>
  patterns: PatternMatcher
  /** Milliseconds that one statement may take. */
  timeout: number
}

/** One try. */
interface Attempt {
  /** Somebody has waited for what it has changed. */
  yields: boolean
}

const overtaken = () =>
  unavailable('Others keep changing what this would change: it could not be tried out', {
    suggestion: 'Try again when less is written, or try a part of it',
  })

/**
 * Carries a call out in a transaction of its own that is taken back, beside the one that writes (decision 48). What it
 * changes is locked meanwhile; as soon as somebody waits for that, it gives everything back and begins again.
 */
export async function runOnScratch(
  pool: pg.Pool,
  call: SqlCall,
  end: CallEnd,
  options: ScratchOptions,
): Promise<Reply> {
  const began = performance.now()
  for (;;) {
    const attempt: Attempt = { yields: false }
    try {
      return await tryOut(pool, call, end, options, attempt)
    } catch (error) {
      end.throwIfEnded()
      if (!attempt.yields && !isCollision(error)) throw error
    }
    if (performance.now() - began > RETRY_MS) throw overtaken()
    await sleep(PAUSE_MS * (0.5 + Math.random()))
  }
}

async function tryOut(
  pool: pg.Pool,
  call: SqlCall,
  end: CallEnd,
  options: ScratchOptions,
  attempt: Attempt,
): Promise<Reply> {
  const client = await pool.connect()
  const watching = new AbortController()
  let fault: Error | undefined
  try {
    return await end.during(
      () => cancelQuery(client),
      async () => {
        const pid = await begin(client, options.timeout)
        void watchForWaiting(options.watchHosts, { pid }, watching.signal, () => {
          attempt.yields = true
          cancelQuery(client)
        })
        return carryOut(client, call, end, options)
      },
    )
  } catch (error) {
    fault = error as Error
    throw error
  } finally {
    watching.abort()
    await leave(client, fault, Boolean(end.fault) || attempt.yields)
  }
}

/** The number of the server's process, by which those are known who wait for it. */
async function begin(client: pg.ClientBase, timeout: number): Promise<number> {
  // Apart from the isolation as `beginWrite`: it looks rows up by key.
  await client.query(
    `begin isolation level repeatable read; set local enable_seqscan = off; set local jit = off; set local statement_timeout = ${timeout}`,
  )
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

async function carryOut(
  client: pg.ClientBase,
  call: SqlCall,
  end: CallEnd,
  { run, newestId, patterns }: ScratchOptions,
): Promise<Reply> {
  const db = new PostgresConnection(client, patterns, { throwIfEnded: end.throwIfEnded })
  const source = ulidSource(await newestId(db))
  const reply = await run(db, call, () => source(call.now))
  await db.settled()
  return reply
}

/** A connection that was cancelled may be met by that later: it is not used again. */
async function leave(client: pg.PoolClient, fault: Error | undefined, cancelled: boolean): Promise<void> {
  if (fault && (cancelled || isConnectionLoss(fault))) return client.release(fault)
  await client.query('rollback').then(
    () => client.release(cancelled),
    (error: Error) => client.release(error),
  )
}
