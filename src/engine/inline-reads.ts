import { Resting } from '#src/engine/resting.ts'
import { noIds } from '#src/engine/transaction.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { SqlCall, SqlRunner } from '#src/engine/engine.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { sqliteFault } from '#src/sql/sqlite-fault.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** What another program writes to the file (an operator ends a session) is seen on the main thread after this time. */
export const OTHERS_WRITE_MS = 5

export interface InlineReadsOptions {
  file: string
  run: SqlRunner
  metrics: EngineMetrics
}

/** Reads on the main thread, on a connection of its own. */
export class InlineReads {
  private readonly db: SqliteConnection
  private readonly resting: Resting
  private readonly run: SqlRunner
  private readonly metrics: EngineMetrics
  private writes = -1
  private looked = -Infinity
  private moved = 0
  /** Milliseconds of all reads. */
  private spent = 0

  constructor({ file, run, metrics }: InlineReadsOptions) {
    this.db = new SqliteConnection(file, { readonly: true })
    // The thread computes for others too.
    this.resting = new Resting(
      () => this.db.letGo(),
      () => this.spent,
    )
    this.run = run
    this.metrics = metrics
  }

  /** Moves when anybody has written; `writes` counts our own. */
  version(writes: number): number {
    this.checkVersion(writes)
    return this.moved
  }

  /** Our own writes are known without asking; other programs' only by asking, in real time. */
  private checkVersion(writes: number): void {
    const now = performance.now()
    if (writes === this.writes && now - this.looked < OTHERS_WRITE_MS) return
    if (this.db.refresh() || writes !== this.writes) this.moved++
    this.writes = writes
    this.looked = now
  }

  async read(call: SqlCall, writes: number): Promise<Reply> {
    const began = performance.now()
    this.checkVersion(writes)
    try {
      return await this.run(this.db, call, noIds)
    } catch (error) {
      throw sqliteFault(error) ?? error
    } finally {
      const took = performance.now() - began
      this.spent += took
      this.resting.used()
      this.metrics.call('lookup', undefined, took)
    }
  }

  close(): void {
    this.resting.close()
    this.db.close()
  }
}
