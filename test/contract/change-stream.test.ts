import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ToldEvent } from '#test/support/audit-chain.ts'
import { openChanges } from '#test/support/change-stream.ts'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'
import { ABOVE_ENGINE } from '#test/support/test-database.ts'

const FIRST = '0'.repeat(26)
/** Events of 60 kB each: together more than sockets hold. */
const COUNT = 250
const EMPTY = { name: 'Nothing' }

let service: Service
let client: Client

beforeAll(async () => {
  service = await startService({ heartbeat: 300 })
  client = await service.user()
})
afterAll(() => service.close())

/** Page by page: one ends early where its events are long. */
async function logAfter(from: string): Promise<ToldEvent[]> {
  const log: ToldEvent[] = []
  for (let after_event: string | null = from; after_event !== null;) {
    const page = await client.post('/api/audit-log/search', { after_event, limit: 1000 })
    log.push(...(page.body as ToldEvent[]))
    after_event = page.headers.get('x-next-cursor')
  }
  return log
}
const head = async (): Promise<string> => (await client.ok('GET', '/api/audit-log/head')).event_id ?? FIRST
const create = (name: string): Promise<{ item_id: string }> => client.ok('POST', '/api/items', { name })

describe('GET /api/changes/stream', () => {
  it('tells every event from now on, in order, as the log has it', async () => {
    await create('Before')
    const from = await head()
    const stream = await openChanges(client)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const { item_id } = await create('One')
    await client.ok('PUT', `/api/items/${item_id}`, { name: 'Two' })
    await client.ok('POST', '/api/items/bulk', { items: Array.from({ length: 450 }, () => EMPTY) })
    await client.ok('DELETE', `/api/items/${item_id}`)
    const told = await stream.take(453)
    stream.leave()
    expect(told).toEqual(await logAfter(from))
  })

  it('goes on after an event, each once; the header counts more than the address', async () => {
    const from = await head()
    for (let i = 0; i < 5; i++) await create(`After ${i}`)
    const log = await logAfter(from)
    const after = await openChanges(client, `?after=${from.toLowerCase()}`)
    expect(await after.take(5)).toEqual(log)
    after.leave()
    const again = await openChanges(client, `?after=${from}`, { 'last-event-id': log[2]!.event_id })
    expect(await again.take(2)).toEqual(log.slice(3))
    await create('And now')
    expect((await again.take(1))[0]).toMatchObject({ details: { name: 'And now' } })
    again.leave()
  })

  it('is narrowed by tags, items and types, of the past as of what comes', async () => {
    const from = await head()
    const tag = await client.ok('POST', '/api/tags', { name: 'Narrow', fields: { n: 'Number' } })
    const [a, b] = [await create('A'), await create('B')]
    const both = `?after=${from}&item_ids=${a.item_id},${b.item_id.toLowerCase()}&event_types=item_deleted,tag_applied`
    const stream = await openChanges(client, both)
    const ofTag = await openChanges(client, `?after=${from}&tag_ids=${tag.tag_id}`)
    for (let i = 0; i < 3; i++) await create('Beside')
    const given = { tag: { tag_ref: { Existing: 'Narrow' }, field_values: { n: 1 } } }
    await client.ok('POST', `/api/items/${b.item_id}/tags`, given)
    await client.ok('PUT', `/api/items/${b.item_id}`, { name: 'C' })
    await client.ok('DELETE', `/api/items/${a.item_id}`)
    expect((await stream.take(2)).map(({ event_type, item_id }) => [event_type, item_id])).toEqual([
      ['tag_applied', b.item_id],
      ['item_deleted', a.item_id],
    ])
    expect((await ofTag.take(2)).map(({ event_type }) => event_type)).toEqual(['tag_created', 'tag_applied'])
    stream.leave()
    ofTag.leave()
  })

  for (const [query, message] of [
    ['?after=yesterday', "after: expected an id, got 'yesterday'"],
    ['?item_ids=x,01JJXZ5T7GQ3M8K4B9R2C6D0EF', 'item_ids[0]: expected an id'],
    ['?event_types=item_created,item_made', 'event_types[1]: expected one of item_created, '],
    ['?since=2026', 'since: unknown parameter; expected one of: after, notifications, tag_ids, '],
  ])
    it(`refuses ${query}`, async () => {
      const { status, body } = await client.get(`/api/changes/stream${query}`)
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message!) },
      })
    })

  it('needs a session; readers and read keys may listen', async () => {
    expect((await service.client().get('/api/changes/stream')).status).toBe(401)
    const ben = await service.user('ben@example.org')
    const { user_id } = await ben.ok('GET', '/api/auth/me')
    await client.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
    const stream = await openChanges(ben)
    const { key } = await ben.ok('POST', '/api/keys', { name: 'k', scope: 'read' })
    const byKey = await openChanges(service.client(), '', { authorization: `Bearer ${key}` })
    await create('For all')
    for (const each of [stream, byKey])
      expect(await each.next()).toMatchObject({ details: { name: 'For all' } })
    await ben.ok('POST', '/api/auth/logout')
    expect(await stream.next()).toBeUndefined()
    await client.ok('PUT', `/api/users/${user_id}`, { disabled: true })
    expect(await byKey.next()).toBeUndefined()
  })

  it('lets one user have 100 at once', async () => {
    const cat = await service.user('cat@example.org')
    const streams = await Promise.all(Array.from({ length: 100 }, () => openChanges(cat)))
    expect(await cat.get('/api/changes/stream')).toMatchObject({
      status: 429,
      body: { message: 'You have 100 streams of changes open already: close one first' },
    })
    const { event_id } = (await create('To a hundred'), { event_id: await head() })
    for (const stream of streams) expect(await stream.next()).toMatchObject({ event_id })
    for (const stream of streams) stream.leave()
    const isFree = () =>
      openChanges(cat).then(
        (stream) => (stream.leave(), true),
        () => false,
      )
    await expect.poll(isFree, { timeout: 10_000 }).toBe(true)
  })

  it('sends a comment while nothing happens', async () => {
    const stream = await client.fetch('/api/changes/stream', { signal: AbortSignal.timeout(10_000) })
    const { value } = await stream.body!.getReader().read()
    expect(new TextDecoder().decode(value)).toBe(':\n\n')
  })

  if (ABOVE_ENGINE)
    it('serves those who do not read from the log, and buffers nothing for them', async () => {
      const from = await head()
      const got: string[] = []
      let rest = ''
      const stalled = request(`${service.url}/api/changes/stream`, {
        headers: { cookie: client.cookieHeader },
      })
      stalled.end()
      const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
        stalled.once('response', resolve),
      )
      response.pause()
      const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Long', fields: {} })
      for (let i = 1; i < COUNT; i++)
        await client.ok('PUT', `/api/tags/${tag_id}`, { description: `${i}${'x'.repeat(30_000)}` })
      const log = await logAfter(from)
      expect(log).toHaveLength(COUNT)
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) {
          const [, id] = /^id: (.*)$/m.exec(block) ?? []
          if (id) got.push(id)
        }
      })
      response.resume()
      await expect.poll(() => got.length, { timeout: 20_000 }).toBe(COUNT)
      await create('Live again')
      await expect.poll(() => got.length, { timeout: 5000 }).toBe(COUNT + 1)
      expect(got.slice(0, COUNT)).toEqual(log.map(({ event_id }) => event_id))
      stalled.destroy()
    })
})
