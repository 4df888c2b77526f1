import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { WRITE_LOCK } from '#src/engine/postgres-write.ts'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

let database: TestDatabase
let proxy: TcpProxy
let service: Service
let client: Client

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  proxy = await startTcpProxy(database.url)
  service = await startService({ env: { DATABASE_URL: proxy.through(database.url) } })
  client = service.client()
})
afterEach(() => {
  proxy.judge = () => 'pass'
})
afterAll(async () => {
  await service.close()
  await proxy.close()
  await database.drop()
})

const isReady = () => client.get('/api/ready')
const lives = () => client.get('/api/health')

it('is not ready while the database is gone, lives on, and is ready when it is back', async () => {
  for (let time = 0; time < 2; time++) {
    expect(await isReady()).toMatchObject({ status: 200, body: { status: 'ok' } })
    proxy.judge = () => 'cut'
    proxy.cutAll()
    expect(await isReady()).toMatchObject({
      status: 503,
      body: { error: 'ServiceUnavailable', message: 'The database is out of reach' },
    })
    expect(await lives()).toMatchObject({ status: 200, body: { status: 'ok' } })
    proxy.judge = () => 'pass'
    expect((await isReady()).status).toBe(200)
  }
  const user = await service.user()
  await user.ok('POST', '/api/items', { name: 'afterwards' })
})

it('is not ready while the server refuses its connections, and is ready when it takes them', async () => {
  const user = await service.user()
  const name = new URL(database.url).pathname.slice(1)
  const admin = new pg.Client({ connectionString: database.url.replace(/[^/]*$/, 'postgres') })
  await admin.connect()
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  const gone = { status: 503, body: { message: 'The database is out of reach' } }
  expect(await isReady()).toMatchObject(gone)
  expect(await user.post('/api/items/search', { limit: 1 })).toMatchObject(gone)
  expect(await user.post('/api/items', { name: 'lost' })).toMatchObject(gone)
  await admin.query(`alter database ${name} allow_connections true`)
  await admin.end()
  expect((await isReady()).status).toBe(200)
  await user.ok('POST', '/api/items', { name: 'kept' })
})

it('says within seconds that a database does not answer', async () => {
  proxy.judge = () => 'lose'
  const begun = Date.now()
  expect(await isReady()).toMatchObject({ status: 503, body: { message: 'The database does not answer' } })
  expect(Date.now() - begun).toBeLessThan(8000)
  expect((await lives()).status).toBe(200)
  proxy.judge = () => 'pass'
  proxy.cutAll()
  expect((await isReady()).status).toBe(200)
})

it('stays ready while another process makes a long change', async () => {
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  await other.query(`begin; select pg_advisory_xact_lock(${WRITE_LOCK})`)
  expect((await isReady()).status).toBe(200)
  await other.end()
  expect((await isReady()).status).toBe(200)
})

it('is not ready while the disk takes nothing large, though small changes go through, and is when there is room', async () => {
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  await db.query(`create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  for (const [table, column] of [
    ['item_text', 'description'],
    ['server_secret', 'value'],
  ])
    await db.query(`create trigger no_room before insert on ${table} for each row
      when (length(new.${column}) > 50000) execute function no_room()`)
  const user = await service.user()
  const create = (length: number) => user.post('/api/items', { name: 'x', description: 'x'.repeat(length) })
  const full = { status: 503, body: { message: 'The disk of the database is full: nothing was changed' } }
  expect((await isReady()).status).toBe(200)
  expect(await create(60_000)).toMatchObject(full)
  expect((await create(10)).status).toBe(200)
  expect(await isReady()).toMatchObject(full)
  await db.query('drop function no_room cascade')
  await db.end()
  expect((await isReady()).status).toBe(200)
  expect((await create(60_000)).status).toBe(200)
})
