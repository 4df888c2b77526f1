import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFile } from '#src/transfer/import-file.ts'
import { blobPath } from '#src/files/folder-store.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { openBase } from '#test/support/base.ts'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import type { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { runFacet, startFacet } from '#test/support/facet-command.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'
import { FILE_IDS, fileText, randomWorld } from '#test/support/random-world.ts'
import { startService } from '#test/support/service.ts'
import { TokenClient } from '#test/support/token-client.ts'
import { TEST_ENGINE, testDatabase } from '#test/support/test-database.ts'

const PASSWORD = 'correct horse'
const ADA = 'Ada@example.org'
const BOB = 'bob@example.org'
/** A busy machine is no fault. */
const TIMEOUT = 240_000

const folder = mkdtempSync(join(tmpdir(), 'facet-moving-'))
const drops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of drops) await drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Of all bases here: what one of them exports is there. */
const FILES = join(folder, 'files')
const facet = (database: string, ...words: string[]) => runFacet(database, words, { FILES })

let files = 0
const newFile = (end: string) => join(folder, `${++files}.${end}`)
const newSqlite = () => `file:${newFile('db')}`
/** Of the engine that the project tests. */
async function newDatabase(): Promise<string> {
  const { url, drop } = await testDatabase(mkdtempSync(join(folder, 'database-')))
  drops.push(drop)
  return url
}

async function exported(database: string, ...options: string[]): Promise<string> {
  const file = newFile('jsonl')
  const { err, code } = await facet(database, 'export', '--out', file, ...options)
  expect({ err, code }).toMatchObject({ code: 0 })
  return file
}
async function imported(database: string, file: string): Promise<string> {
  const { err, code } = await facet(database, 'import', file)
  expect({ err, code }).toMatchObject({ code: 0 })
  return err
}

async function withService<T>(database: string, use: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ env: { DATABASE_URL: database, FILES } })
  try {
    return await use(service)
  } finally {
    await service.close()
  }
}
type Service = Awaited<ReturnType<typeof startService>>

async function signedIn(service: Service, email: string): Promise<Client> {
  const client = service.client()
  await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })
  return client
}

/** Status, cursor and body of what REST says about everything, as bytes. */
async function answers(client: Client): Promise<string[]> {
  const said: string[] = []
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await client.fetch(path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    const cursor = response.headers.get('x-next-cursor')
    const text = await response.text()
    said.push(`${method} ${path} ${JSON.stringify(body)} ${response.status} ${cursor} ${text}`)
    return { text, cursor }
  }
  const ids = ({ text }: { text: string }, key: string) =>
    (JSON.parse(text) as Record<string, string>[]).map((each) => each[key]!)
  for (const item_id of ids(await ask('POST', '/api/items/search', {}), 'item_id'))
    await ask('GET', `/api/items/${item_id}`)
  for (const tag_id of ids(await ask('GET', '/api/tags'), 'tag_id')) {
    await ask('GET', `/api/tags/${tag_id}`)
    await ask('POST', '/api/items/search', { filter: { has_tag: tag_id }, count: true })
    await ask('GET', `/api/items/outdated?tag_id=${tag_id}`)
    for (const field of ['ref', 'status', 'text'])
      await ask('POST', '/api/items/search', { filter: { [`${tag_id}.${field}`]: { exists: true } } })
  }
  for (const path of ['/api/items/deleted', '/api/tags/deleted', '/api/views', '/api/auth/me'])
    await ask('GET', path)
  for (const sort of [[{ by: 'name', direction: 'asc' }], [{ by: 'updated_at', direction: 'desc' }]])
    for (let after: string | undefined; ;) {
      const { cursor } = await ask('POST', '/api/items/search', { sort, limit: 7, ...(after && { after }) })
      if (cursor === null) break
      after = cursor
    }
  for (const search of ['a', 'ΟΔΥ', '202', '😀'])
    await ask('POST', '/api/items/search', { filter: { search } })
  let before: string | undefined
  for (;;) {
    const { text } = await ask('POST', '/api/audit-log/search', { limit: 1000, ...(before && { before }) })
    before = ids({ text }, 'created_at').at(-1)
    if (before === undefined) return said
  }
}

