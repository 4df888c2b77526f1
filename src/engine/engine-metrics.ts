import { Histogram, Reading } from '#src/metrics/instruments.ts'
import { Metrics } from '#src/metrics/metrics.ts'

/** Seconds. */
const TIMES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** Calls in one transaction. */
const SIZES = [1, 2, 4, 8, 16, 32, 64]

export type CallKind = 'read' | 'long_read' | 'write' | 'lookup'

/** How many calls wait or are under way. */
export type Queues = Readonly<Record<Exclude<CallKind, 'lookup'>, number>>

/** What the engine says of its work (additions §10). */
export class EngineMetrics {
  private readonly waits: Histogram
  private readonly runs: Histogram
  private readonly commits: Histogram
  private readonly sizes: Histogram
  private readonly holds: Histogram
  private readonly metrics: Metrics

  constructor(metrics: Metrics = new Metrics()) {
    this.metrics = metrics
    this.waits = metrics.add(
      'facet_engine_wait_seconds',
      'How long calls waited for the database before they were carried out.',
      new Histogram(TIMES, ['kind']),
    )
    this.runs = metrics.add(
      'facet_engine_run_seconds',
      'How long calls took in the database, COMMIT not counted.',
      new Histogram(TIMES, ['kind']),
    )
    this.commits = metrics.add(
      'facet_engine_commit_seconds',
      'How long COMMITs took; how many there were is in _count.',
      new Histogram(TIMES),
    )
    this.sizes = metrics.add(
      'facet_engine_commit_calls',
      'Calls that were committed together in one transaction.',
      new Histogram(SIZES),
    )
    this.holds = metrics.add(
      'facet_engine_writer_held_seconds',
      'How long transactions that write kept all others from writing, COMMIT counted.',
      new Histogram(TIMES),
    )
  }

  /** What is looked at when it is asked for. `size` in bytes, null where it is not known. */
  watch({ queues, size }: { queues(): Queues; size(): Promise<number | null> }): void {
    this.metrics.add(
      'facet_engine_queue_length',
      'Calls that wait for the database or are under way there.',
      new Reading('gauge', () =>
        Object.entries(queues()).map(([kind, value]) => ({ labels: { kind }, value })),
      ),
    )
    this.metrics.add(
      'facet_database_size_bytes',
      'Size of the database: the file with its log on SQLite, pg_database_size on PostgreSQL.',
      new Reading('gauge', async () => {
        const value = await size()
        return value === null ? null : [{ value }]
      }),
    )
  }

  /** Milliseconds; `wait` undefined: it waits for nobody. */
  call(kind: CallKind, wait: number | undefined, run: number): void {
    if (wait !== undefined) this.waits.observe(Math.max(0, wait) / 1000, [kind])
    this.runs.observe(run / 1000, [kind])
  }

  /** Milliseconds of a transaction that writes, from when nobody else could until everybody can. */
  held(milliseconds: number): void {
    this.holds.observe(milliseconds / 1000)
  }

  commit(calls: number, milliseconds: number): void {
    this.commits.observe(milliseconds / 1000)
    this.sizes.observe(calls)
  }
}
