import { TOGETHER_MS } from '#src/engine/decide-writes.ts'
import { toFailure } from '#src/engine/failure.ts'
import { computedAbout, computedHere, monotonic } from '#src/process/thread-time.ts'
import type { Answer, Committed, Request, Times } from '#src/engine/sqlite-messages.ts'
import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** Carries out one call. */
export type CarryOut = (request: Request) => Promise<Answer>

interface BatchRunner {
  readonly carryOut: CarryOut
  /** Called where another program has written since the last batch. */
  readonly goOnAfterOthers: () => Promise<void>
}

/** Milliseconds: a call that took no longer counts as if it had computed all the while. */
const SHORT_MS = 1

/** When a call began, and what its thread had computed then. */
export function begun(): { at: number; computed: number } {
  const at = monotonic()
  return { at, computed: computedAbout(at) }
}
export function since({ at, computed }: ReturnType<typeof begun>): Times {
  const took = monotonic() - at
  if (took <= SHORT_MS) return [at, took, took]
  return [at, took, Math.max(0, Math.min(computedHere() - computed, took))]
}

/** Nothing of it stays, though it did not fail. */
const isRolledBack = ([, ok, , meta]: Answer): boolean => ok && meta?.rolled_back !== undefined

/** One transaction, whose failures are their calls' own where they do not end it. */
export async function writeBatch(
  db: SqliteConnection,
  requests: readonly Request[],
  runner: BatchRunner,
): Promise<Committed> {
  const isLarge = requests[0]?.[1].alone === true
  if (isLarge) db.keepPages('of a large change')
  const held = monotonic()
  try {
    await begin(db, runner)
    let answers = await runTogether(db, requests, runner)
    if (!answers) {
      db.rollback()
      await begin(db, runner)
      answers = await runApart(db, requests, runner)
    }
    if (answers.every(isRolledBack)) {
      db.rollback()
      db.cache.clear()
      return { answers, held: monotonic() - held, commit: undefined }
    }
    const began = monotonic()
    db.exec('COMMIT')
    return { answers, held: monotonic() - held, commit: monotonic() - began }
  } catch (error) {
    if (db.inTransaction) db.rollback()
    db.cache.clear()
    const failure = toFailure(error)
    return {
      answers: requests.map(([seq]) => [seq, false, failure]),
      held: monotonic() - held,
      commit: undefined,
    }
  } finally {
    if (isLarge) db.keepPages('usually')
  }
}

async function begin(db: SqliteConnection, { goOnAfterOthers }: BatchRunner): Promise<void> {
  db.exec('BEGIN IMMEDIATE')
  db.beginRoom()
  if (db.refresh()) await goOnAfterOthers()
}

/**
 * Without savepoints: the text index would write a part of its own for each call, and merge them all later. Undefined
 * where a call among others is to be taken back in the middle of its changes, which is rare: they are to run again, apart.
 */
async function runTogether(
  db: SqliteConnection,
  requests: readonly Request[],
  { carryOut }: BatchRunner,
): Promise<Answer[] | undefined> {
  const answers: Answer[] = []
  const until = performance.now() + TOGETHER_MS
  for (const request of requests) {
    if (answers.length && performance.now() > until) break // what is left is for the next transaction
    const changes = db.changes
    const began = begun()
    try {
      const answer = await carryOut(request)
      if (isRolledBack(answer) && requests.length > 1) {
        if (db.changes !== changes) return undefined
        db.cache.clear()
      }
      answers.push(answer)
    } catch (error) {
      // SQLite itself rolled all back where there is no transaction: disk full, I/O error, corruption.
      if (requests.length === 1 || !db.inTransaction) throw error
      if (db.changes !== changes) return undefined
      db.cache.clear() // of what it was about to change
      answers.push([request[0], false, toFailure(error), since(began)])
    }
  }
  return answers
}

/** Each in a savepoint of its own: one that fails takes back what it has changed. */
async function runApart(
  db: SqliteConnection,
  requests: readonly Request[],
  { carryOut }: BatchRunner,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const request of requests) {
    db.exec('SAVEPOINT call')
    const began = begun()
    try {
      const answer = await carryOut(request)
      if (isRolledBack(answer)) db.rollback('call')
      answers.push(answer)
    } catch (error) {
      if (!db.inTransaction) throw error
      db.rollback('call')
      answers.push([request[0], false, toFailure(error), since(began)])
    }
    db.exec('RELEASE call')
  }
  return answers
}
