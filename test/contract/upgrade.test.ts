import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { runFacet } from '#test/support/facet-command.ts'
import { startService } from '#test/support/service.ts'
import { postgresDatabase, TEST_ENGINE, testDatabase } from '#test/support/test-database.ts'
import { EPOCHS } from '#test/upgrade/epochs.ts'
import { ADA, answersOf } from '#test/upgrade/fill-base.ts'
import { loadRows, type Rows } from '#test/upgrade/rows.ts'

const TIMEOUT = 60_000
const BASES = new URL('../upgrade/bases/', import.meta.url)

interface Kept {
  answers: Awaited<ReturnType<typeof answersOf>>
  /** SQLite's file, base64. */
  file: string
  rows: Rows
}
const folder = mkdtempSync(join(tmpdir(), 'facet-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A base as a program of then has left it. */
async function baseOf({ file, rows }: Kept) {
  if (TEST_ENGINE === 'postgres') {
    const database = await postgresDatabase()
    await loadRows(database.url, rows)
    return { ...database, own: '' }
  }
  const own = mkdtempSync(join(folder, 'base-'))
  writeFileSync(join(own, 'facet.db'), Buffer.from(file, 'base64'))
  return { url: `file:${join(own, 'facet.db')}`, own, async drop() {} }
}

const kept = (commit: string): Kept =>
  JSON.parse(gunzipSync(readFileSync(new URL(`${commit}.${TEST_ENGINE}.json.gz`, BASES))).toString())

describe('a base of an earlier version', { timeout: TIMEOUT }, () => {
  it.each(EPOCHS)(
    'is upgraded in place, and says what it said: $commit, before $before',
    async ({ commit }) => {
      const { answers, ...rest } = kept(commit)
      const { url, own, drop } = await baseOf(rest as Kept)
      const service = await startService({ env: { DATABASE_URL: url } })
      try {
        const client = new Client(service.url)
        await client.ok('POST', '/api/auth/login', ADA)
        const now = await answersOf(client)
        expect({ ...now, head: answers.head && now.head }).toEqual(answers)
        expect((await client.ok('GET', '/api/auth/me')).role).toBe('owner')
        // It goes on: what is changed now is one log with what was before.
        const [first] = now.found[0]!
        await client.ok('PUT', `/api/items/${first!.item_id as string}`, { name: 'Changed since' })
        const { events } = await answersOf(client)
        expect(events).toHaveLength(answers.events.length + 1)
      } finally {
        await service.close()
      }
      const verified = await runFacet(url, ['audit', 'verify', '--json'])
      expect(verified).toMatchObject({ code: 0, err: '' })
      // The way back: the copy from before the upgrade is the base of then, byte for byte but for SQLite's own counters.
      if (TEST_ENGINE === 'sqlite') {
        const [copy] = readdirSync(own).filter((name) => name.startsWith('facet.db.backup-'))
        const [then, saved] = [join(own, 'then.db'), join(own, copy!)]
        writeFileSync(then, Buffer.from(rest.file, 'base64'))
        const names = (file: string) =>
          queryDatabase({ database_url: `file:${file}` }, 'select name from schema_migration')
        expect(await names(saved)).toEqual(await names(then))
        const events = 'select * from audit_event order by event_id'
        expect(await queryDatabase({ database_url: `file:${saved}` }, events)).toEqual(
          await queryDatabase({ database_url: `file:${then}` }, events),
        )
      }
      await drop()
    },
  )

  it('that is newer than the program is refused with a sentence by everything that opens it, and left alone', async () => {
    const own = mkdtempSync(join(folder, 'newer-'))
    const { url, drop } = await testDatabase(own)
    const later = "insert into schema_migration values ('9999-later', '2030-01-01T00:00:00.000Z')"
    await queryDatabase({ database_url: url }, later)
    const refused = 'The database is of a newer version: this one does not know its migration 9999-later'
    await expect(startService({ env: { DATABASE_URL: url } })).rejects.toMatchObject({
      message: refused,
      suggestion: expect.stringContaining('restore the backup'),
    })
    for (const words of [['backup', join(own, 'copy')], ['user', 'list'], ['export']])
      expect(await runFacet(url, words)).toMatchObject({
        code: 1,
        err: expect.stringContaining(refused),
      })
    const { out, code } = await runFacet(url, ['doctor'])
    expect([code, out]).toEqual([1, expect.stringContaining(refused)])
    expect(await queryDatabase({ database_url: url }, 'select * from account')).toEqual([])
    await drop()
  })
})
