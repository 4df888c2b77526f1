import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import type { Client } from '#test/support/client.ts'
import { facet, startFacet } from '#test/support/facet-command.ts'
import { uploaded } from '#test/support/imports.ts'
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

  /** Of a base that has a file. */
  async function serviceWithFile() {
    const own = await startService()
    await uploaded(await own.user(), 'a.txt', 'A')
    return { url: own.database_url, [Symbol.asyncDispose]: () => own.close() }
  }

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
      await expect
        .poll(() => known.length)
        .toBeGreaterThan((copies.at(-1)?.acknowledged.length ?? 0) + WRITERS)
      const acknowledged = [...known]
      const file = join(folder, `copy-${i}.db`)
      const { code, out } = await facet(service.database_url, 'backup', file)
      expect(code).toBe(0)
      expect(out.split('\n')).toEqual([
        `Backed up to ${file}, which is sound`,
        'The key of its secrets is in it: keep it safe',
        '',
      ])
      copies.push({ file, acknowledged })
    }
    stop.abort()
    await Promise.all(writing)
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

  it('comes back neither over a base nor beside what is left of one, and touches nothing there', async () => {
    const copy = join(folder, 'not-restored.db')
    await using withFile = await serviceWithFile()
    const own = mkdtempSync(join(folder, 'taken-'))
    const at = join(own, 'facet.db')
    expect(await facet(withFile.url, 'backup', copy)).toMatchObject({ code: 0 })
    copyFileSync(copy, at)
    expect(await facet(`file:${at}`, 'restore', copy)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The base .*facet\.db is not empty/),
    })
    expect(readdirSync(own)).not.toContain('files')
    // Its base was moved away, and the log that SQLite keeps beside it was not.
    rmSync(at)
    writeFileSync(`${at}-wal`, 'written last')
    expect(await facet(`file:${at}`, 'restore', copy)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/facet\.db-wal holds what was written last to a base that is not there/),
    })
    await expect(startService({ env: { DATABASE_URL: `file:${at}` } })).rejects.toMatchObject({
      message: expect.stringContaining('facet.db-wal holds what was written last'),
    })
    expect(readFileSync(`${at}-wal`, 'utf8')).toBe('written last')
  })

  it('lies next to the database where no name is given, for its owner alone', async () => {
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
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('is no SQLite database') })
    expect(existsSync(copy)).toBe(false)
  })

  it('leaves nothing half under its name, however it is killed', async () => {
    for (const after of [150, 250, 350, 450, 600]) {
      const file = join(folder, `killed-${after}.db`)
      const { child, done } = startFacet(service.database_url, ['backup', file])
      setTimeout(() => child.kill('SIGKILL'), after)
      await done
      if (existsSync(file))
        expect(await facet(service.database_url, 'restore', file, '--check')).toMatchObject({ code: 0 })
    }
  })

  it('says that there is no room, and leaves nothing', async () => {
    await using withFile = await serviceWithFile()
    const file = join(folder, 'too-large.db')
    // A file may not grow past 100 blocks: what a full disk does to one that writes.
    const limited = `ulimit -f 100; exec "$0" "$@"`
    const words = ['-c', limited, process.execPath, 'scripts/facet.js', 'backup', file]
    const env = { ...process.env, DATABASE_URL: withFile.url }
    const { status, stderr } = spawnSync('sh', words, { env, encoding: 'utf8' })
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringMatching(/full|disk/) })
    expect(readdirSync(folder).filter((name) => name.startsWith('too-large'))).toEqual([])
  })

  it('is refused where it is not whole any more', async () => {
    const file = join(folder, 'whole.db')
    await facet(service.database_url, 'backup', file)
    const bytes = readFileSync(file)
    for (const [name, content] of [
      ['cut.db', bytes.subarray(0, bytes.length / 2)],
      ['other.db', Buffer.from('no copy at all')],
    ] as const) {
      writeFileSync(join(folder, name), content)
      const elsewhere = join(folder, `${name}-restored.db`)
      expect(await facet(`file:${elsewhere}`, 'restore', join(folder, name))).toMatchObject({
        code: 1,
        err: expect.stringContaining(join(folder, name)),
      })
      expect(existsSync(elsewhere)).toBe(false)
    }
  })

  it('is refused where a byte of it is another than was written, wherever it lies', async () => {
    await client.ok('POST', '/api/items', { name: 'One', description: 'kept-for-later' })
    const file = join(folder, 'flipped.db')
    await facet(service.database_url, 'backup', file)
    const whole = readFileSync(file)
    // The item, its searched text and its event; a page that nothing looks at; what the copy says of itself.
    const places = [whole.length - 1, whole.indexOf('"made_at"') - 1]
    for (let at = whole.indexOf('kept-for-later'); at >= 0; at = whole.indexOf('kept-for-later', at + 1))
      places.push(at)
    expect(places.length).toBeGreaterThan(3)
    for (const at of places) {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 1
      writeFileSync(file, bytes)
      expect([at, await facet(service.database_url, 'restore', file, '--check')]).toMatchObject([
        at,
        { code: 1, out: '' },
      ])
    }
    expect(await facet(`file:${join(folder, 'flipped-restored.db')}`, 'restore', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('flipped.db'),
    })
    writeFileSync(file, whole)
    expect(await facet(service.database_url, 'restore', file, '--check')).toMatchObject({ code: 0 })
  })

  it('is taken without a sum, as older versions made it', async () => {
    const file = join(folder, 'without-sum.db')
    await facet(service.database_url, 'backup', file)
    const db = new Database(file)
    db.exec('alter table facet_copy drop column sum')
    db.close()
    expect(await facet(service.database_url, 'restore', file, '--check')).toMatchObject({ code: 0, err: '' })
  })

  it('can be made of a base that is a copy in the place of the file, and says what that has now', async () => {
    const base = join(mkdtempSync(join(folder, 'placed-')), 'facet.db')
    await facet(service.database_url, 'backup', base)
    const placed = await startService({ env: { DATABASE_URL: `file:${base}` } })
    const ada = placed.client()
    await ada.ok('POST', '/api/auth/login', { email: 'ada@example.org', password: 'correct horse' })
    await ada.ok('POST', '/api/items', { name: 'Since then' })
    const copy = `${base}.copy`
    expect(await facet(`file:${base}`, 'backup', copy)).toMatchObject({ code: 0, err: '' })
    await placed.close()
    expect(await facet(`file:${base}`, 'restore', copy, '--check')).toMatchObject({ code: 0, err: '' })
    // The file itself, as an upgrade copies it.
    expect(await facet(`file:${base}`, 'restore', base, '--check')).toMatchObject({ code: 0, err: '' })
  })

  /** The base of now, alone in a folder of its own. */
  async function baseAlone(name: string): Promise<string> {
    const file = join(mkdtempSync(join(folder, `${name}-`)), 'facet.db')
    expect(await facet(service.database_url, 'backup', file)).toMatchObject({ code: 0 })
    const db = new Database(file)
    db.exec('drop table facet_copy')
    db.close()
    return file
  }

  it('says that the key is not in it where there is none', async () => {
    const base = await baseAlone('keyless')
    const copy = `${base}.copy`
    expect(await facet(`file:${base}`, 'backup', copy)).toEqual({
      code: 0,
      err: '',
      out: `Backed up to ${copy}, which is sound\nThe key of its secrets is not in it: there is no ${base.replace(/db$/, 'key')}\n`,
    })
    const { out } = await facet(`file:${base}`, 'backup', `${base}.other`, '--json')
    expect(JSON.parse(out)).toMatchObject({ holds_key: false })
    expect((await facet(`file:${base}`, 'restore', copy, '--check')).out).toContain(
      'The key of its secrets is not in it: restore it with the key file (facet.key) or the SECRET_KEY of then',
    )
    const other = join(mkdtempSync(join(folder, 'keyless-')), 'facet.db')
    expect((await facet(`file:${other}`, 'restore', copy)).out).toContain(
      `The key of its secrets was not in it: the key file of then (facet.key) belongs at ${other.replace(/db$/, 'key')}`,
    )
  })

  it('is refused where the log does not hold: it could not be restored', async () => {
    const base = await baseAlone('altered')
    const db = new Database(base)
    db.exec('drop trigger audit_event_no_update')
    db.exec('update audit_event set details = \'{"name":"Altered"}\' where id = 2')
    db.close()
    expect(await facet(`file:${base}`, 'backup', `${base}.copy`)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/: event \w+ of the log does not fit: its details are not those/),
    })
    expect(readdirSync(dirname(base)).filter((name) => name.includes('copy'))).toEqual([])
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
