import type { Ulid } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { callsTogether } from '#src/engine/calls-together.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import { toFailure } from '#src/engine/failure.ts'
import { monotonic } from '#src/engine/monotonic.ts'
import type { Answer, FromWorker, Request, ToWorker, WorkerStart } from '#src/engine/sqlite-messages.ts'
import { type CarryOut, since, writeBatch } from '#src/engine/sqlite-batch.ts'
import { StopSign } from '#src/engine/stop-sign.ts'
import { WalKeeper } from '#src/engine/wal-keeper.ts'
import { yieldToOthers } from '#src/process/thread-priority.ts'
import { threadNumber } from '#src/process/thread-time.ts'
import type { Db } from '#src/sql/query.ts'
import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** The thread's end of the channel to the main thread. */
export interface WorkerPort {
  on(event: 'message', listener: (message: ToWorker) => void): unknown
  /** The memory of `moved` changes hands in place of being copied. */
  postMessage(message: FromWorker, moved?: ArrayBuffer[]): void
  /** What has arrived, without going round the event loop. */
  receive(): { message: ToWorker } | undefined
  close(): void
}

/** What the module of the thread brings along. */
export interface WorkerParts {
  run: SqlRunner
  connect(file: string, options: { readonly: boolean }): SqliteConnection
  /** New ids come after this one. */
  newestId(db: Db): Promise<Ulid | null>
}

/** Answers of quick reads wait this long for each other: a message costs as much as a read. */
const GATHER_MS = 1
/** Characters of an answer from which on it is encoded here, so that the main thread need not, and is not copied. */
const LONG = 16_384

/**
 * The loop of one worker thread. A writer takes all calls that wait into one transaction, and answers them after the
 * COMMIT: one fsync for many writes.
 */
export async function runSqliteWorker(
  port: WorkerPort,
  start: WorkerStart,
  parts: WorkerParts,
): Promise<void> {
  const db = parts.connect(start.file, { readonly: start.role === 'reader' })
  const sign = new StopSign(start.stop_sign)
  sign.thread = threadNumber()
  if (start.priority !== undefined) yieldToOthers(start.priority)
  db.look = sign.look
  if (start.role === 'reader') db.committed = new Map()
  const post = (message: FromWorker): void => port.postMessage(message)
  const runner = new Runner(db, sign, parts)
  const wal = new WalKeeper(db, start.file, (remark, details) => post({ remark, details }))
  let waiting: Request[] = []
  let busy = false
  let closing = false

  async function write(): Promise<void> {
    const calls = waiting.map(([, call]) => call)
    if (calls[0]!.alone) wal.beforeLarge()
    post(await writeBatch(db, waiting.splice(0, callsTogether(calls, start.max_batch)), runner))
    wal.afterCommit()
  }

  async function read(): Promise<void> {
    const answers: Answer[] = []
    const until = performance.now() + GATHER_MS
    do {
      answers.push(await readOne(db, waiting.shift()!, runner.carryOut))
      if (!waiting.length) drain()
    } while (waiting.length && performance.now() < until)
    port.postMessage(answers, bytesOf(answers))
  }

  async function work(): Promise<void> {
    if (busy) return
    busy = true
    while (waiting.length) {
      await (start.role === 'writer' ? write() : read())
      drain()
      if (!waiting.length) {
        wal.whenIdle()
        drain()
      }
    }
    busy = false
    if (closing) {
      db.close()
      port.close()
    }
  }

  /** Takes what has arrived meanwhile, without going round the event loop. */
  function drain(): void {
    for (let next = port.receive(); next; next = port.receive()) take(next.message)
  }
  function take(message: ToWorker): void {
    if (message === 'close') closing = true // after what waits
    else if (Array.isArray(message)) waiting.push(...message)
    else waiting = waiting.filter(([seq]) => !message.drop.includes(seq))
  }
  port.on('message', (message: ToWorker) => {
    take(message)
    drain()
    void work()
  })
  post('ready')
}

class Runner {
  private readonly db: SqliteConnection
  private readonly sign: StopSign
  private readonly parts: WorkerParts
  private nextId = ulidSource()

  constructor(db: SqliteConnection, sign: StopSign, parts: WorkerParts) {
    this.db = db
    this.sign = sign
    this.parts = parts
  }

  readonly carryOut: CarryOut = async ([seq, call]) => {
    const { sign, nextId } = this
    sign.begin(seq)
    const began = monotonic()
    try {
      const { json, meta } = await this.parts.run(this.db, call, () => nextId(call.now))
      return [seq, true, json, meta, since(began)]
    } finally {
      sign.end()
    }
  }

  /** Where another program has written (an operator's command), new ids come after its own; so too at the start. */
  readonly goOnAfterOthers = async (): Promise<void> => {
    this.nextId = ulidSource(await this.parts.newestId(this.db))
  }
}

async function readOne(db: SqliteConnection, request: Request, carryOut: CarryOut): Promise<Answer> {
  const began = monotonic()
  try {
    db.exec('BEGIN') // one snapshot for all that the call reads
    db.refresh()
    return encoded(await carryOut(request))
  } catch (error) {
    return [request[0], false, toFailure(error), since(began)]
  } finally {
    // Not COMMIT: where the file is damaged that would fail once more.
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}

const encoder = new TextEncoder()

function encoded(answer: Answer): Answer {
  if (!answer[1] || typeof answer[2] !== 'string' || answer[2].length < LONG) return answer
  const [seq, ok, json, meta, times] = answer
  return [seq, ok, encoder.encode(json), meta, times]
}

const bytesOf = (answers: readonly Answer[]): ArrayBuffer[] =>
  answers.flatMap(([, ok, json]) => (ok && typeof json !== 'string' ? [json.buffer as ArrayBuffer] : []))