/** The last line for other lines, as somebody who forges would make it. */
function resigned(changed: string[]): string {
  const text = changed.slice(0, -2).map((line) => `${line}\n`)
  const end = JSON.parse(changed.at(-2)!) as Record<string, unknown>
  const sha256 = createHash('sha256').update(text.join('')).digest('hex')
  return `${text.join('')}${JSON.stringify({ ...end, sha256 })}\n`
}

/** A base with a history, two accounts, their views, a chat, and the newest item purged. */
async function someBase(): Promise<string> {
  const base = await openBase()
  drops.push(async () => base.close())
  await randomWorld(base, 7, 90)
  for (const file_id of FILE_IDS) {
    const path = join(FILES, blobPath(file_id))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, fileText(file_id))
  }
  const database = `file:${join(base.folder, 'facet.db')}`
  await withService(database, async (service) => {
    for (const email of [ADA, BOB]) {
      const client = await service.user(email, PASSWORD)
      const filter = { name: { contains: email[0] } }
      const view = {
        name: `View of ${email}`,
        filter,
        settings: { b: 1, a: [1.5, null] },
        shared: true,
        position: -0.1,
      }
      await client.ok('POST', '/api/views', view)
      await client.post('/api/chat', { message: `Hello, I am ${email}` })
    }
    const client = await signedIn(service, ADA)
    await client.ok('POST', '/api/tags', { name: 'Looked', fields: {}, look: { hue: 7, sign: 'box' } })
    const last = await client.ok('POST', '/api/items', {
      name: 'Goes at once',
      description: '<p>\u0001 é 😀</p>',
    })
    await client.ok('DELETE', `/api/items/${last.item_id}`)
    await client.ok('POST', '/api/items/purge', { item_ids: [last.item_id] })
  })
  return database
}

