import { noIds } from '#src/engine/no-ids.ts'
import { stat } from 'node:fs/promises'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Engine, EngineLog, SqlCall, SqlRunner, Timeouts } from '#src/engine/engine.ts'
import { type CallKind, EngineMetrics } from '#src/engine/engine-metrics.ts'
import { SlowAccounts } from '#src/engine/slow-accounts.ts'
import { type ReadersOptions, SqliteReaders } from '#src/engine/sqlite-readers.ts'
import { SqliteThread } from '#src/engine/sqlite-thread.ts'
import type { StartThread, ThreadOptions } from '#src/engine/sqlite-thread-options.ts'
import { SqliteWriter } from '#src/engine/sqlite-writer.ts'
import type { WorkerStart } from '#src/engine/sqlite-messages.ts'
import { PRIORITY } from '#src/process/thread-priority.ts'
import { sqliteFault } from '#src/sql/sqlite-fault.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** Two of each kind, so that a scan leaves one free. */
const READERS = 2
const MAX_BATCH = 64
/** What another program writes to the file (an operator ends a session) is seen on the main thread after this time. */
const OTHERS_WRITE_MS = 5

export interface SqliteEngineOptions {
  /** Prepared: claimed by this process, schema up to date. */
  file: string
  startThread: StartThread
  run: SqlRunner
  log: EngineLog
  timeouts?: Timeouts
  metrics?: EngineMetrics
}

const NO_TIMEOUTS: Timeouts = { read: Infinity, change: Infinity }

/** SQLite in worker threads: one writer, two readers, two for long reads, and a connection of the main thread's own. */
export async function startSqliteEngine({
  file,
  startThread,
  run,
  log,
  timeouts = NO_TIMEOUTS,
  metrics = new EngineMetrics(),
}: SqliteEngineOptions): Promise<Engine> {
  let refusal: ServiceError | undefined
  let writes = 0
  const thread = (start: Pick<WorkerStart, 'role' | 'priority'>, more: Partial<ThreadOptions> = {}) =>
    new SqliteThread({
      spawn: (each) => startThread(each, nameOf(each)),
      log,
      ...more,
      start: { ...start, file, max_batch: MAX_BATCH },
      onDamage() {
        if (!refusal) log('fatal', 'The database file is damaged: writes are refused from now on', { file })
        refusal ??= unavailable('The database file is damaged; nothing more is written to it', {
          suggestion: 'Stop the service and restore the file from a backup',
        })
      },
    })
  const slow = new SlowAccounts()
  const pool = (kind: CallKind, options: Omit<ReadersOptions, 'slow'>, priority?: number) => {
    const start = { role: 'reader' as const, ...(priority !== undefined && { priority }) }
    const threads = Array.from({ length: READERS }, () => {
      const own: SqliteThread = thread(start, {
        onAnswers: () => readers.answered(own),
        onTimes: (wait, run) => metrics.call(kind, wait, run),
      })
      return own
    })
    const readers = new SqliteReaders(threads, { ...options, slow })
    return { threads, readers }
  }
  const writer = new SqliteWriter((more) => thread({ role: 'writer' }, more), {
    timeout: timeouts.change,
    onAnswers: () => writes++,
    onTimes: (wait, run) => metrics.call('write', wait, run),
    onCommit: (calls, took) => metrics.commit(calls, took),
  })
  const started = new Set<SqliteThread>()
  const startAll = (threads: readonly SqliteThread[]) => {
    for (const each of threads) {
      if (started.has(each)) continue
      started.add(each)
      each.start().catch(() => {}) // it is told as the end of a thread
    }
  }
  // What is long goes on there as soon as there are others, so they start with the first that is.
  const onLong = () => startAll(long.threads)
  const long = pool('long_read', { timeout: timeouts.change, onWork: onLong }, PRIORITY.behind)
  // One is enough as long as no two reads meet.
  const onRead = () => void (quick.readers.load && startAll(quick.threads))
  const quick = pool('read', { timeout: timeouts.read, slower: long.readers, onWork: onRead })
  const threads = [writer.thread, quick.threads[0]!]
  started.add(quick.threads[0]!)
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
    read: (call, { long: isLong = false, signal } = {}) => (isLong ? long : quick).readers.read(call, signal),
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

const nameOf = ({ role, priority }: WorkerStart) =>
  priority === undefined ? `sqlite-${role}` : 'sqlite-slow'

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
