import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { type ReadersOptions, SqliteReaders } from '#src/engine/sqlite-readers.ts'
import type { SqliteThread } from '#src/engine/sqlite-thread.ts'
import type { ThreadOptions } from '#src/engine/sqlite-thread-options.ts'

/** Two of each kind, so that a scan leaves one free. */
const READERS = 2

export interface ReaderPoolOptions extends Omit<ReadersOptions, 'onWork'> {
  kind: 'read' | 'long_read'
  newThread: (options: Partial<ThreadOptions>) => SqliteThread
  metrics: EngineMetrics
  /** Its first thread runs from the start and is enough as long as no two reads meet; otherwise all start with the first read. */
  first?: boolean
}

/** The threads of one kind of reads, started when they are needed, and the calls that wait for them. */
export class ReaderPool {
  readonly readers: SqliteReaders
  /** Has to be started by the one who wants `first`. */
  readonly first: SqliteThread
  private readonly threads: readonly SqliteThread[]
  private waiting: SqliteThread[]

  constructor({ kind, newThread, metrics, first = false, ...options }: ReaderPoolOptions) {
    this.threads = Array.from({ length: READERS }, () => {
      const own: SqliteThread = newThread({
        onAnswers: () => this.readers.answered(own),
        onTimes: (wait, run) => metrics.call(kind, wait, run),
      })
      return own
    })
    this.first = this.threads[0]!
    this.waiting = this.threads.slice(first ? 1 : 0)
    this.readers = new SqliteReaders(this.threads, {
      ...options,
      onWork: () => {
        if (!first || this.readers.load) this.startAll()
      },
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((each) => each.close()))
    this.readers.close()
  }

  private startAll(): void {
    for (const each of this.waiting.splice(0)) each.start().catch(() => {}) // reported as the end of a thread
  }
}
