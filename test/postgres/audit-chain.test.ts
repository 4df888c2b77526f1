import { expect, it } from 'vitest'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { postgresExecutor, postgresPool } from '#src/sql/postgres-pool.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { facet } from '#test/support/facet-command.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import { tamper, writeLog } from '#test/support/tamper.ts'
import { postgresDatabase } from '#test/support/test-database.ts'

const EVENTS = 1201

it('a base from before the chain gets one, and stays append-only', async () => {
  const { url, drop } = await postgresDatabase()
  const pool = postgresPool(url, { max: 1 })
  try {
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0016'))
    await migrate(postgresExecutor(pool), postgresDialect.schema, { list: older })
    await pool.query(`insert into audit_event (event_id, event_type, entity_type, item_id, source, details, created_at)
      select lpad(n::text, 26, '0'), 'item_created', 'item', lpad(n::text, 26, '0'), 'rest',
        '{"name":"Item ' || n || '","description":null,"tags":[]}', '2026-01-01' from generate_series(1, ${EVENTS}) n`)
    await migrate(postgresExecutor(pool), postgresDialect.schema)
    const { code, out } = await facet(url, 'audit', 'verify', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ count: EVENTS, redacted: 0 })
    for (const change of [
      "update audit_event set details = '{}'",
      'delete from audit_event',
      'truncate audit_event',
    ])
      await expect(pool.query(change)).rejects.toThrow('audit_event is append-only')
  } finally {
    await pool.end()
    await drop()
  }
})

it(`finds 1000 random changes of one byte (TEST_SEED=${TEST_SEED})`, async () => {
  const base = await openPostgresBase()
  try {
    await writeLog(base)
    await base.db.select({ sql: 'alter table audit_event disable trigger all', parameters: [] })
    expect(await verifyChain(base.db)).toMatchObject({ broken: null })
    expect(await tamper(base.db, 1000, new Chance(TEST_SEED))).toEqual([])
  } finally {
    await base.close()
  }
})