describe('a whole base', { timeout: TIMEOUT }, () => {
  let source: string
  let before: string[]
  beforeAll(async () => {
    source = await someBase()
    before = await withService(source, async (service) => answers(await signedIn(service, ADA)))
  }, TIMEOUT)

  it('comes back the same, byte by byte, and answers the same on the way', async () => {
    const first = await exported(source, '--accounts')
    const [there, back] = [await newDatabase(), newSqlite()]
    await imported(there, first)
    // Before anybody signs in, which is an event of the security log.
    const second = await exported(there, '--accounts')
    expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'))
    expect(await withService(there, async (service) => answers(await signedIn(service, ADA)))).toEqual(before)
    await imported(back, second)
    expect(readFileSync(await exported(back, '--accounts')).equals(readFileSync(first))).toBe(true)
    expect(await withService(back, async (service) => answers(await signedIn(service, ADA)))).toEqual(before)
    const db = new SqliteConnection(back.slice('file:'.length))
    expect(indexDisagreements(db)).toEqual([])
    expect(db.raw.pragma('foreign_key_check')).toEqual([])
    db.close()
  })

  it('goes on with row ids that were never given out, though the newest item was purged', async () => {
    const there = await newDatabase()
    await imported(there, await exported(source, '--accounts'))
    await withService(there, async (service) => {
      const client = await signedIn(service, ADA)
      const { item_id } = await client.ok('POST', '/api/items', { name: 'New' })
      const all = await client.ok('POST', '/api/items/search', {})
      expect(all.at(-1).item_id).toBe(item_id)
      await client.ok('POST', '/api/views', { name: 'New', filter: { search: 'New' } })
      await client.ok('POST', '/api/tags', { name: 'Another', fields: { text: 'String' } })
    })
    const lines = readFileSync(await exported(there), 'utf8')
      .trimEnd()
      .split('\n')
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const purged = rows.filter(({ record }) => record === 'purged_item').map(({ id }) => id as number)
    const made = rows.find(({ record, name }) => record === 'item' && name === 'New')
    expect(made!['id']).toBe(Math.max(...purged) + 1)
  })

  it('leaves accounts out where they are not asked for, and keeps views for their owners', async () => {
    const first = await exported(source)
    const text = readFileSync(first, 'utf8')
    expect(text).not.toMatch(/argon2|Hello, I am/)
    const there = await newDatabase()
    const told = await imported(there, first)
    expect(told).toContain('ada@example.org  1')
    expect(readFileSync(await exported(there), 'utf8')).toBe(text)
    await withService(there, async (service) => {
      const client = await service.user('ada@EXAMPLE.org', PASSWORD)
      expect(await client.ok('GET', '/api/views')).toEqual([])
      expect((await facet(there, 'user', 'give-views', 'ada@example.org')).out).toMatch(/^1 view given/)
      const [view] = await client.ok('GET', '/api/views')
      expect(view).toMatchObject({
        name: `View of ${ADA}`,
        settings: { b: 1, a: [1.5, null] },
        shared: true,
        position: -0.1,
      })
    })
    expect((await facet(there, 'user', 'give-views', 'ada@example.org')).out).toMatch(/^0 views given/)
  })

  it('gives views to the account that has proved their owner’s address, and to no other', async () => {
    for (const proven of [false, true]) {
      const there = await newDatabase()
      await withService(there, (service) => service.user('BOB@example.org', PASSWORD))
      if (proven)
        await queryDatabase(
          { database_url: there },
          "update account set email_proven_at = '2026-01-01T00:00:00.000Z'",
        )
      const told = await imported(there, await exported(source))
      expect(told.includes('bob@example.org  1')).toBe(!proven)
      await withService(there, async (service) => {
        const views = await (await signedIn(service, BOB)).ok('GET', '/api/views')
        expect(views.map(({ name }: { name: string }) => name)).toEqual(proven ? [`View of ${BOB}`] : [])
      })
    }
  })

  it('does not go into a base that is in use', async () => {
    const there = await newDatabase()
    const file = await exported(source)
    await withService(there, async (service) => {
      await service.client().get('/api/health')
      expect(await facet(there, 'import', file)).toMatchObject({
        code: 1,
        err: expect.stringContaining('in use by another Facet process'),
      })
    })
    await imported(there, file)
  })

  // What these use is a SQLite file in any project.
  if (TEST_ENGINE === 'sqlite') {
    it('is written to standard output too', async () => {
      const { out, code } = await facet(source, 'export')
      expect(code).toBe(0)
      expect(out).toBe(readFileSync(await exported(source), 'utf8'))
    })

    it('goes into an empty base only', async () => {
      const file = await exported(source)
      expect(await facet(source, 'import', file)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/The database is not empty: it has \d+ tags/),
      })
    })

    it('overwrites no file', async () => {
      const file = await exported(source)
      const { code, err } = await facet(source, 'export', '--out', file)
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
    })
  }

  describe('that is damaged', () => {
    let lines: string[]
    beforeAll(async () => {
      lines = readFileSync(await exported(source), 'utf8').split('\n')
    })
    const cases: [what: string, damage: () => string | Buffer, says: RegExp][] = [
      ['cut in a line', () => lines.join('\n').slice(0, 5000), /damaged at line \d+: the file is cut here/],
      ['cut after a line', () => `${lines.slice(0, 20).join('\n')}\n`, /damaged at line 21: it ends here/],
      ['without its last line feed', () => lines.join('\n').slice(0, -1), /the file is cut here/],
      [
        'changed in a text',
        () => lines.join('\n').replace('"created_at":"2', '"created_at":"3'),
        /damaged between line 1 and line \d+: its checksum/,
      ],
      ['changed in its syntax', () => lines.with(4, `${lines[4]}}`).join('\n'), /at line 5: it is no JSON/],
      ['continued', () => `${lines.join('\n')}{"record":"item"}\n`, /there is more after its end/],
      ['empty', () => '', /damaged at line 1: it ends here/],
      ['something else', () => 'id;name\n1;x\n', /The file is no export of Facet/],
      [
        'of a newer version',
        () => lines.with(0, lines[0]!.replace('"version":5', '"version":6')).join('\n'),
        /The file has version 6 of the format; this program reads versions up to 5/,
      ],
      [
        'of a kind that is unknown',
        () => resigned(lines.with(3, '{"record":"session","id":1}')),
        /at line 4: the record "session" is unknown/,
      ],
      ['doubled', () => resigned(lines.toSpliced(2, 0, lines[1]!)), /at line 3: this tag appears twice/],
      [
        'short of a column',
        () => resigned(lines.with(1, lines[1]!.replace('"name"', '"nome"'))),
        /at line 2: tag.name is no text/,
      ],
      ['short of a line', () => resigned(lines.toSpliced(2, 1)), /its counts are not those of the records/],
    ]
    it('is refused before anything is written', async () => {
      const file = newFile('jsonl')
      writeFileSync(file, lines.slice(0, 20).join('\n'))
      const there = newSqlite()
      expect(await facet(there, 'import', file)).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /^The file is damaged at line 20: the file is cut here\nCopy the file again/,
        ),
      })
      expect(existsSync(there.slice('file:'.length))).toBe(false)
    })
    for (const [what, damage, says] of cases)
      it(`is refused: ${what}`, async () => {
        const file = newFile('jsonl')
        writeFileSync(file, damage())
        await expect(checkFile(file)).rejects.toThrow(says)
      })
  })
})

