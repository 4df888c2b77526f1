import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectedChain, type ToldEvent } from '#test/support/audit-chain.ts'
import { openChanges } from '#test/support/change-stream.ts'
import { Client } from '#test/support/client.ts'
import { hold } from '#test/support/hold-lock.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const START_TIMEOUT = 120_000
const EACH = 60

let database: TestDatabase
let processes: ServiceProcess[]
let first: Client
let second: Client

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', TEST_ENGINE: '' }
  processes = [new ServiceProcess({ env }), new ServiceProcess({ env })]
  const [a, b] = await Promise.all(processes.map((each) => each.url()))
  first = new Client(a!)
  await first.ok('POST', '/api/auth/register', { email: 'ann@example.org', password: 'correct horse' })
  second = new Client(b!)
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
}, START_TIMEOUT)
afterAll(async () => {
  await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
  await database.drop()
})

it('two processes write one chain, and streams of both send all of it in one order', async () => {
  const streams = await Promise.all([first, second].map((each) => openChanges(each)))
  const create = async (client: Client, name: string) => {
    for (let i = 0; i < EACH; i++) await client.ok('POST', '/api/items', { name: `${name} ${i}` })
  }
  await Promise.all([create(first, 'a'), create(second, 'b'), create(first, 'c'), create(second, 'd')])
  const [here, there] = await Promise.all(streams.map((each) => each.take(4 * EACH)))
  for (const stream of streams) stream.leave()
  const log: ToldEvent[] = await first.ok('POST', '/api/audit-log/search', {
    after_event: '0'.repeat(26),
    limit: 1000,
  })
  expect(here).toEqual(log)
  expect(there).toEqual(log)
  expect(log.map(({ details_hash, hash }) => ({ details_hash, hash }))).toEqual(expectedChain(log))
})

it('what another process commits is sent within 100 ms', async () => {
  const stream = await openChanges(second)
  const times: number[] = []
  for (let i = 0; i < 21; i++) {
    await first.ok('POST', '/api/items', { name: `Told ${i}` })
    const since = performance.now()
    await stream.next()
    times.push(performance.now() - since)
    await new Promise((resume) => setTimeout(resume, 60))
  }
  stream.leave()
  expect(times.toSorted((a, b) => a - b)[10]).toBeLessThan(100)
})

it('a stream whose session ends before it begins is 401', async () => {
  const leaver = new Client(first.url)
  await leaver.ok('POST', '/api/auth/register', { email: 'leaver@example.org', password: 'correct horse' })
  const view = await leaver.ok('POST', '/api/views', { name: 'Mine', filter: { name: 'x' } })
  const filters = await hold(database.url, 'lock table view_filter in access exclusive mode')
  const asked = leaver.get(`/api/views/${view.view_id}/stream`)
  await filters.wanted()
  await leaver.ok('POST', '/api/auth/logout')
  await filters.letGo()
  expect(await asked).toMatchObject({ status: 401, body: { error: 'Unauthorized' } })
})
