import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKey } from '#src/auth/api-key.ts'
import { expiryOf, hashToken, newToken } from '#src/auth/session.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import type { Engine } from '#src/engine/engine.ts'
import { openLocalEngine } from '#src/engine/local-engine.ts'
import { findSession } from '#src/operations/account/session/session-steps.ts'
import { openKey } from '#src/operations/account/key/open-key.ts'
import { findKey, touchKey } from '#src/operations/account/key/key-steps.ts'
import { openSession } from '#src/operations/account/session/open-session.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { insertAccount } from '#src/storage/accounts/accounts.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { insertKey } from '#src/storage/accounts/api-keys.ts'
import { insertSession } from '#src/storage/accounts/sessions.ts'
import type { Report } from '#bench/report.ts'
import { KEY_COST, SESSION_SHARE } from '#bench/targets.ts'

/** As many as are remembered between two writes. */
const SESSIONS = 9000
/** Each of them writes once when it is first used. */
const KEYS = 500
const LOOKUPS = 50_000

/**
 * What looking a session up adds to a read by id, and what such a read costs with a key in its place; `rate` are the
 * reads in a second of one busy event loop.
 */
export async function measureSessions(report: Report, items: number, rate: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'facet-bench-'))
  const file = join(folder, 'facet.db')
  const { tokens, keys } = await fill(file)
  const run = sqlRunner([findSession, findKey, touchKey])
  const engine = openLocalEngine(file, { run, newestId: async () => null })
  const seconds = {
    unwritten: await timeOf({ ...engine, version: () => 1 }, tokens, openSession),
    written: await timeOf(engine, tokens, openSession),
    key: await timeOf({ ...engine, version: () => 1 }, keys, openKey),
  }
  await engine.close()
  rmSync(folder, { recursive: true })
  const added = (lookup: number) => lookup / (1 / rate - lookup)
  const figure = (lookup: number, when: string) => ({
    what: `session lookup (${(lookup * 1e6).toFixed(1)} µs ${when}) on top of a read by id`,
    items,
    value: added(lookup),
    unit: '×',
  })
  report.atMost(figure(seconds.unwritten, 'between writes'), SESSION_SHARE)
  report.note(figure(seconds.written, 'after a write'))
  report.atMost(
    {
      what: `read by id with a key (its lookup ${(seconds.key * 1e6).toFixed(1)} µs) to one with a session`,
      items,
      value: 1 + (seconds.key - seconds.unwritten) * rate,
      unit: '×',
    },
    KEY_COST,
  )
}

/** Seconds of one lookup. */
async function timeOf(
  engine: Engine,
  tokens: readonly string[],
  open: (facet: Runtime, token: string) => Promise<unknown>,
): Promise<number> {
  const config = { time_zone: 'UTC' }
  const now = Date.now() // fixed, so that no minute begins
  const facet = { engine, clock: () => now, services: { config } } as Runtime
  for (const token of tokens) await open(facet, token) // each is found, and its use noted, for the first time
  const begun = performance.now()
  for (let i = 0; i < LOOKUPS; i++) await open(facet, tokens[i % tokens.length]!)
  return (performance.now() - begun) / LOOKUPS / 1000
}

async function fill(file: string): Promise<{ tokens: string[]; keys: string[] }> {
  const db = new SqliteConnection(file)
  await migrate(sqliteExecutor(db.raw), sqliteDialect.schema)
  const now = new Date()
  const created_at = now.toISOString()
  const account = { user_id: 'U', email: 'a@b', email_key: 'a@b', display_name: null, password_hash: null }
  await insertAccount(db, { ...account, email_proven_at: null, created_at, role: 'editor' })
  const newId = ulidSource()
  const tokens = Array.from({ length: SESSIONS }, newToken)
  const expires_at = expiryOf('full', now).toISOString()
  db.exec('BEGIN')
  for (const token of tokens)
    await insertSession(db, {
      token_hash: hashToken(token),
      user_id: 'U',
      state: 'full',
      created_at,
      expires_at,
      session_id: newId(now.getTime()),
      user_agent: null,
      address: '',
      proven_at: created_at,
    })
  const keys = Array.from({ length: KEYS }, newKey)
  for (const key of keys)
    await insertKey(db, {
      key_id: newId(now.getTime()),
      user_id: 'U',
      name: 'bench',
      scope: 'write',
      prefix: key.slice(0, 12),
      key_hash: hashToken(key),
      created_at,
      expires_at: null,
      limited_to: null,
    })
  db.exec('COMMIT')
  db.close()
  return { tokens, keys }
}