describe('a key', { timeout: TIMEOUT }, () => {
  /** An export of a base in which one key sees everything, and the other a part. */
  let file: string
  let keys: { whole: string; part: string }
  beforeAll(async () => {
    const source = newSqlite()
    await withService(source, async (service) => {
      const owner = await service.user(ADA, PASSWORD)
      const make = async (name: string, more: object = {}) =>
        (await owner.ok('POST', '/api/keys', { name, scope: 'write', ...more })).key as string
      await owner.ok('POST', '/api/items/bulk', { items: ['Seen', 'Hidden'] })
      keys = { whole: await make('whole'), part: await make('part', { limit: { filter: { name: 'Seen' } } }) }
    })
    file = await exported(source, '--accounts')
  }, TIMEOUT)

  /** What a key sees where the file has been imported; else the status. */
  const sees = (database: string) =>
    withService(database, async (service) => {
      const seen = async (key: string) => {
        const { status, body } = await new TokenClient(service.url, key).post('/api/items/search', {})
        return status === 200 ? body.map(({ name }: { name: string }) => name) : status
      }
      return { whole: await seen(keys.whole), part: await seen(keys.part) }
    })
  /** As an older program wrote it. */
  function olderFile(version: number, omitted: RegExp): string {
    const older = newFile('jsonl')
    const lines = readFileSync(file, 'utf8').replace('"version":5', `"version":${version}`).split('\n')
    const isKey = (line: string) => line.startsWith('{"record":"api_key"')
    writeFileSync(older, resigned(lines.map((line) => (isKey(line) ? line.replaceAll(omitted, '') : line))))
    return older
  }
  const LIMIT = /,"limited_to":(null|"(\\.|[^"\\])*")/g

  it('sees the same part after an import', async () => {
    const there = await newDatabase()
    expect(await imported(there, file)).not.toContain('ended')
    expect(await sees(there)).toEqual({ whole: ['Seen', 'Hidden'], part: ['Seen'] })
  })

  it('ends with the import of a file in which limits were not written', async () => {
    const there = await newDatabase()
    expect(await imported(there, olderFile(4, LIMIT))).toContain('2 keys have ended: the file is older')
    expect(await sees(there)).toEqual({ whole: 401, part: 401 })
    const { out } = await facet(newSqlite(), 'restore', olderFile(4, LIMIT))
    expect(out).toContain('2 keys have ended: the file is older')
  })

  it('works on where it is from before there were limits', async () => {
    const there = await newDatabase()
    const ofThen = olderFile(3, /,"(limited_to|proposes)":(null|\d|"(\\.|[^"\\])*")/g)
    expect(await imported(there, ofThen)).not.toContain('ended')
    expect(await sees(there)).toMatchObject({ whole: ['Seen', 'Hidden'] })
  })

  it('is not taken from a file of this version that does not say what it sees', async () => {
    await expect(checkFile(olderFile(5, LIMIT))).rejects.toThrow('api_key.limited_to is no text or null')
  })
})

