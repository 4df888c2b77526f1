import { statSync } from 'node:fs'
import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'

const COMMITS_BETWEEN_LOOKS = 64
/** Above this the writer starts the log afresh, and waits a moment for the readers' snapshots to end where it must. */
const TRUNCATE_BYTES = 64 * 2 ** 20
const ALARM_BYTES = 256 * 2 ** 20
const WAIT_MS = 100
/** From a wait that was in vain to the next one: while a read lasts, each of them keeps all writes waiting for nothing. */
const WAIT_INTERVAL_MS = 30_000
const ALARM_INTERVAL_MS = 60_000
/**
 * Pages that are written back within a COMMIT when this many have gathered. Many changes write to the same pages, each
 * of which goes back once: SQLite's own number, a quarter of it, costs a create a tenth more.
 */
const PAGES = 4000

/**
 * Keeps the write-ahead log from growing: SQLite starts it afresh only at a moment at which nobody reads from it,
 * and under steady reading that moment need not come by itself.
 */
export class WalKeeper {
  private readonly db: SqliteConnection
  private readonly log: string
  private readonly remark: (text: string, details: Record<string, unknown>) => void
  private commits = 0
  private alarmed = -Infinity
  private waited = -Infinity
  private owes = false

  constructor(
    db: SqliteConnection,
    file: string,
    remark: (text: string, details: Record<string, unknown>) => void,
  ) {
    this.db = db
    this.log = `${file}-wal`
    this.remark = remark
    db.raw.pragma(`wal_autocheckpoint = ${PAGES}`)
  }

  /** Before a change that may write much: what it writes goes into the file when nobody waits for the writer. */
  beforeLarge(): void {
    this.db.raw.pragma('wal_autocheckpoint = 0')
    this.owes = true
  }

  /** When nothing waits to be written. */
  whenIdle(): void {
    if (!this.owes) return
    this.owes = false
    this.db.raw.pragma(`wal_autocheckpoint = ${PAGES}`)
    const [{ log, checkpointed }] = this.db.raw.pragma('wal_checkpoint(NOOP)') as [
      { log: number; checkpointed: number },
    ]
    if (log - checkpointed >= PAGES) this.writeBack('PASSIVE')
  }

  afterCommit(): void {
    if (++this.commits % COMMITS_BETWEEN_LOOKS || this.size() < TRUNCATE_BYTES) return
    const now = performance.now()
    const wait = now - this.waited < WAIT_INTERVAL_MS ? 0 : WAIT_MS
    if (this.startsAfresh(wait)) return
    if (wait) this.waited = now
    const bytes = this.size()
    if (bytes < ALARM_BYTES || now - this.alarmed < ALARM_INTERVAL_MS) return
    this.alarmed = now
    this.remark('The write-ahead log is long: a read lasts, or another program keeps the file open', {
      bytes,
    })
  }

  /** Whether nobody reads from the log any more, within so many milliseconds. */
  private startsAfresh(wait: number): boolean {
    this.db.raw.pragma(`busy_timeout = ${wait}`)
    const done = this.writeBack('TRUNCATE')
    this.db.raw.pragma(`busy_timeout = ${this.db.busyTimeout}`)
    return done
  }

  private writeBack(how: 'PASSIVE' | 'TRUNCATE'): boolean {
    try {
      const [{ busy }] = this.db.raw.pragma(`wal_checkpoint(${how})`) as [{ busy: number }]
      return !busy
    } catch (error) {
      this.remark('The write-ahead log could not be written back', { reason: (error as Error).message })
      return false
    }
  }

  private size(): number {
    return statSync(this.log, { throwIfNoEntry: false })?.size ?? 0
  }
}
