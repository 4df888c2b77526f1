import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { startService } from '#test/support/service.ts'
import { TEST_ENGINE, type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const ATTACKS: Record<typeof TEST_ENGINE, [what: string, sql: string, table: string][]> = {
  sqlite: [
    ['dropped', 'drop trigger audit_event_no_delete', 'audit_event'],
    [
      'replaced by one that does nothing',
      'create trigger audit_event_no_delete before delete on audit_event begin select 1; end',
      'audit_event',
    ],
    ['dropped', 'drop trigger security_event_no_update', 'security_event'],
  ],
  postgres: [
    ['dropped', 'drop trigger append_only on audit_event', 'audit_event'],
    ['switched off', 'alter table security_event disable trigger append_only_young', 'security_event'],
  ],
}

describe('the logs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-guarded-'))
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase(folder)
    const service = await startService({ env: { DATABASE_URL: database.url } })
    await service.close()
  })
  afterAll(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** What a start would warn of. */
  async function warnings(): Promise<readonly string[]> {
    if (TEST_ENGINE === 'postgres') return (await preparePostgres(database.url)).warnings
    const prepared = await prepareSqliteFile(database.url.slice('file:'.length))
    prepared.release()
    return prepared.warnings
  }

  it('a start has nothing to say of them as they are made', async () => {
    expect(await warnings()).toEqual([])
  })

  for (const [what, sql, table] of ATTACKS[TEST_ENGINE])
    it(`a start notices a trigger of ${table} that was ${what}`, async () => {
      await queryDatabase({ database_url: database.url }, sql)
      expect(await warnings()).toContainEqual(
        expect.stringContaining(`The database lets rows of ${table} be changed and deleted`),
      )
    })
})
