import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { ServiceError, unavailable, type ErrorCode, type ErrorDetails } from '#src/domain/errors.ts'
import type { Notes } from '#src/domain/reply.ts'
import { ulidSource } from '#src/domain/ulid.ts'
import type { SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { SqliteConnection } from '#src/sql/sqlite.ts'

/** What a worker thread is started with. */
export interface WorkerStart {
  file: string
  role: 'writer' | 'reader'
  /** Calls in one transaction at the most. */
  max_batch: number
  newest_id: string | null
}

/** Calls travel in batches: what came in while the port was busy goes as one message. */
export type Request = [seq: number, call: SqlCall]
export type Answer =
  | [seq: number, ok: true, json: string, notes: Notes | undefined]
  | [seq: number, ok: false, failure: Failure]

/** An error as plain data; `code` null: not a ServiceError, its text is for the log only. */
export interface Failure {
  code: ErrorCode | null
  message: string
  suggestion?: string | undefined
  details?: ErrorDetails | undefined
  stack?: string | undefined
}

export function toFailure(error: unknown): Failure {
  if (error instanceof ServiceError)
    return { code: error.code, message: error.message, suggestion: error.suggestion, details: error.details }
  if (isFull(error))
    return toFailure(
      unavailable('The disk is full: nothing was changed', { suggestion: 'Free space and try again' }),
    )
  if (error instanceof Error) return { code: null, message: error.message, stack: error.stack }
  return { code: null, message: String(error) }
}

const isFull = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL'

/**
 * The loop of one worker thread. A writer takes all calls that wait into one transaction, each in a SAVEPOINT of
 * its own, and answers them after the COMMIT: one fsync for many writes.
 */
export function runSqliteWorker(port: MessagePort, start: WorkerStart, run: SqlRunner): void {
  const db = new SqliteConnection(start.file, { readonly: start.role === 'reader' })
  const nextId = ulidSource(start.newest_id)
  const waiting: Request[] = []
  let busy = false
  let closing = false

  const carryOut = async ([seq, call]: Request): Promise<Answer> => {
    const { json, notes } = await run(db, call, () => nextId(call.now))
    return [seq, true, json, notes]
  }

  async function readBatch(requests: Request[]): Promise<Answer[]> {
    const answers: Answer[] = []
    for (const request of requests) {
      try {
        db.exec('BEGIN') // one snapshot for all that the call reads
        db.refresh()
        answers.push(await carryOut(request))
      } catch (error) {
        answers.push([request[0], false, toFailure(error)])
      } finally {
        if (db.inTransaction) db.exec('COMMIT')
      }
    }
    return answers
  }

  async function writeBatch(requests: Request[]): Promise<Answer[]> {
    const answers: Answer[] = []
    try {
      db.exec('BEGIN IMMEDIATE')
      db.refresh()
      for (const request of requests) {
        db.exec('SAVEPOINT call')
        try {
          answers.push(await carryOut(request))
        } catch (error) {
          if (!db.inTransaction) throw error // SQLite itself rolled all back: disk full, I/O error, corruption
          db.rollback('call')
          answers.push([request[0], false, toFailure(error)])
        }
        db.exec('RELEASE call')
      }
      db.exec('COMMIT')
    } catch (error) {
      if (db.inTransaction) db.rollback()
      return requests.map(([seq]) => [seq, false, toFailure(error)])
    }
    return answers
  }

  async function work(): Promise<void> {
    if (busy) return
    busy = true
    while (waiting.length) {
      const requests = waiting.splice(0, start.role === 'writer' ? start.max_batch : 1)
      port.postMessage(start.role === 'writer' ? await writeBatch(requests) : await readBatch(requests))
      drain()
    }
    busy = false
    if (closing) {
      db.close()
      port.close()
    }
  }

  /** Takes what has arrived meanwhile, without going round the event loop. */
  function drain(): void {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message)
  }
  function take(message: Request[] | 'close'): void {
    if (message === 'close') closing = true // after what waits
    else waiting.push(...message)
  }
  port.on('message', (message: Request[] | 'close') => {
    take(message)
    drain()
    void work()
  })
  port.postMessage('ready')
}
