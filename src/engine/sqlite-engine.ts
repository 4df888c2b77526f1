import { Worker } from 'node:worker_threads'
import { ServiceError, unavailable } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Engine, SqlCall, SqlRunner } from '#src/engine/engine.ts'
import type { Answer, Failure, Request, WorkerStart } from '#src/engine/sqlite-worker.ts'
import { SqliteConnection } from '#src/sql/sqlite.ts'

/** Two, so that a slow scan leaves one free. */
const READERS = 2
const MAX_BATCH = 64

export interface SqliteEngineOptions {
  file: string
  /** The module that a worker thread starts with. */
  worker: URL
  run: SqlRunner
  newest_id: string | null
}

/** SQLite in worker threads: one writer, two readers, and a connection of the main thread's own for point reads. */
export async function startSqliteEngine({
  file,
  worker,
  run,
  newest_id,
}: SqliteEngineOptions): Promise<Engine> {
  const start = (role: WorkerStart['role']) =>
    SqliteThread.start(worker, { file, role, max_batch: MAX_BATCH, newest_id })
  const [writer, ...readers] = await Promise.all([
    start('writer'),
    ...Array.from({ length: READERS }, () => start('reader')),
  ])
  const here = new SqliteConnection(file, { readonly: true })
  return {
    read: (call) => readers.reduce((least, each) => (each.load < least.load ? each : least)).call(call),
    write: (call) => writer!.call(call),
    readHere: (call) => run(here, call, noIds),
    async close() {
      await Promise.all([writer!, ...readers].map((thread) => thread.close()))
      here.close()
    },
  }
}

function noIds(): never {
  throw new Error('a read makes no ids')
}

interface Pending {
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** The main thread's end of one worker thread. */
class SqliteThread {
  private readonly worker: Worker
  private readonly pending = new Map<number, Pending>()
  private outbox: Request[] = []
  private seq = 0

  private constructor(worker: Worker) {
    this.worker = worker
    worker.on('message', (answers: Answer[]) => answers.forEach((answer) => this.settle(answer)))
  }

  static start(module: URL, workerData: WorkerStart): Promise<SqliteThread> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(module, { workerData })
      worker.once('error', reject)
      worker.once('message', () => {
        worker.off('error', reject)
        resolve(new SqliteThread(worker))
      })
    })
  }

  get load(): number {
    return this.pending.size
  }

  call(call: SqlCall): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const seq = this.seq++
      this.pending.set(seq, { resolve, reject })
      this.outbox.push([seq, call])
      // What comes in during one turn of the event loop travels as one message.
      if (this.outbox.length === 1) setImmediate(() => this.send())
    })
  }

  private send(): void {
    this.worker.postMessage(this.outbox)
    this.outbox = []
  }

  private settle(answer: Answer): void {
    const [seq, ok] = answer
    const call = this.pending.get(seq)
    this.pending.delete(seq)
    if (ok) call?.resolve(new Reply(answer[2] as string, answer[3]))
    else call?.reject(fromFailure(answer[2] as Failure))
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.worker.once('exit', resolve))
    this.worker.postMessage('close')
    await ended
    for (const call of this.pending.values()) call.reject(unavailable('The service is shutting down'))
  }
}

function fromFailure({ code, message, suggestion, details, stack }: Failure): Error {
  if (code)
    return new ServiceError(code, message, { ...(suggestion && { suggestion }), ...(details && { details }) })
  const error = new Error(message)
  if (stack) error.stack = stack
  return error
}
