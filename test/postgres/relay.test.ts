import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Reply } from '#src/domain/reply.ts'
import { startPostgresEngine } from '#src/engine/postgres-engine.ts'
import { Client } from '#test/support/client.ts'
import { openMcpStream, postMessage } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

let database: TestDatabase
/** Carries no LISTEN, as a pooler in transaction mode. */
let pooler: TcpProxy
/** On the way of the one connection that listens. */
let line: TcpProxy
let here: Service
let there: Service
/** One user at two processes. */
let user: Client
let elsewhere: Client

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  pooler = await startTcpProxy(database.url)
  pooler.judge = (chunk) => (chunk.includes('listen facet') ? 'cut' : 'pass')
  line = await startTcpProxy(database.url)
  const env = { DATABASE_URL: pooler.through(database.url), DATABASE_LISTEN_URL: line.through(database.url) }
  here = await startService({ env })
  there = await startService({ env })
  user = await here.user()
  elsewhere = new Client(there.url)
  for (const [name, value] of user.cookies) elsewhere.cookies.set(name, value)
})
afterEach(() => {
  line.judge = () => 'pass'
})
afterAll(async () => {
  await Promise.all([here.close(), there.close()])
  await Promise.all([pooler.close(), line.close()])
  await database.drop()
})

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
const pong = (id: number) => ({ jsonrpc: '2.0', id, result: {} })

async function openStream(client: Client) {
  const { path, next, leave } = await openMcpStream(client)
  return { path: path!, next: next!, leave: leave! }
}

describe('with DATABASE_LISTEN_URL past a pooler', () => {
  it('what a process has missed while its connection was lost comes when it is back, once and in order', async () => {
    // The first messages that this database sees at all.
    const stream = await openStream(user)
    line.judge = () => 'cut'
    line.cutAll()
    for (const id of [1, 2, 3])
      expect(await postMessage(elsewhere, ping(id), stream.path)).toMatchObject({ status: 200 })
    line.judge = () => 'pass'
    for (const id of [1, 2, 3]) expect(await stream.next()).toEqual(pong(id))
    await postMessage(elsewhere, ping(4), stream.path)
    expect(await stream.next()).toEqual(pong(4))
    stream.leave()
  })

  it('messages reach streams of other processes, both ways', async () => {
    for (const [one, other] of [
      [user, elsewhere],
      [elsewhere, user],
    ] as const) {
      const stream = await openStream(one)
      await postMessage(other, ping(1), stream.path)
      expect(await stream.next()).toEqual(pong(1))
      stream.leave()
    }
  })

  it('a message that comes while a process catches up is taken once', { timeout: 60_000 }, async () => {
    const stream = await openStream(user)
    let id = 0
    const state = { done: false }
    const posting = (async () => {
      while (!state.done) await postMessage(elsewhere, ping(++id), stream.path)
    })()
    for (let cut = 0; cut < 3; cut++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      line.cutAll() // both listen again after a second
      await new Promise((resolve) => setTimeout(resolve, 1400))
    }
    state.done = true
    await posting
    const heard: number[] = []
    while (heard.length < id) heard.push(((await stream.next()) as { id: number }).id)
    await postMessage(user, ping(0), stream.path)
    expect(await stream.next()).toEqual(pong(0))
    expect(new Set(heard).size).toBe(id)
    stream.leave()
  })

  it('streams open after a standstill for which the process was taken for gone', async () => {
    const observer = new pg.Client({ connectionString: database.url })
    await observer.connect()
    await observer.query('delete from process')
    await observer.end()
    const stream = await openStream(user)
    await postMessage(elsewhere, ping(7), stream.path)
    expect(await stream.next()).toEqual(pong(7))
    stream.leave()
  })

  it('streams of a session that has ended close when the process hears of it again', async () => {
    const stream = await openStream(user)
    line.judge = () => 'cut'
    line.cutAll()
    await elsewhere.ok('POST', '/api/auth/logout')
    line.judge = () => 'pass'
    const begun = Date.now()
    expect(await stream.next()).toBeUndefined()
    expect(Date.now() - begun).toBeLessThan(8000) // not only at the next heartbeat
  })
})

it('closes while the connection that listens is being made again', async () => {
  const lonely = await startTcpProxy(database.url)
  const engine = await startPostgresEngine({
    url: database.url,
    listen_url: lonely.through(database.url),
    run: async () => Reply.of(null),
    newestId: async () => null,
    log: () => {},
  })
  // What the relay writes last waits until the connection is there.
  const observer = new pg.Client({ connectionString: database.url })
  await observer.connect()
  await observer.query('begin; lock table process')
  const closed = new Promise<void>((resolve) => {
    lonely.judge = (chunk) => {
      if (chunk.includes('pg_is_in_recovery')) resolve(engine.close())
      else if (chunk.includes('listen facet')) void observer.end()
      return 'pass'
    }
  })
  lonely.cutAll()
  setTimeout(() => void observer.end(), 2000)
  await expect(closed).resolves.toBeUndefined()
  await lonely.close()
})

it('keeps one connection to listen, though what was missed could not be read at once', async () => {
  const listens = `select 1 from pg_stat_activity where datname = current_database() and query = 'listen facet'`
  const own = await testDatabase(tmpdir())
  let receivedAgain = false
  const [way, lonely] = [await startTcpProxy(own.url), await startTcpProxy(own.url)]
  const engine = await startPostgresEngine({
    url: way.through(own.url),
    listen_url: lonely.through(own.url),
    run: async () => Reply.of(null),
    newestId: async () => null,
    log: (_, message) => (receivedAgain ||= message.endsWith('received again')),
  })
  let failed = false
  way.judge = (chunk) => {
    if (failed || !chunk.includes('from relay_message where sender')) return 'pass'
    failed = true
    return 'cut'
  }
  lonely.cutAll()
  await expect.poll(() => failed, { timeout: 5000 }).toBe(true)
  const observer = new pg.Client({ connectionString: own.url })
  await observer.connect()
  const count = async () => (await observer.query(listens)).rowCount
  await expect.poll(() => receivedAgain, { timeout: 5000 }).toBe(true)
  await expect.poll(count, { timeout: 5000 }).toBe(1)
  await observer.end()
  await engine.close()
  await Promise.all([way.close(), lonely.close()])
  await own.drop()
})
