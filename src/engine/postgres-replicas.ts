import type pg from 'pg'
import type { EngineLog } from '#src/engine/engine.ts'
import { postgresPool } from '#src/sql/postgres-pool.ts'

/** Milliseconds between two looks at a replica that does not answer. */
const LOOK_AGAIN = 2000
/** A replica that does not answer must not keep its first reader waiting for long. */
const CONNECT_TIMEOUT = 1000

export interface ReplicaOptions {
  urls: readonly string[]
  /** Connections to each. */
  max: number
  log: EngineLog
}

/** The read replicas that answer, which take turns. One that is lost is left out until it answers again. */
export class PostgresReplicas {
  private readonly options: ReplicaOptions
  private readonly pools: pg.Pool[] = []
  private readonly timers = new Set<NodeJS.Timeout>()
  private turn = 0
  private closed = false

  constructor(options: ReplicaOptions) {
    this.options = options
    for (const url of options.urls) void this.lookFor(url, false)
  }

  next(): pg.Pool | undefined {
    return this.pools[this.turn++ % this.pools.length]
  }

  /** After an error on its pool. */
  lost(pool: pg.Pool, reason: unknown): void {
    const at = this.pools.indexOf(pool)
    if (at < 0) return
    this.pools.splice(at, 1)
    const url = pool.options.connectionString!
    this.options.log('warn', 'A replica is lost: reads go elsewhere', { host: hostOf(url), err: reason })
    void pool.end().catch(() => {})
    this.lookLater(url)
  }

  async close(): Promise<void> {
    this.closed = true
    for (const timer of this.timers) clearTimeout(timer)
    await Promise.all(this.pools.splice(0).map((pool) => pool.end()))
  }

  private async lookFor(url: string, known = true): Promise<void> {
    const { max, log } = this.options
    const pool = postgresPool(url, { max, connect_timeout: CONNECT_TIMEOUT, pipeline: true })
    try {
      await pool.query('select 1 from write_batch limit 1') // it has our tables, too
      if (this.closed) throw new Error('closed')
      this.pools.push(pool)
      if (known) log('warn', 'A replica is back', { host: hostOf(url) })
    } catch (reason) {
      void pool.end().catch(() => {})
      if (!known)
        log('warn', 'A replica does not answer: reads go elsewhere', { host: hostOf(url), err: reason })
      this.lookLater(url)
    }
  }

  private lookLater(url: string): void {
    if (this.closed) return
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      void this.lookFor(url)
    }, LOOK_AGAIN)
    this.timers.add(timer)
  }
}

const hostOf = (url: string) => new URL(url).host
