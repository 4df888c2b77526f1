import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import type { Client } from '#test/support/client.ts'
import { facet } from '#test/support/facet-command.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'
import { startService } from '#test/support/service.ts'

const WRITERS = 4
const BACKUPS = 3
const TIMEOUT = 120_000

describe('npm run facet -- backup', { timeout: TIMEOUT }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-backup-'))
  let service: Awaited<ReturnType<typeof startService>>
  let client: Client
  beforeAll(async () => {
    service = await startService()
    client = await service.user('ada@example.org', 'correct horse')
    const fields = { n: 'Number', before: 'Reference' }
    await client.ok('POST', '/api/tags', { name: 'Count', fields })
  }, TIMEOUT)
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Items that are acknowledged, until `stop`. */
  async function write(known: string[], stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const field_values = { n: known.length, before: known.at(-1) ?? null }
      const tags = [{ tag_ref: { Existing: 'Count' }, field_values }]
      known.push((await client.ok('POST', '/api/items', { name: `Item ${known.length}`, tags })).item_id)
    }
  }

  it('copies amid writes all that was acknowledged before it began, and soundly', async () => {
    const known: string[] = []
    const stop = new AbortController()
    const writing = Array.from({ length: WRITERS }, () => write(known, stop.signal))
    const copies: { file: string; acknowledged: string[] }[] = []
    for (let i = 0; i < BACKUPS; i++) {
      const acknowledged = [...known]
      const file = join(folder, `copy-${i}.db`)
      const { code, err } = await facet(service.database_url, 'backup', file)
      expect(code).toBe(0)
      expect(err.split('\n')).toEqual([
        `Backed up to ${file}, which is sound`,
        expect.stringMatching(/^The key of its TOTP secrets is not in it: /),
        '',
      ])
      copies.push({ file, acknowledged })
    }
    stop.abort()
    await Promise.all(writing)
    expect(copies.at(-1)!.acknowledged.length).toBeGreaterThan(WRITERS)
    for (const { file, acknowledged } of copies) {
      const db = new SqliteConnection(file)
      expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok')
      expect(db.raw.pragma('foreign_key_check')).toEqual([])
      expect(indexDisagreements(db)).toEqual([])
      const items = new Set(db.raw.prepare('select item_id from item').pluck().all())
      expect(acknowledged.filter((item_id) => !items.has(item_id))).toEqual([])
      db.close()
    }
  })

  it('is restored by putting the copy in the place of the file', async () => {
    const copy = join(folder, 'to-restore.db')
    await facet(service.database_url, 'backup', copy)
    const before = await client.ok('POST', '/api/items/search', {})
    await client.ok('POST', '/api/items/bulk-delete', { filter: { search: '' } })
    const restored = join(folder, 'restored.db')
    copyFileSync(copy, restored)
    const again = await startService({ env: { DATABASE_URL: `file:${restored}` } })
    try {
      const ada = again.client()
      await ada.ok('POST', '/api/auth/login', { email: 'ada@example.org', password: 'correct horse' })
      expect(await ada.ok('POST', '/api/items/search', {})).toEqual(before)
    } finally {
      await again.close()
    }
  })

  it('lies beside the database where no name is given, for its owner alone', async () => {
    expect((await facet(service.database_url, 'backup')).code).toBe(0)
    const [name] = readdirSync(service.folder).filter((each) => each.startsWith('facet.db.copy-'))
    expect(statSync(join(service.folder, name!)).mode & 0o777).toBe(0o600)
    expect(readdirSync(service.folder).filter((each) => each.includes('unfinished'))).toEqual([])
  })

  it('overwrites nothing', async () => {
    const file = join(folder, 'there.db')
    writeFileSync(file, 'mine')
    const { code, err } = await facet(service.database_url, 'backup', file)
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
    expect(statSync(file).size).toBe(4)
  })

  it('leaves nothing behind where the database is damaged', async () => {
    const [broken, copy] = [join(folder, 'broken.db'), join(folder, 'of-broken.db')]
    writeFileSync(broken, 'no database at all, but long enough to be taken for one'.repeat(200))
    const { code, err } = await facet(`file:${broken}`, 'backup', copy)
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('not a database') })
    expect(existsSync(copy)).toBe(false)
  })

  it('sends those with PostgreSQL to its own tools', async () => {
    const { code, err } = await facet('postgres://localhost:1/none', 'backup')
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('pg_dump') })
  })

  it('makes no database where there is none', async () => {
    const missing = join(folder, 'missing.db')
    for (const words of [['backup'], ['export']])
      expect(await facet(`file:${missing}`, ...words)).toMatchObject({
        code: 1,
        err: expect.stringContaining('There is no database at'),
      })
    expect(existsSync(missing)).toBe(false)
  })
})
