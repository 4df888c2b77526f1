import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { isConnectionLoss } from '#src/sql/postgres-fault.ts'
import { postgresPool, type PoolOptions } from '#src/sql/postgres-pool.ts'

/** Milliseconds between two looks at a pool that is to end. */
const PAUSE_MS = 100

/** `postgres://user@a:5432,b:5432/name` → one URL for each host. A password may hold an `@`. */
export function urlsOf(url: string): string[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] =
    /^(\w+:\/\/)((?:[^/?]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  return hosts.split(',').map((host) => scheme + user + host.trim() + rest)
}

/**
 * The hosts of one database, of which the first that accepts writes is the primary. When the primary is lost the
 * next call looks for it again, so that a promoted standby is found without a restart.
 */
export class PostgresHosts {
  private readonly urls: readonly string[]
  private readonly options: PoolOptions
  private current: Promise<pg.Pool> | undefined
  private closed = false

  constructor(url: string, options: PoolOptions) {
    this.urls = urlsOf(url)
    this.options = { ...options, check: refuseStandby }
  }

  /** The pool of the primary. Rejects where no host accepts writes now. */
  primary(): Promise<pg.Pool> {
    this.current ??= this.find().catch((error: unknown) => {
      this.current = undefined
      throw error
    })
    return this.current
  }

  /** Runs `work` on the primary; where the connection is lost the next call looks for the primary again. */
  async use<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const current = this.primary()
    try {
      return await work(await current)
    } catch (error) {
      if (isConnectionLoss(error) && this.current === current && !this.closed) this.forget()
      throw error
    }
  }

  private forget(): void {
    const lost = this.current
    this.current = undefined
    void lost?.then(endWhenServed).catch(() => {})
  }

  async close(): Promise<void> {
    this.closed = true
    await this.current?.then((pool) => pool.end()).catch(() => {})
  }

  private async find(): Promise<pg.Pool> {
    let fault: unknown
    for (const url of this.urls) {
      const pool = postgresPool(url, this.options)
      try {
        const client = await pool.connect()
        client.release()
        return pool
      } catch (error) {
        fault ??= error
      }
      void pool.end().catch(() => {})
    }
    throw fault
  }
}

/** For every connection: the server of one that is made later may have become a standby, which answers reads. */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]!.standby) throw new Error('The server does not accept writes')
}

/** Who waits for a connection of a pool that has ended would not be notified. */
async function endWhenServed(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount) await pause(PAUSE_MS)
  await pool.end()
}
