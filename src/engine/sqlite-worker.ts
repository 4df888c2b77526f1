import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { accountOf, AccountTimes } from '#src/engine/account-times.ts'
import { nextWrites } from '#src/engine/decide-writes.ts'
import type { SqlCall, SqlRunner } from '#src/engine/engine.ts'
import {
  type Answer,
  bytesOf,
  encoded,
  type FromWorker,
  type Request,
  type ToWorker,
  type WorkerStart,
} from '#src/engine/sqlite-messages.ts'
import { toFailure } from '#src/engine/failure.ts'
import { begun, type CarryOut, since, writeBatch } from '#src/engine/sqlite-batch.ts'
import { Resting } from '#src/engine/resting.ts'
import { StopSign } from '#src/engine/stop-sign.ts'
import { WalKeeper } from '#src/engine/wal-keeper.ts'
import { collectGarbage } from '#src/process/free-memory.ts'
import { yieldToOthers } from '#src/process/thread-priority.ts'
import { threadNumber } from '#src/process/thread-time.ts'
import type { Db } from '#src/sql/query.ts'
import type { OpenFile } from '#src/sql/copy-database.ts'
import { onScratchCopy } from '#src/sql/scratch-copy.ts'
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
const GATHER_MS = 0.4

/**
 * The loop of one worker thread. A writer takes all calls that wait into one transaction, and answers them after the
 * COMMIT: one fsync for many writes.
 */
export function runSqliteWorker(port: WorkerPort, start: WorkerStart, parts: WorkerParts): void {
  const db = parts.connect(start.file, { readonly: start.role === 'reader' })
  const sign = new StopSign(start.stop_sign)
  sign.thread = threadNumber()
  if (start.priority !== undefined) {
    yieldToOthers(start.priority)
    db.keepPages('of long reads')
  }
  db.throwIfEnded = sign.throwIfEnded
  if (start.role === 'reader') db.committed = new Map()
  const runner = new Runner(db, sign, { ...parts, base: start })
  const wal = new WalKeeper(db, start.file, (remark, details) => port.postMessage({ remark, details }))
  const times = new AccountTimes('changes')
  async function carryOutSome(waiting: Request[], drain: () => void): Promise<void> {
    if (start.role === 'reader') return readSome(port, db, runner.carryOut, waiting, drain)
    const next = nextWrites(waiting, ([, call]) => call, times, {
      most: start.max_batch,
      now: performance.now(),
    })
    takeOut(waiting, next)
    if (next[0]![1].alone) wal.beforeLarge()
    const committed = await writeBatch(db, next, runner)
    for (const [i, [, ok, , fourth, fifth]] of committed.answers.entries())
      times.ran(accountOf(next[i]![1]), (ok ? fifth : fourth)?.[2] ?? 0)
    waiting.unshift(...next.slice(committed.answers.length)) // there was no more time for them
    port.postMessage(committed)
    wal.afterCommit()
  }
  const loop = new WorkerLoop(port, db, { carryOutSome, whenIdle: () => wal.whenIdle() })
  port.on('message', loop.take)
  port.postMessage('ready')
}

/** The list stays the same one. */
function takeOut(waiting: Request[], taken: readonly Request[]): void {
  const rest = new Set(taken)
  waiting.splice(0, waiting.length, ...waiting.filter((each) => !rest.has(each)))
}

interface LoopWork {
  /** Carries out some of what waits, and answers it; `drain` brings what has arrived meanwhile. */
  carryOutSome(waiting: Request[], drain: () => void): Promise<void>
  /** When nothing waits any more. */
  whenIdle(): void
}

class WorkerLoop {
  private readonly port: WorkerPort
  private readonly db: SqliteConnection
  private readonly loopWork: LoopWork
  private readonly resting: Resting
  /** Always the same list. */
  private readonly waiting: Request[] = []
  private busy = false
  private closing = false

  constructor(port: WorkerPort, db: SqliteConnection, loopWork: LoopWork) {
    this.port = port
    this.db = db
    this.loopWork = loopWork
    this.resting = new Resting(() => {
      db.letGo()
      collectGarbage('last-resort')
    })
  }

  readonly take = (message: ToWorker): void => {
    this.note(message)
    this.drain()
    void this.work()
  }

  private note(message: ToWorker): void {
    const { waiting } = this
    if (message === 'close') this.closing = true // after what waits
    else if (Array.isArray(message)) waiting.push(...message)
    else waiting.splice(0, waiting.length, ...waiting.filter(([seq]) => !message.drop.includes(seq)))
  }

  /** Takes what has arrived meanwhile, without going round the event loop. */
  private readonly drain = (): void => {
    for (let next = this.port.receive(); next; next = this.port.receive()) this.note(next.message)
  }

  private async work(): Promise<void> {
    if (this.busy) return
    this.busy = true
    while (this.waiting.length) {
      await this.loopWork.carryOutSome(this.waiting, this.drain)
      this.drain()
    }
    this.loopWork.whenIdle()
    this.resting.used()
    this.busy = false
    if (!this.closing) return
    this.resting.close()
    this.db.close()
    this.port.close()
  }
}

async function readSome(
  port: WorkerPort,
  db: SqliteConnection,
  carryOut: CarryOut,
  waiting: Request[],
  drain: () => void,
): Promise<void> {
  const answers: Answer[] = []
  const until = performance.now() + GATHER_MS
  do {
    answers.push(await readOne(db, waiting.shift()!, carryOut))
    if (!waiting.length) drain()
  } while (waiting.length && performance.now() < until)
  port.postMessage(answers, bytesOf(answers))
}

class Runner {
  private readonly db: SqliteConnection
  private readonly sign: StopSign
  private readonly parts: WorkerParts & { base: OpenFile }
  private nextId = ulidSource()

  constructor(db: SqliteConnection, sign: StopSign, parts: WorkerParts & { base: OpenFile }) {
    this.db = db
    this.sign = sign
    this.parts = parts
  }

  readonly carryOut: CarryOut = async ([seq, call]) => {
    const { sign, nextId } = this
    sign.begin(seq)
    const began = begun()
    try {
      const { body, meta } = call.scratch
        ? await this.onScratch(call)
        : await this.parts.run(this.db, call, () => nextId(call.now))
      return [seq, true, body, meta, since(began)]
    } finally {
      sign.end()
    }
  }

  private onScratch(call: SqlCall): Promise<Reply> {
    const { run, connect, newestId, base } = this.parts
    const connectTo = (copy: string) => connect(copy, { readonly: false })
    return onScratchCopy(this.db, base, connectTo, async (scratch) => {
      const nextId = ulidSource(await newestId(scratch))
      return run(scratch, call, () => nextId(call.now))
    })
  }

  /** Where another program has written (an operator's command), new ids come after its own; so too at the start. */
  readonly goOnAfterOthers = async (): Promise<void> => {
    this.nextId = ulidSource(await this.parts.newestId(this.db))
  }
}

/** One snapshot for all that a call reads. */
function begin(db: SqliteConnection): void {
  db.exec('BEGIN')
  db.beginRoom() // of what is planned
  db.refresh()
}

async function readOne(db: SqliteConnection, request: Request, carryOut: CarryOut): Promise<Answer> {
  const began = begun()
  try {
    if (!request[1].scratch) begin(db)
    return encoded(await carryOut(request))
  } catch (error) {
    return [request[0], false, toFailure(error), since(began)]
  } finally {
    // Not COMMIT: where the file is damaged that would fail once more.
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}
