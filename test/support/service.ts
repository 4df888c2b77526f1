import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '#src/app.ts'
import { Passwords } from '#src/auth/password.ts'
import { loadConfig } from '#src/config/read-config.ts'
import { Client } from '#test/support/client.ts'
import { keptThreads } from '#test/support/kept-threads.ts'
import { testDatabase } from '#test/support/test-database.ts'

export interface ServiceOptions {
  /** Variables of the configuration; PORT, DATABASE_URL and LOG_LEVEL have test defaults. */
  env?: Record<string, string>
  /** Milliseconds since the epoch. */
  clock?: () => number
  /** Milliseconds between the signs of life on event streams. */
  heartbeat?: number
  /** By default those of tests. */
  passwords?: Passwords
}

/** Guard nothing, and take a hundredth of the time: most tests register an account. */
const cheapPasswords = () => new Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 })

let users = 0

/** The service on a free port, with a database file of its own: the real server behind a real socket. */
export async function startService({
  env = {},
  clock,
  heartbeat,
  passwords = cheapPasswords(),
}: ServiceOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'facet-service-'))
  const database = await testDatabase(folder)
  const config = loadConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    FILES: join(folder, 'files'),
    LOG_LEVEL: 'silent',
    ...env,
  })
  const app = await startApp({
    config,
    startThread: await keptThreads(),
    passwords,
    ...(clock && { clock }),
    ...(heartbeat && { heartbeat }),
  })
  return {
    url: app.url,
    folder,
    database_url: database.url,
    metrics_url: app.metrics_url,
    setup_token: app.setup_token,
    /** `GET /api/items/{item_id}`, and so on. */
    routes: () => app.routes(),
    /** A client without a session. */
    client: () => new Client(app.url),
    /** A client that is signed in as a new account. */
    async user(email = `user-${++users}@example.org`, password = 'correct horse') {
      const client = new Client(app.url)
      await client.ok('POST', '/api/auth/register', { email, password })
      return client
    },
    async close() {
      await app.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Service = Awaited<ReturnType<typeof startService>>
