import type { Read } from '#src/engine/decide-reads.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { type ReadersOptions, SqliteReaders } from '#src/engine/sqlite-readers.ts'
import type { SqliteThread } from '#src/engine/sqlite-thread.ts'
import type { ThreadOptions } from '#src/engine/sqlite-thread-options.ts'

/** Two of each kind, so that a scan leaves one free. */
const READERS = 2
/** Milliseconds without work after which threads that are not always there end: each has tens of megabytes. */
const IDLE_MS = 10_000

export interface ReaderPoolOptions extends Omit<ReadersOptions, 'onWork'> {
  kind: 'read' | 'long_read'
  newThread: (options: Partial<ThreadOptions>) => SqliteThread
  metrics: EngineMetrics
  /** Its first thread runs from the start and is enough as long as no two reads meet; otherwise all start with the first read. */
  first?: boolean
  /** Milliseconds without work after which the others end; it is a setting for tests. */
  idle?: number
}

/** The threads of one kind of reads, started when they are needed, and the calls that wait for them. */
export class ReaderPool {
  readonly readers: SqliteReaders
  /** Has to be started by the one who wants `first`. */
  readonly first: SqliteThread
  private readonly threads: readonly SqliteThread[]
  private waiting: SqliteThread[]
  private idle: NodeJS.Timeout | undefined

  constructor({ kind, newThread, metrics, first = false, idle = IDLE_MS, ...options }: ReaderPoolOptions) {
    this.threads = Array.from({ length: READERS }, () => {
      const own: SqliteThread = newThread({
        onAnswers: () => this.readers.answered(own),
        onTimes: (wait, run, job, computed) => {
          metrics.call(kind, wait, run)
          this.readers.ran(job as Read, computed)
        },
      })
      return own
    })
    this.first = this.threads[0]!
    this.waiting = this.threads.slice(first ? 1 : 0)
    this.readers = new SqliteReaders(this.threads, {
      ...options,
      onWork: (thread) => {
        // The first may have nothing to do and be ending what is long yet: then another one is given what comes.
        if (!first || this.readers.load || (thread && this.waiting.includes(thread))) this.startAll()
        if (!first) this.awaitIdle(idle)
      },
    })
  }

  /** One of its threads takes what comes. */
  get isUp(): boolean {
    return this.threads.some((each) => each.isUp)
  }

  async close(): Promise<void> {
    clearTimeout(this.idle)
    await Promise.all(this.threads.map((each) => each.close()))
    this.readers.close()
  }

  private awaitIdle(idle: number): void {
    clearTimeout(this.idle)
    this.idle = setTimeout(() => {
      if (this.readers.load) this.awaitIdle(idle)
      else this.waiting = this.threads.filter((each) => this.waiting.includes(each) || each.rest())
    }, idle).unref()
  }

  private startAll(): void {
    for (const each of this.waiting.splice(0)) each.start().catch(() => {}) // reported as the end of a thread
  }
}
