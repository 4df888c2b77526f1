import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** Milliseconds without a call. */
const IDLE_MS = 30_000

/** Lets go of the pages of the file that a connection holds, once it has not been asked for anything for a while. */
export class RestingPages {
  private readonly db: Pick<SqliteConnection, 'dropPages'>
  private timer: NodeJS.Timeout | undefined
  private last = 0

  constructor(db: Pick<SqliteConnection, 'dropPages'>) {
    this.db = db
  }

  /** After a call. */
  used(): void {
    this.last = performance.now()
    this.timer ??= this.wait(IDLE_MS)
  }

  close(): void {
    clearTimeout(this.timer)
  }

  private wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.look(), milliseconds).unref()
  }

  private look(): void {
    const left = this.last + IDLE_MS - performance.now()
    this.timer = left > 0 ? this.wait(left) : undefined
    if (!this.timer) this.db.dropPages()
  }
}
