import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'

/** Milliseconds from a change to when its texts are in their place: together with those of others, which costs less. */
const SOON_MS = 1000
/** Codes of PostgreSQL: another role has made the index. */
const NO_RIGHT = '42501'

/**
 * PostgreSQL puts the trigrams of changed texts onto a list, which each search reads whole, and into their places in
 * the index when the list has 4 MB: up to then a search costs ten times as much, and then one change waits for all of
 * it. Here they are put there soon after each change, beside the next ones (decision 23).
 */
export class PendingTexts {
  private readonly hosts: PostgresHosts
  private timer: NodeJS.Timeout | undefined
  private working: Promise<void> | undefined
  private due = false
  private closed = false

  constructor(hosts: PostgresHosts) {
    this.hosts = hosts
  }

  /** Something was committed. */
  readonly changed = (): void => {
    this.due = true
    if (this.closed || this.timer) return
    this.timer = setTimeout(() => void (this.working = this.enter()), SOON_MS).unref()
  }

  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.timer)
    await this.working
  }

  private async enter(): Promise<void> {
    this.due = false
    try {
      await this.hosts.use((pool) => pool.query(`select gin_clean_pending_list(to_regclass('item_trigram'))`))
    } catch (error) {
      // Whatever else it is, the next change tries again.
      if ((error as { code?: string }).code === NO_RIGHT) this.closed = true
    }
    this.timer = undefined
    if (this.due) this.changed()
  }
}
