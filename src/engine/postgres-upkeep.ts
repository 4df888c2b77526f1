import type pg from 'pg'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'

/** Milliseconds from a change to when it is seen to: together with those of others, which costs less. */
const SOON_MS = 1000

/** Sees to something after changes. Resolves to whether that is over, for good. */
type Duty = (pool: pg.Pool) => Promise<boolean>

/**
 * What PostgreSQL would do some time after changes, and searches would miss until then: it is done soon after each, on a
 * connection of its own, beside the next ones.
 */
export class PostgresUpkeep {
  private readonly hosts: PostgresHosts
  private duties: readonly Duty[] = [putTextsInPlace, analyzesFirst()]
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
    if (this.closed || this.timer || !this.duties.length) return
    this.timer = setTimeout(() => void (this.working = this.work()), SOON_MS).unref()
  }

  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.timer)
    await this.working
  }

  private async work(): Promise<void> {
    this.due = false
    for (const duty of this.duties) {
      if (this.closed) break
      // Whatever fault it is, the next change tries again.
      const isOver = await this.hosts.use(duty).catch(() => false)
      if (isOver) this.duties = this.duties.filter((each) => each !== duty)
    }
    this.timer = undefined
    if (this.due) this.changed()
  }
}

/** What others have locked is left to them, and a shutdown does not wait for long. */
const BRIEFLY = `set local lock_timeout = '1s'; set local statement_timeout = '5s';`

/** Code of PostgreSQL: another role has made the index. */
const NO_RIGHT = '42501'
/** It took longer than it may. */
const CANCELED = '57014'

/**
 * The trigrams of changed texts go onto a list, which each search reads whole, and into their places in the index when
 * the list has 4 MB: up to then a search costs ten times as much, and then one change waits for all of it (decision 23).
 */
async function putTextsInPlace(pool: pg.Pool): Promise<boolean> {
  try {
    await pool.query(`${BRIEFLY} select gin_clean_pending_list(to_regclass('item_trigram'))`)
    return false
  } catch (error) {
    if ((error as { code?: string }).code === NO_RIGHT) return true
    throw error
  }
}

/** Rows from which a wrong plan is felt. */
const SOME = 200
/** What searches go through. */
const SEARCHED = ['item', 'item_text', 'item_tag', 'field_value', 'audit_event']
/** Those that nothing is known of; where another role owns them there would only be warnings. */
const UNKNOWN = `select s.relname as name, s.n_live_tup >= ${SOME} as is_due
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.relid in (select to_regclass(t)::oid from unnest($1::text[]) t)
  and s.last_analyze is null and s.last_autoanalyze is null and pg_has_role(c.relowner, 'usage')`

/**
 * Of the rows of a table nothing is known until autovacuum comes by, once a minute. Of a base that has just been filled
 * one item in two hundred is expected to be living, and a page goes through all of them. So each table is analyzed as
 * soon as it has some rows; after that autovacuum sees to it (decision 23).
 */
function analyzesFirst(): Duty {
  // What takes too long is left to autovacuum.
  const given_up = new Set<string>()
  return async (pool) => {
    const { rows } = await pool.query<{ name: string; is_due: boolean }>(UNKNOWN, [SEARCHED])
    const unknown = rows.filter(({ name }) => !given_up.has(name))
    for (const { name } of unknown.filter(({ is_due }) => is_due))
      await pool
        .query(`${BRIEFLY} analyze (skip_locked) ${name}`)
        .catch((error: { code?: string }) => error.code === CANCELED && given_up.add(name))
    return !unknown.length
  }
}
