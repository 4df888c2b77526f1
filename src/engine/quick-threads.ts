import type { Reply } from '#src/domain/reply.ts'
import type { CallEnd } from '#src/engine/call-end.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import type { ReadPlace } from '#src/engine/postgres-reader.ts'
import type { PostgresThread } from '#src/engine/postgres-thread.ts'

/** A thread that has not turned its event loop for this long is in the middle of computing something long. */
const BUSY_MS = 15

/** The threads of quick reads: each goes to one that does not compute for long, and of these to the one with the least to do. */
export class QuickThreads implements ReadPlace {
  private readonly threads: readonly PostgresThread[]

  constructor(threads: readonly PostgresThread[]) {
    this.threads = threads
  }

  read(call: SqlCall, end: CallEnd): Promise<Reply> {
    return this.next().read(call, end)
  }

  /** The first is enough as long as no two reads meet; another one starts then. */
  private next(): PostgresThread {
    return this.threads.reduce((best, each) => (isBetter(each, best) ? each : best))
  }
}

function isBetter(a: PostgresThread, b: PostgresThread): boolean {
  const busy = a.lag > BUSY_MS
  return busy === b.lag > BUSY_MS ? a.load < b.load : !busy
}
