import { noIds } from '#src/engine/no-ids.ts'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Engine, EngineLog, SqlCall, SqlRunner, Timeouts } from '#src/engine/engine.ts'
import { type CallKind, EngineMetrics } from '#src/engine/engine-metrics.ts'
import { SqliteReaders } from '#src/engine/sqlite-readers.ts'
import { SqliteThread, type ThreadOptions } from '#src/engine/sqlite-thread.ts'
import { SqliteWriter } from '#src/engine/sqlite-writer.ts'
import type { WorkerStart } from '#src/engine/sqlite-worker.ts'
import { sqliteFault } from '#src/sql/sqlite-fault.ts'
import { SqliteConnection } from '#src/sql/sqlite.ts'

/** Two of each kind, so that a slow scan leaves one free. */
const READERS = 2
const MAX_BATCH = 64
/** What another program writes to the file (an operator ends a session) is seen on the main thread after this time. */
const OTHERS_WRITE_MS = 5

export interface SqliteEngineOptions {
  /** Prepared: claimed by this process, schema up to date. */
  file: string
  /** The module that a worker thread starts with. */
  worker: URL
  run: SqlRunner
  log: EngineLog
  timeouts?: Timeouts
  metrics?: EngineMetrics
}

const NO_TIMEOUTS: Timeouts = { read: Infinity, change: Infinity }

/** SQLite in worker threads: one writer, two readers, two for long reads, and a connection of the main thread's own. */
export async function startSqliteEngine({
  file,
  worker,
  run,
  log,
  timeouts = NO_TIMEOUTS,
  metrics = new EngineMetrics(),
}: SqliteEngineOptions): Promise<Engine> {
  let refusal: ServiceError | undefined
  let writes = 0
  const thread = (role: WorkerStart['role'], more: Partial<ThreadOptions> = {}) =>
    new SqliteThread({
      spawn: (data) => new Worker(worker, { workerData: data, name: `sqlite-${data.role}` }),
      start: { file, role, max_batch: MAX_BATCH },
      log,
      ...more,
      onDamage() {
        if (!refusal) log('fatal', 'The database file is damaged: writes are refused from now on', { file })
        refusal ??= unavailable('The database file is damaged; nothing more is written to it', {
          suggestion: 'Stop the service and restore the file from a backup',
        })
      },
    })
  const pool = (kind: CallKind, count: number, timeout: number) => {
    const threads: SqliteThread[] = Array.from({ length: count }, () =>
      thread('reader', {
        onAnswers: (from) => readers.answered(from),
        onTimes: (wait, run) => metrics.call(kind, wait, run),
      }),
    )
    const readers = new SqliteReaders(threads, timeout)
    return { threads, readers }
  }
  const writer = new SqliteWriter((more) => thread('writer', more), {
    timeout: timeouts.change,
    onAnswers: () => writes++,
    onTimes: (wait, run) => metrics.call('write', wait, run),
    onCommit: (calls, took) => metrics.commit(calls, took),
  })
  const quick = pool('read', READERS, timeouts.read)
  // Only who changes many items at once needs them, so they start with the first of those.
  const long = pool('long_read', READERS, timeouts.change)
  let longStarted: Promise<unknown> | undefined
  const threads = [writer.thread, ...quick.threads]
  try {
    await Promise.all(threads.map((each) => each.start()))
  } catch (error) {
    await Promise.all(threads.map((each) => each.close()))
    throw error
  }
  const inline = new InlineReads(file, run)
  metrics.watch({
    queues: () => ({ read: quick.readers.load, long_read: long.readers.load, write: writer.thread.load }),
    size: () => sizeOf(file),
  })
  return {
    async read(call, { long: isLong = false, signal } = {}) {
      if (!isLong) return quick.readers.read(call, signal)
      await (longStarted ??= Promise.all(long.threads.map((each) => each.start())))
      return long.readers.read(call, signal)
    },
    write: (call, { signal } = {}) => (refusal ? Promise.reject(refusal) : writer.write(call, signal)),
    isHeld: async () => false,
    writeFault: () => refusal ?? writer.fault,
    async readInline(call) {
      const began = performance.now()
      try {
        return await inline.read(call, writes)
      } finally {
        metrics.call('lookup', undefined, performance.now() - began)
      }
    },
    version: () => inline.version(writes),
    relay: null, // one process for each file
    async close() {
      // The connection that closes last writes the log back; a read-only one could not.
      await Promise.all([...quick.threads, ...long.threads].map((each) => each.close()))
      quick.readers.close()
      long.readers.close()
      inline.close()
      await writer.close()
    },
  }
}

/** Bytes of the file, and of the log beside it that is not written back yet. */
async function sizeOf(file: string): Promise<number | null> {
  const [main, log] = await Promise.all([stat(file), stat(`${file}-wal`).catch(() => ({ size: 0 }))])
  return main.size + log.size
}

/** The main thread's own connection. */
class InlineReads {
  private readonly db: SqliteConnection
  private readonly run: SqlRunner
  private writes = -1
  private looked = -Infinity
  private moved = 0

  constructor(file: string, run: SqlRunner) {
    this.db = new SqliteConnection(file, { readonly: true })
    this.run = run
  }

  /** Moves when anybody has written; `writes` counts our own. */
  version(writes: number): number {
    this.look(writes)
    return this.moved
  }

  /** Our own writes are known without asking; other programs' only by asking, in real time. */
  private look(writes: number): void {
    const now = performance.now()
    if (writes === this.writes && now - this.looked < OTHERS_WRITE_MS) return
    if (this.db.refresh() || writes !== this.writes) this.moved++
    this.writes = writes
    this.looked = now
  }

  async read(call: SqlCall, writes: number): Promise<Reply> {
    this.look(writes)
    try {
      return await this.run(this.db, call, noIds)
    } catch (error) {
      throw sqliteFault(error) ?? error
    }
  }

  close(): void {
    this.db.close()
  }
}
