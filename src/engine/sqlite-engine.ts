import { closeSync, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import { DiskFault } from '#src/engine/disk-fault.ts'
import { AccountTimes } from '#src/engine/account-times.ts'
import type { Engine, EngineLog, SqlRunner, Timeouts } from '#src/engine/engine.ts'
import { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { InlineReads } from '#src/engine/inline-reads.ts'
import { ReadHabits } from '#src/engine/read-habits.ts'
import { ReaderPool } from '#src/engine/reader-pool.ts'
import { SqliteThread } from '#src/engine/sqlite-thread.ts'
import type { StartThread, ThreadOptions } from '#src/engine/sqlite-thread-options.ts'
import { SqliteWriter } from '#src/engine/sqlite-writer.ts'
import type { WorkerStart } from '#src/engine/sqlite-messages.ts'
import { PRIORITY } from '#src/process/thread-priority.ts'

/** Writes in one transaction. */
const MAX_BATCH = 64

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
export async function startSqliteEngine(options: SqliteEngineOptions): Promise<Engine> {
  const { file, run, timeouts = NO_TIMEOUTS, metrics = new EngineMetrics() } = options
  let writes = 0
  const damage = new Damage(options)
  const disk = new DiskFault()
  const descriptor = openSync(file, 'r')
  const newThread = threadsOf(options, descriptor, damage)
  const { quick, long } = readerPools(newThread, timeouts, metrics)
  const writer = new SqliteWriter((more) => newThread({ role: 'writer' }, more), {
    timeout: timeouts.change,
    onAnswers: () => writes++,
    onTimes: (wait, took) => metrics.call('write', wait, took),
    onCommit: (calls, took) => metrics.commit(calls, took),
    onHeld: (took) => metrics.held(took),
  })
  await startBoth(writer.thread, quick.first).catch((error: unknown) => {
    closeSync(descriptor)
    throw error
  })
  const inline = new InlineReads({ file, run, metrics })
  metrics.watch({
    queues: () => ({ read: quick.readers.load, long_read: long.readers.load, write: writer.thread.load }),
    size: () => sizeOf(file),
  })
  let closed: Promise<void> | undefined
  const close = async () => {
    // The connection that closes last writes the log back; a read-only one could not.
    await Promise.all([quick.close(), long.close()])
    inline.close()
    await writer.close()
    closeSync(descriptor)
  }
  return {
    read: (call, { long: isLong = false, signal } = {}) => {
      if (!isLong) return quick.readers.read(call, signal)
      // Mostly it is over before a thread for it would have started; else it goes on there.
      return (long.isUp ? long : quick).readers.read(call, signal, timeouts.change)
    },
    write: (call, { signal } = {}) =>
      damage.refusal ? Promise.reject(damage.refusal) : disk.watched(writer.write(call, signal)),
    isHeld: async () => false,
    writeFault: () => damage.refusal ?? disk.now ?? writer.fault,
    forgetWriteFault: () => disk.forget(),
    readInline: (call) => inline.read(call, writes),
    version: () => inline.version(writes),
    relay: null, // one process for each file
    close: () => (closed ??= close()), // twice, it would close whatever has the descriptor's number by then
  }
}

/** A broken file, once a thread has met it: writes are refused from then on. */
class Damage {
  refusal: ServiceError | undefined
  private readonly file: string
  private readonly log: EngineLog

  constructor({ file, log }: Pick<SqliteEngineOptions, 'file' | 'log'>) {
    this.file = file
    this.log = log
  }

  met(): void {
    if (this.refusal) return
    this.log('fatal', 'The database file is damaged: writes are refused from now on', { file: this.file })
    this.refusal = unavailable('The database file is damaged; nothing more is written to it', {
      suggestion: 'Stop the service and restore the file from a backup',
    })
  }
}

type NewThread = (start: Pick<WorkerStart, 'role' | 'priority'>, more: Partial<ThreadOptions>) => SqliteThread

const threadsOf =
  ({ file, startThread, log }: SqliteEngineOptions, descriptor: number, damage: Damage): NewThread =>
  (start, more) =>
    new SqliteThread({
      spawn: (each) => startThread(each, nameOf(each)),
      log,
      ...more,
      start: { ...start, file, descriptor, max_batch: MAX_BATCH },
      onDamage: () => damage.met(),
    })

/** One of the quick readers runs from the start; what is long goes on among the others. */
function readerPools(
  newThread: NewThread,
  timeouts: Timeouts,
  metrics: EngineMetrics,
): { quick: ReaderPool; long: ReaderPool } {
  const habits = new ReadHabits()
  const times = new AccountTimes()
  const long = new ReaderPool({
    kind: 'long_read',
    newThread: (more) => newThread({ role: 'reader', priority: PRIORITY.behind }, more),
    timeout: timeouts.change,
    habits,
    times,
    metrics,
  })
  const quick = new ReaderPool({
    kind: 'read',
    newThread: (more) => newThread({ role: 'reader' }, more),
    timeout: timeouts.read,
    habits,
    times,
    slower: long.readers,
    metrics,
    first: true,
  })
  return { quick, long }
}

/** Where one does not start, none is left behind. */
async function startBoth(...threads: readonly SqliteThread[]): Promise<void> {
  try {
    await Promise.all(threads.map((each) => each.start()))
  } catch (error) {
    await Promise.all(threads.map((each) => each.close()))
    throw error
  }
}

const nameOf = ({ role, priority }: WorkerStart) =>
  priority === undefined ? `sqlite-${role}` : 'sqlite-slow'

/** Bytes of the file, and of the log next to it that is not written back yet. */
async function sizeOf(file: string): Promise<number | null> {
  const [main, log] = await Promise.all([stat(file), stat(`${file}-wal`).catch(() => ({ size: 0 }))])
  return main.size + log.size
}
