import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { addUp, type LiveMessage, openLive } from '#test/support/live-stream.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const START_TIMEOUT = 120_000
const OPEN = { 'Task.state': 'open' }

let database: TestDatabase
let processes: ServiceProcess[]
let here: Client
let there: Client
let tag_id: string

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', TEST_ENGINE: '' }
  processes = [new ServiceProcess({ env }), new ServiceProcess({ env })]
  const [a, b] = await Promise.all(processes.map((each) => each.url()))
  here = new Client(a!)
  await here.ok('POST', '/api/auth/register', { email: 'ann@example.org', password: 'correct horse' })
  there = new Client(b!)
  for (const [name, value] of here.cookies) there.cookies.set(name, value)
  tag_id = (await here.ok('POST', '/api/tags', { name: 'Task', fields: { state: 'String', n: 'Number' } }))
    .tag_id
}, START_TIMEOUT)
afterAll(async () => {
  await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
  await database.drop()
})

const make = async (name: string, field_values: object): Promise<string> =>
  (await here.ok('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: 'Task' }, field_values }] }))
    .item_id
const set = (by: Client, item_id: string, field_values: object) =>
  by.ok('PUT', `/api/items/${item_id}/tags/${tag_id}`, { field_values, merge: true })
const brief = ({ kind, item, item_id }: LiveMessage) => [kind, item?.item_id ?? item_id]

it('what changes at one process is sent by streams of the other, which the first goes on from', async () => {
  const item_id = await make('told', { state: 'done' })
  const stream = await openLive(there, { filter: OPEN })
  await set(here, item_id, { state: 'open' })
  const enter = await stream.next()
  expect(brief(enter)).toEqual(['enter', item_id])
  await set(here, item_id, { n: 1 })
  expect(brief(await stream.next())).toEqual(['change', item_id])
  await set(here, item_id, { state: 'done' })
  const left = await stream.next()
  expect(brief(left)).toEqual(['leave', item_id])
  stream.leave()
  await set(there, item_id, { state: 'open' })
  // From what the other process told: with nothing left out, and nothing told again.
  const again = await openLive(here, { filter: OPEN }, { 'last-event-id': left.id })
  expect(brief(await again.next())).toEqual(['enter', item_id])
  again.leave()
  const from_enter = await openLive(here, { filter: OPEN }, { 'last-event-id': enter.id })
  expect(brief(await from_enter.next())).toEqual(['change', item_id])
  from_enter.leave()
})

it('a view that changes, or is deleted, at one process does so for streams of the other', async () => {
  const item_id = await make('of a view', { state: 'open' })
  const { view_id } = await here.ok('POST', '/api/views', {
    name: 'V',
    filter: { 'Task.state': 'none' },
  })
  const stream = await openLive(there, `/api/views/${view_id}/stream`)
  await here.ok('PUT', `/api/views/${view_id}`, {
    name: 'V',
    icon: '📋',
    filter: { and: [OPEN, { name: 'of a view' }] },
  })
  expect(brief(await stream.next())).toEqual(['enter', item_id])
  await here.ok('DELETE', `/api/views/${view_id}`)
  expect((await stream.next()).kind).toBe('end')
  expect(await stream.next()).toBeUndefined()
})

it('a stream whose look at what has changed takes too long is told to search again, and goes on', async () => {
  await using slow = new ServiceProcess({
    env: { DATABASE_URL: database.url, LOG_LEVEL: 'error', QUERY_TIMEOUT: '2s', TEST_ENGINE: '' },
  })
  const client = new Client(await slow.url())
  for (const [name, value] of here.cookies) client.cookies.set(name, value)
  const begin = (await here.post('/api/items/search', { limit: 1 })).headers.get('x-event-id')!
  const ids = await Promise.all(['a', 'b', 'c'].map((name) => make(name, { state: 'open' })))
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  await other.query('begin')
  await other.query('lock table item in access exclusive mode')
  const stream = await openLive(client, { filter: OPEN }, { 'last-event-id': begin })
  const first = await stream.next()
  await other.query('rollback')
  await other.end()
  expect(first).toMatchObject({ kind: 'reset', count: ids.length })
  await set(here, ids[0]!, { state: 'done' })
  expect(brief(await stream.next())).toEqual(['leave', ids[0]])
  stream.leave()
})

it('a stream goes on at the other process when its own is killed, without loss', async () => {
  const begin = (await here.post('/api/items/search', { limit: 1 })).headers.get('x-event-id')!
  let by = there
  const stream = addUp(() => by, { 'Task.n': { gte: 5 } }, begin)
  const ids = await Promise.all('abcdef'.split('').map((name) => make(name, { n: 0 })))
  for (let round = 0; round < 12; round++) {
    if (round === 4) {
      by = here
      processes[1]!.child.kill('SIGKILL')
    }
    await Promise.all(ids.map((item_id, i) => set(here, item_id, { n: (i + round * 5) % 11 })))
  }
  const found = await here.ok('POST', '/api/items/search', { filter: { 'Task.n': { gte: 5 } }, limit: 100 })
  await expect.poll(() => stream.items(), { timeout: 10_000 }).toEqual(found)
  expect(stream.opened()).toBeGreaterThan(1)
  await stream.stop()
})
