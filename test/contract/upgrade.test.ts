import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
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

  it.each(TEST_ENGINE === 'sqlite' ? EPOCHS : [])(
    'is restored from its file, which stays as it is, and is refused where its log does not hold: $commit',
    async ({ commit }) => {
      const { url, own } = await baseOf(kept(commit))
      // As the copy that an upgrade makes.
      const copy = join(own, 'facet.db.backup-2026-01-01T00-00-00.000Z')
      const db = new Database(join(own, 'facet.db'))
      db.pragma('journal_mode = WAL')
      db.close()
      renameSync(join(own, 'facet.db'), copy)
      const before = readFileSync(copy)

      const checked = await runFacet(url, ['restore', copy, '--check', '--json'])
      expect(checked).toMatchObject({ code: 0, err: '' })
      expect(await runFacet(url, ['restore', copy])).toMatchObject({ code: 0, err: '' })
      const verified = await runFacet(url, ['audit', 'verify', '--json'])
      expect(verified).toMatchObject({ code: 0, err: '' })
      const { head, counts } = JSON.parse(checked.out)
      expect(JSON.parse(verified.out)).toMatchObject({ count: counts.audit_event })
      // What is older than the chain gets one as it is restored.
      const isChained = commit !== EPOCHS[0]!.commit
      expect(head).toBe(isChained ? JSON.parse(verified.out).hash : null)
      expect(readFileSync(copy).equals(before)).toBe(true)
      expect(readdirSync(own).filter((name) => !/^facet\.db(?:-wal|-shm|\.lock)?$/.test(name))).toEqual([
        basename(copy),
      ])

      if (!isChained) return
      const altered = new Database(copy)
      const guard = altered.prepare("select sql from sqlite_schema where name = 'audit_event_no_update'")
      const again = guard.pluck().get() as string
      altered.exec('drop trigger audit_event_no_update')
      altered.exec('update audit_event set details = \'{"name":"Altered"}\' where id = 2')
      altered.exec(again)
      altered.close()
      const other = `file:${join(own, 'other/facet.db')}`
      for (const words of [
        ['restore', copy, '--check'],
        ['restore', copy],
      ])
        expect([words, await runFacet(other, words)]).toEqual([
          words,
          { code: 1, out: '', err: expect.stringMatching(/: event \w+ of the log does not fit: /) },
        ])
    },
  )

  const newer = TEST_ENGINE === 'sqlite' ? ['newer'] : []
  it.each(newer)('that is %s is neither restored nor called sound', async () => {
    const own = mkdtempSync(join(folder, 'newer-copy-'))
    const { url } = await testDatabase(own)
    const copy = join(own, 'copy.db')
    expect(await runFacet(url, ['backup', copy])).toMatchObject({ code: 0 })
    const later = "insert into schema_migration values ('9999-later', '2030-01-01T00:00:00.000Z')"
    await queryDatabase({ database_url: `file:${copy}` }, later)
    for (const words of [
      ['restore', copy, '--check'],
      ['restore', copy],
    ])
      expect([words, await runFacet(`file:${join(own, 'other.db')}`, words)]).toEqual([
        words,
        {
          code: 1,
          out: '',
          err: `${copy}: The database is of a newer version: this one does not know its migration 9999-later\nRestore it with the version that made it, or a newer one\n`,
        },
      ])
  })

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
