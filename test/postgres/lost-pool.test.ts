import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Engine } from '#src/engine/engine.ts'
import { startPostgresEngine } from '#src/engine/postgres-engine.ts'
import { type Db, query } from '#src/sql/query.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const secret = query((p: { name: string }, sql) =>
  sql.selectFrom('server_secret').select('value').where('name', '=', p.name),
)
const operations: Record<string, (db: Db, input: { name: string }) => Promise<unknown>> = {
  lookup: async (db, { name }) => (await db.get(secret, { name })) ?? null,
  sleep: (db) => db.select({ sql: 'select pg_sleep(0.1)', parameters: [] }),
}

const TIMEOUT = 4000

let database: TestDatabase
let proxy: TcpProxy
let engine: Engine

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  proxy = await startTcpProxy(database.url)
  engine = await startPostgresEngine({
    url: proxy.through(database.url),
    run: async (db, { name, input }) => Reply.of(await operations[name]!(db, input as never)),
    newestId,
    log: () => {},
    timeouts: { read: TIMEOUT, change: 60_000 },
  })
})
afterAll(async () => {
  await engine.close()
  await proxy.close()
  await database.drop()
})

const call = (name: string, input = {}) => ({ name, caller: SERVICE, input, now: Date.now() })

/** Cuts every connection when a statement that holds the text is on its way. */
function cutAt(text: string): void {
  proxy.judge = (chunk) => {
    if (!chunk.includes(text)) return 'pass'
    proxy.judge = () => 'pass'
    setImmediate(() => proxy.cutAll())
    return 'lose'
  }
}

it('answers every lookup that was asked for when the connections were lost', async () => {
  cutAt('server_secret')
  const lookups = Array.from({ length: 2000 }, (_, i) => engine.readInline(call('lookup', { name: `${i}` })))
  expect((await Promise.all(lookups)).every(({ json }) => json === 'null')).toBe(true)
})

it('answers soon what waited for a connection when all were lost', async () => {
  const begun = Date.now()
  cutAt('pg_sleep')
  await Promise.all(Array.from({ length: 20 }, () => engine.read(call('sleep'))))
  expect(Date.now() - begun).toBeLessThan(8000)
})

it('asks again for lookups that nobody answers', async () => {
  let lost = 0
  // Two statements under way at once are all that there may be.
  proxy.judge = (chunk) => (chunk.includes('server_secret') && ++lost <= 2 ? 'lose' : 'pass')
  const begun = Date.now()
  const lookups: Promise<Reply>[] = []
  for (let i = 0; i < 3; i++) {
    lookups.push(engine.readInline(call('lookup', { name: `${i}` })))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect((await Promise.all(lookups)).map(({ json }) => json)).toEqual(['null', 'null', 'null'])
  expect(lost).toBeGreaterThan(2)
  expect(Date.now() - begun).toBeGreaterThanOrEqual(TIMEOUT)
})

it('asks once more for the key of a call, and says that the database is out of reach', async () => {
  cutAt('pg_try_advisory_xact_lock_shared')
  expect(await engine.isHeld('a key')).toBe(false)
  proxy.judge = () => 'cut'
  proxy.cutAll()
  await expect(engine.isHeld('a key')).rejects.toMatchObject({ code: 'ServiceUnavailable' })
  proxy.judge = () => 'pass'
  expect(await engine.isHeld('a key')).toBe(false)
})