describe('an import that is killed', () => {
  const ITEMS = 10_000
  let file: string
  beforeAll(async () => {
    const base = await openBase()
    base.db.exec('PRAGMA synchronous = OFF')
    const { tag_id } = await base.run(createTag, { name: 'Count', fields: { n: 'Number', text: 'String' } })
    for (let made = 0; made < ITEMS; made += 2000)
      await base.run(bulkCreate, {
        items: Array.from({ length: 2000 }, (_, i) => ({
          name: `Item ${made + i}`,
          tags: [{ tag_ref: { Existing: tag_id }, field_values: { n: made + i, text: `text ${i}` } }],
        })),
      })
    file = await exported(`file:${join(base.folder, 'facet.db')}`)
    base.close()
  }, TIMEOUT)

  /** How far the import has come, as soon as it has come so far. */
  async function linesImported(database: string, child: ChildProcess, least = 0): Promise<number> {
    for (;;) {
      const rows = await queryDatabase({ database_url: database }, 'select lines from import_state').catch(
        () => [], // the table is not there yet
      )
      const lines = Number(rows[0]?.['lines'] ?? -1)
      if (lines >= least) return lines
      expect(child.exitCode).toBeNull()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  it(
    `goes on when it is run again and doubles nothing (TEST_SEED=${TEST_SEED})`,
    { timeout: TIMEOUT },
    async () => {
      const chance = new Chance(TEST_SEED)
      const there = await newDatabase()
      let lines = -1
      for (let kill = 0; kill < 3; kill++) {
        const { child, done } = startFacet(there, ['import', file])
        const began = await linesImported(there, child, lines + 1)
        await new Promise((resolve) => setTimeout(resolve, chance.below(150)))
        child.kill('SIGKILL')
        expect((await done).code).toBeNull()
        lines = await linesImported(there, child)
        expect(lines).toBeGreaterThanOrEqual(began)
      }
      await expect(withService(there, async () => {})).rejects.toThrow('is not finished')
      expect((await facet(there, 'export')).err).toContain('is not finished')
      expect(await imported(there, file)).toContain('Imported the rest')
      expect(readFileSync(await exported(there)).equals(readFileSync(file))).toBe(true)
      expect((await facet(there, 'import', file)).err).toContain('not empty')
    },
  )

  // On a SQLite file in any project.
  if (TEST_ENGINE === 'sqlite')
    it('does not go on with another file', { timeout: TIMEOUT }, async () => {
      const there = newSqlite()
      const { child, done } = startFacet(there, ['import', file])
      await linesImported(there, child, 1)
      child.kill('SIGKILL')
      await done
      const other = newFile('jsonl')
      const text = readFileSync(file, 'utf8').split('\n')
      text[1] = text[1]!.replace('"name":"Count"', '"name":"Comte"')
      const sha256 = createHash('sha256')
      const signed = text.slice(0, -2).map((line) => {
        const check = line.startsWith('{"record":"check"')
          ? `${JSON.stringify({ ...JSON.parse(line), sha256: sha256.copy().digest('hex') })}\n`
          : `${line}\n`
        sha256.update(check)
        return check
      })
      const end = { ...JSON.parse(text.at(-2)!), sha256: sha256.digest('hex') }
      writeFileSync(other, `${signed.join('')}${JSON.stringify(end)}\n`)
      const { code, err } = await facet(there, 'import', other)
      expect({ code, err }).toMatchObject({
        code: 1,
        err: expect.stringContaining('not the file whose import was interrupted'),
      })
      // Nor with a shorter one, whose lines end before.
      const empty = newSqlite()
      await withService(empty, async () => undefined)
      const shorter = await exported(empty)
      expect(await facet(there, 'import', shorter)).toEqual({
        code: 1,
        out: '',
        err: expect.stringContaining('not the file whose import was interrupted'),
      })
      expect(await imported(there, file)).toContain('Imported the rest')
    })
})
