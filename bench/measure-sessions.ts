import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expiryOf, hashToken, newToken } from '#src/auth/session.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import type { Engine } from '#src/engine/engine.ts'
import { openLocalEngine } from '#src/engine/local-engine.ts'
import { findSession } from '#src/operations/account/session/steps/find-session.ts'
import { openSession } from '#src/operations/account/session/open-session.ts'
import type { Facet } from '#src/operations/call.ts'
import { sqlRunner } from '#src/operations/sql-runner.ts'
import { SqliteConnection, sqliteDialect, sqliteExecutor } from '#src/sql/sqlite.ts'
import { insertAccount } from '#src/storage/accounts/accounts.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { insertSession } from '#src/storage/accounts/sessions.ts'
import type { Report } from '#bench/report.ts'
import { SESSION_SHARE } from '#bench/targets.ts'

/** As many as are remembered between two writes. */
const SESSIONS = 9000
const LOOKUPS = 50_000

/** What looking a session up adds to a read by id; `rate` are the reads in a second of one busy event loop. */
export async function measureSessions(report: Report, items: number, rate: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'facet-bench-'))
  const file = join(folder, 'facet.db')
  const tokens = await fill(file)
  const engine = openLocalEngine(file, { run: sqlRunner([findSession]), newestId: async () => null })
  const seconds = {
    unwritten: await timeOf({ ...engine, version: () => 1 }, tokens),
    written: await timeOf(engine, tokens),
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
}

/** Seconds of one lookup. */
async function timeOf(engine: Engine, tokens: readonly string[]): Promise<number> {
  const facet = { engine, clock: Date.now } as Facet
  const begun = performance.now()
  for (let i = 0; i < LOOKUPS; i++) await openSession(facet, tokens[i % SESSIONS]!)
  return (performance.now() - begun) / LOOKUPS / 1000
}

async function fill(file: string): Promise<string[]> {
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
  db.exec('COMMIT')
  db.close()
  return tokens
}
