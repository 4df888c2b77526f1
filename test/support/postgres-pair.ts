import { execFileSync } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '#test/support/postgres.ts'

export interface PostgresPair {
  primary: PostgresServer
  standby: PostgresServer
  /** DATABASE_URL that names both, in a database that both have. */
  url: string
  /** Of one of the two alone. */
  primary_url: string
  standby_url: string
  close(): Promise<void>
}

export interface PairOptions {
  /** Milliseconds by which the standby is late. */
  delay?: number
  /** Whether a COMMIT waits until the standby has it on its disk. */
  synchronous?: boolean
}

const NAME = 'facet_pair'

/** A primary and a standby that streams from it, made of a copy of its files. */
export async function startPostgresPair({
  delay = 0,
  synchronous = false,
}: PairOptions = {}): Promise<PostgresPair> {
  const settings = { wal_level: 'replica', max_wal_senders: '5', hot_standby: 'on' }
  const first = await startPostgres({ settings, durable: true })
  await command(first.url, `create database ${NAME}`)
  const data = await copyRunning(first)
  const standby = await startPostgres({
    settings: {
      ...settings,
      primary_conninfo: `host=127.0.0.1 port=${first.port} user=postgres application_name=standby`,
      recovery_min_apply_delay: String(delay),
    },
    data,
    durable: true,
  })
  if (synchronous) {
    await command(first.url, `alter system set synchronous_standby_names = 'standby'`)
    await command(first.url, 'select pg_reload_conf()')
    await waitFor(first.url, `select 1 from pg_stat_replication where sync_state = 'sync'`)
  }
  const of = (server: PostgresServer) => server.url.replace(/postgres$/, NAME)
  return {
    primary: first,
    standby,
    url: `postgres://postgres@127.0.0.1:${first.port},127.0.0.1:${standby.port}/${NAME}`,
    primary_url: of(first),
    standby_url: of(standby),
    async close() {
      await standby.stop()
      await first.stop()
    },
  }
}

/** The data directory of a standby, beside the server's own; by PostgreSQL's low-level backup. */
async function copyRunning(server: PostgresServer): Promise<string> {
  const data = `${server.data}-standby`
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  execFileSync('cp', ['-a', server.data, data])
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  rmSync(`${data}/postmaster.pid`, { force: true })
  const { uid, gid } = statSync(server.data)
  for (const [name, text] of [
    ['backup_label', rows[0]!.labelfile],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(`${data}/${name}`, text)
    chownSync(`${data}/${name}`, uid, gid)
  }
  return data
}

/** Makes the standby a primary. */
export async function promote({ standby }: PostgresPair): Promise<void> {
  await command(standby.url, 'select pg_promote()')
}

export async function command(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function waitFor(url: string, text: string): Promise<void> {
  const until = Date.now() + 30_000
  while (!(await command(url, text)).length) {
    if (Date.now() > until) throw new Error(`in vain: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
