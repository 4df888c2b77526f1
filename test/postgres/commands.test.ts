import { chmodSync, chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFile, importFile } from '#src/transfer/import-file.ts'
import { type CommandConnection, openCommandConnection } from '#src/engine/command-connection.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { query } from '#src/sql/query.ts'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { openBase } from '#test/support/base.ts'
import { facet } from '#test/support/facet-command.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { startService } from '#test/support/service.ts'
import { testDatabase } from '#test/support/test-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'facet-commands-'))
/** An export of 12,000 items, which go in by several transactions. */
let file: string
/** Looks at the database past Facet. */
let observer: pg.Client
const rows = async (sql: string) => (await observer.query(sql)).rows as Record<string, unknown>[]

beforeAll(async () => {
  const base = await openBase()
  const items = Array.from({ length: 2000 }, (_, i) => ({ name: `Item ${i}` }))
  for (let i = 0; i < 6; i++) await base.run(bulkCreate, { items })
  file = join(folder, 'export.jsonl')
  const { err, code } = await facet(`file:${join(base.folder, 'facet.db')}`, 'export', '--out', file)
  expect({ err, code }).toMatchObject({ code: 0 })
  base.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** On a database of its own. */
async function onDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const database = await testDatabase(folder)
  observer = new pg.Client({ connectionString: database.url, application_name: 'facet' })
  await observer.connect()
  try {
    return await use(database.url)
  } finally {
    await observer.end()
    await database.drop()
  }
}

const open = (url: string): Promise<CommandConnection> =>
  openCommandConnection({ engine: 'postgres', url, replica_urls: [], listen_url: null })

const secret = query((p: { name: string }, sql) =>
  sql.insertInto('server_secret').values({ name: p.name, value: '' }),
)
const newestBatch = async () => (await rows('select max(number) as n from write_batch'))[0]!['n']
const seenByAll = async () => (await rows(`select number as n from user_write where user_id = ''`))[0]?.['n']
const unfinished = () => rows('select lines from import_state')

describe('commands write', () => {
  it('one after another, and leave the row by which replicas are judged', () =>
    onDatabase(async (url) => {
      const [one, other] = [await open(url), await open(url)]
      const order: string[] = []
      let begin = () => {}
      const begun = new Promise<void>((resolve) => (begin = resolve))
      const first = one.write(async () => {
        begin()
        await new Promise((resolve) => setTimeout(resolve, 300))
        order.push('first')
      })
      await begun
      const second = other.write(async () => void order.push('second'))
      await Promise.all([first, second])
      expect(order).toEqual(['first', 'second'])
      expect(await rows('select count(*)::int as n from write_batch')).toEqual([{ n: 2 }])
      expect(await seenByAll()).toBe(await newestBatch())
      await expect(other.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect(await rows('select count(*)::int as n from write_batch')).toEqual([{ n: 2 }])
      await Promise.all([one.close(), other.close()])
    }))

  it('nothing where something of it failed that nobody waited for', () =>
    onDatabase(async (url) => {
      const connection = await open(url)
      const writing = connection.write(async () => {
        await connection.db.enqueue(secret, { name: 'one' })
        await connection.db.enqueue(secret, { name: 'one' })
      })
      await expect(writing).rejects.toThrow('duplicate key')
      expect(await rows('select name from server_secret')).toEqual([])
      await connection.write(() => connection.db.enqueue(secret, { name: 'one' }))
      expect(await rows('select name from server_secret')).toEqual([{ name: 'one' }])
      await connection.close()
    }))

  it('so that everybody sees at once what an operator did', () =>
    onDatabase(async (url) => {
      const service = await startService({ env: { DATABASE_URL: url } })
      await service.user('ada@example.org')
      expect(await seenByAll()).toBeUndefined()
      expect(await facet(url, 'user', 'end-sessions', 'ada@example.org')).toMatchObject({ code: 0 })
      expect(await seenByAll()).toBe(await newestBatch())
      await service.close()
    }))
})

describe('an import', () => {
  it('is not held up by connections that a pooler keeps, and is seen by everybody', () =>
    onDatabase(async (url) => {
      expect(await facet(url, 'import', file)).toMatchObject({ code: 0 }) // `observer` calls itself facet
      expect(await seenByAll()).toBe(await newestBatch())
      const copy = join(folder, 'copy.jsonl')
      await facet(url, 'export', '--out', copy)
      expect(readFileSync(copy).equals(readFileSync(file))).toBe(true)
    }))

  it('waits for a process that was there a moment ago, and refuses one that stays', () =>
    onDatabase(async (url) => {
      await rows(`insert into process (process_id) values ('just stopping')`)
      const going = facet(url, 'import', file)
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await rows(`delete from process`)
      expect(await going).toMatchObject({ code: 0 })
      await rows(`insert into process (process_id, seen_at) values ('killed', now() - interval '59 seconds')`)
      const connection = await open(url)
      await connection.refuseOthers() // by then a minute has passed
      await rows(`insert into process (process_id) values ('there')`)
      await expect(connection.refuseOthers()).rejects.toThrow('in use by another Facet process')
      await connection.close()
    }))

  it('stops, with nothing changed, where the service started while it began', () =>
    onDatabase(async (url) => {
      const connection = await open(url)
      await connection.refuseOthers()
      let service: Awaited<ReturnType<typeof startService>> | undefined
      // Between its look at who is there and its first COMMIT.
      const late: CommandConnection = {
        ...connection,
        async refuseOthers() {
          if (service) return connection.refuseOthers()
          service = await startService({ env: { DATABASE_URL: url } })
        },
      }
      await expect(importFile(late, await checkFile(file), { seal: (_, row) => row })).rejects.toThrow(
        'in use by another Facet process',
      )
      expect(await unfinished()).toEqual([])
      const user = await service!.user()
      expect(await user.ok('POST', '/api/items/search', {})).toEqual([])
      await connection.close()
      await service!.close()
      await expect(startService({ env: { DATABASE_URL: url } }).then((again) => again.close())).resolves.toBe(
        undefined,
      )
    }))

  it('is met by a service only after the service has said that it is there', () =>
    onDatabase(async (url) => {
      await rows('begin; lock table import_state in access exclusive mode')
      const starting = startService({ env: { DATABASE_URL: url } })
      starting.catch(() => {})
      await expect.poll(() => rows('select 1 from process'), { timeout: 20_000 }).toHaveLength(1)
      await rows(`insert into import_state (lines, sha256) values (0, ''); commit`)
      await expect(starting).rejects.toThrow('is not finished')
      expect(await rows('select 1 from process')).toEqual([])
      expect(await facet(url, 'user', 'list')).toMatchObject({
        code: 1,
        err: expect.stringContaining('is not finished'),
      })
    }))

  it('goes into a base once, though two are begun', () =>
    onDatabase(async (url) => {
      const both = await Promise.all([facet(url, 'import', file), facet(url, 'import', file)])
      expect(both.map(({ code }) => code)).toEqual(expect.arrayContaining([0, 1]))
      // The second meets the first at work, or what it has done.
      expect(both.find(({ code }) => code === 1)!.err).toMatch(
        /Another import into this database is going on|The database is not empty: it has 12000 items/,
      )
      expect(await rows('select count(*)::int as n from item')).toEqual([{ n: 12_000 }])
      expect(await unfinished()).toEqual([])
    }))
})

describe('a database that cannot be used', () => {
  const cases: [what: string, change: (url: URL) => void, told: RegExp, starts?: boolean][] = [
    [
      'where nothing listens',
      (url) => (url.port = '1'),
      /PostgreSQL at 127\.0\.0\.1:1 cannot be used: .*REFUSED/,
    ],
    ['that is not there', (url) => (url.pathname = '/none'), /has no database 'none'/],
    ['for an unknown user', (url) => (url.username = 'nobody'), /refuses the user 'nobody': role/],
    ['without tables', (url) => (url.pathname = '/template1'), /has no tables of Facet/, true],
  ]
  for (const [what, change, told, starts] of cases)
    it(`${what} is told of in a sentence`, () =>
      onDatabase(async (given) => {
        const url = new URL(given)
        change(url)
        for (const words of [
          ['user', 'list'],
          ['export', '--out', join(folder, 'none.jsonl')],
        ]) {
          const { code, out, err } = await facet(url.href, ...words)
          expect({ code, out, err }).toMatchObject({ code: 1, out: '', err: expect.stringMatching(told) })
          expect(err.trim().split('\n')).toHaveLength(2)
        }
        if (starts) return
        await expect(preparePostgres(url.href)).rejects.toMatchObject({
          code: 'ServiceUnavailable',
          message: expect.stringMatching(told),
        })
      }))

  it('in another encoding is refused where it is empty, and warned of where it is a base', () =>
    onDatabase(async (given) => {
      const url = new URL(given)
      for (const encoding of ['SQL_ASCII', 'LATIN1']) {
        const name = `${new URL(given).pathname.slice(1)}_other`
        url.pathname = `/${name}`
        await rows(`create database ${name} encoding '${encoding}' template template0 locale 'C'`)
        await expect(preparePostgres(url.href)).rejects.toMatchObject({
          code: 'ServiceUnavailable',
          message: `The database '${name}' is in ${encoding}, and Facet needs UTF-8`,
        })
        await rows(`drop database ${name}`)
      }
      const copy = `${url.pathname.slice(1)}_base`
      url.pathname = `/${copy}`
      await rows(`create database ${copy} encoding 'SQL_ASCII' template template0 locale 'C'`)
      const base = new pg.Client({ connectionString: url.href })
      await base.connect()
      await base.query('create table schema_migration (name text primary key, applied_at text not null)')
      await base.end()
      const { warnings } = await preparePostgres(url.href)
      expect(warnings).toContainEqual(expect.stringMatching(/is in SQL_ASCII, .* Move the base by export/))
      await rows(`drop database ${copy} with (force)`)
    }))

  it('whose certificate nobody has vouched for is reported in a sentence', async () => {
    const own = mkdtempSync(join(tmpdir(), 'facet-certificate-'))
    for (const name of ['cert', 'key']) copyFileSync(`test/support/tls/${name}.pem`, join(own, `${name}.pem`))
    // As the server does not run as root, the key is its own.
    if (process.getuid?.() === 0)
      for (const path of [own, join(own, 'cert.pem'), join(own, 'key.pem')]) chownSync(path, 65534, 65534)
    chmodSync(join(own, 'key.pem'), 0o600)
    const settings = { ssl: 'on', ssl_cert_file: join(own, 'cert.pem'), ssl_key_file: join(own, 'key.pem') }
    const server = await startPostgres({ settings })
    try {
      const url = await server.createDatabase()
      const trusted = `${url}?sslmode=verify-full&sslrootcert=${join(own, 'cert.pem')}`
      await preparePostgres(trusted.replace('127.0.0.1', 'localhost'))
      for (const [rest, told] of [
        [
          '?sslmode=verify-full',
          /^The certificate of PostgreSQL at .* is not trusted: self-signed certificate$/m,
        ],
        [
          '?sslmode=verify-full&sslrootcert=/none.pem',
          /^DATABASE_URL names \/none\.pem, which cannot be read: ENOENT$/m,
        ],
      ] as const) {
        const refused = await facet(url + rest, 'user', 'list')
        expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(told) })
        expect(refused.err.trim().split('\n')).toHaveLength(2)
      }
    } finally {
      await server.stop()
      rmSync(own, { recursive: true })
    }
  })

  for (const [rest, told] of [
    ['?options=-c search_path=nowhere', /^PostgreSQL at .*: no schema has been selected to create in$/],
    ['?options=-c%20nonsense%3D3', /^PostgreSQL at .* refuses the connection: unrecognized .* "nonsense"$/],
    ['?sslmode=verify-full', /^PostgreSQL at .* offers no TLS$/],
  ] as const)
    it(`that cannot be used with ${rest} is reported in a sentence`, () =>
      onDatabase(async (url) => {
        await rows('drop table schema_migration')
        await expect(preparePostgres(url + rest)).rejects.toMatchObject({
          code: 'ServiceUnavailable',
          message: expect.stringMatching(told),
          suggestion: expect.stringMatching(/DATABASE_URL/),
        })
      }))

  it('for want of a right is reported in a sentence', () =>
    onDatabase(async (given) => {
      const url = new URL(given)
      url.username = `weak_${url.pathname.slice(1)}`
      await rows(`create role ${url.username} login`)
      await rows('drop table schema_migration')
      await expect(preparePostgres(url.href)).rejects.toMatchObject({
        message: expect.stringMatching(/lacks a right in 'facet_.*': permission denied/),
      })
      await rows(`drop role ${url.username}`)
    }))
})
