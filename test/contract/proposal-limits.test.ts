import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '#src/app.ts'
import { loadConfig } from '#src/config/read-config.ts'
import { Client } from '#test/support/client.ts'
import { keptThreads } from '#test/support/kept-threads.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const DAY = 24 * 60 * 60 * 1000
const LONG_TEXT = 'x'.repeat(60_000)

let folder: string
let database: TestDatabase
let app: Awaited<ReturnType<typeof startApp>>
let owner: Client
let editor: Client

/** The service, at a time this much later: it sweeps when it starts. */
async function start(later = 0): Promise<void> {
  const env = { PORT: '0', DATABASE_URL: database.url, FILES: join(folder, 'files'), LOG_LEVEL: 'silent' }
  app = await startApp({
    config: loadConfig(env),
    startThread: await keptThreads(),
    clock: () => Date.now() + later,
  })
}
async function signIn(email: string, path: string): Promise<Client> {
  const client = new Client(app.url)
  await client.ok('POST', path, { email, password: 'correct horse' })
  return client
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-proposals-'))
  database = await testDatabase(folder)
  await start()
  owner = await signIn('a@example.org', '/api/auth/register')
  editor = await signIn('b@example.org', '/api/auth/register')
  await owner.ok('POST', '/api/tags', { name: 'Note', fields: { text: 'String' } })
})
afterAll(async () => {
  await app.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const propose = (operations: object[], by = editor) => by.post('/api/proposals', { operations })
const create = (name: string) => ({ operation: 'createItem', input: { name } })
const open = (by: Client): Promise<object[]> => by.ok('GET', '/api/proposals?state=open')

describe('a proposal', () => {
  it('is accepted in large parts: what stays open is answered', async () => {
    const items = Array.from({ length: 5100 }, (_, i) => ({ name: `Part ${i}` }))
    const ids: string[] = (await owner.ok('POST', '/api/items/bulk', { items })).map(
      ({ item_id }: { item_id: string }) => item_id,
    )
    const tagged = { tag_ref: { Existing: 'Note' }, field_values: { text: 'proposed' } }
    const input = { filter: { id: { in: ids } }, tag: tagged }
    const { proposal_id } = (await propose([{ operation: 'bulkApplyTag', input }])).body
    const tag = { tag_ref: { Existing: 'Note' }, field_values: { text: 'another' } }
    await owner.ok('POST', `/api/items/${ids[5099]}/tags`, { tag })
    const key = { 'idempotency-key': 'accepted in parts' }
    const accept = () =>
      owner.post(`/api/proposals/${proposal_id}/accept`, { item_ids: ids.slice(0, 5050) }, key)
    const { body: rest } = await accept()
    expect(rest).toMatchObject({ state: 'open', conflicts: [{ item_id: ids[5099] }] })
    const again = await accept()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(rest)
    expect(rest.changes.map(({ item_id }: { item_id: string }) => item_id)).toEqual(ids.slice(5050))
    const last = await owner.ok('POST', `/api/proposals/${proposal_id}/accept`, { on_conflict: 'skip' })
    expect(last).toMatchObject({ state: 'open', conflicts: [{ item_id: ids[5099] }] })
    expect(last.changes).toHaveLength(1)
    const filter = { 'Note.text': 'proposed' }
    const accepted = await owner.post('/api/items/search', { filter, count: true, limit: 0 })
    expect(accepted.headers.get('x-total-count')).toBe('5099')
    await editor.ok('POST', `/api/proposals/${proposal_id}/withdraw`)
  })

  it('has at most 10,000 events, and 16 MB', async () => {
    const items = Array.from({ length: 5001 }, (_, i) => ({ name: `Item ${i}` }))
    const bulk = { operation: 'bulkCreate', input: { items } }
    const many = await propose([bulk, bulk])
    expect(many).toMatchObject({ status: 400, body: { message: expect.stringContaining('10000 events') } })
    const notes = Array.from({ length: 300 }, (_, i) => ({
      name: `Note ${i}`,
      tags: [{ tag_ref: { Existing: 'Note' } }],
    }))
    await owner.ok('POST', '/api/items/bulk', { items: notes })
    const set = (filter: object) => ({
      operation: 'bulkUpdateFields',
      input: { filter, tag_id: 'Note', field_values: { text: LONG_TEXT }, merge: true },
    })
    const large = await propose([set({ has_tag: 'Note' })])
    expect(large).toMatchObject({ status: 400, body: { message: expect.stringContaining('16 MB') } })
    expect(await open(owner)).toEqual([])
    const some = await propose([set({ name: { regex: '^Note 1?[0-9]$' } })])
    expect(some).toMatchObject({ status: 201, body: { changed_count: 20 } })
    await editor.ok('POST', `/api/proposals/${some.body.proposal_id}/withdraw`)
  })

  it('is one of at most 100 open ones of an account: 409', async () => {
    const made: string[] = []
    for (let i = 0; i < 100; i++) {
      const { status, body } = await propose([create(`Proposed ${i}`)])
      expect(status).toBe(201)
      made.push(body.proposal_id)
    }
    expect(await propose([create('One more')])).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('100 open proposals') },
    })
    expect((await propose([create('Of somebody else')], owner)).status).toBe(201)
    await owner.ok('POST', `/api/proposals/${made[0]}/refuse`, {})
    expect((await propose([create('One more')])).status).toBe(201)
  })
})

describe('a notification', () => {
  it('is one of at most 1,000 of an account, the newest', async () => {
    const { view_id } = await owner.ok('POST', '/api/views', { name: 'New', filter: { search: 'Rung' } })
    await owner.ok('PUT', `/api/views/${view_id}/watch`, { enter: true })
    for (let i = 0; i < 51; i++) {
      const items = Array.from({ length: 20 }, (_, n) => ({ name: `Rung ${i} ${n}` }))
      await editor.ok('POST', '/api/items/bulk', { items })
    }
    const told = () => owner.ok('GET', '/api/notifications')
    for (;;) {
      const [newest] = await told()
      if (newest.name === 'Rung 50 19') break
      await setTimeout(50)
    }
    const kept = await told()
    expect(kept).toHaveLength(1000)
    expect(kept.at(-1)).toMatchObject({ name: 'Rung 1 0' })
  })
})

it('withdraws proposals that nobody touched for 90 days, and forgets notifications of then', async () => {
  const before = await open(owner)
  expect(before).toHaveLength(101)
  await app.close()
  await start(89 * DAY)
  owner = await signIn('a@example.org', '/api/auth/login')
  expect(await open(owner)).toHaveLength(101)
  const list = () => owner.ok('GET', '/api/notifications')
  expect((await list()).length).toBeGreaterThan(900)
  await app.close()
  await start(91 * DAY)
  owner = await signIn('a@example.org', '/api/auth/login')
  await expect.poll(() => open(owner), { timeout: 20_000 }).toEqual([])
  const withdrawn = await owner.ok('GET', '/api/proposals?state=withdrawn&limit=1')
  expect(withdrawn).toMatchObject([{ reason: expect.stringContaining('90 days'), decided_by: null }])
  // Of what it was told before nothing is left; that its own proposal was withdrawn is new.
  await expect
    .poll(async () => (await list()).map(({ kind }: { kind: string }) => kind), { timeout: 20_000 })
    .toEqual(['proposal_decided'])
})
