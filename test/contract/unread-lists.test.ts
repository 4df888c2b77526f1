import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { parsePrometheus } from '#test/support/prometheus.ts'
import { startService, type Service } from '#test/support/service.ts'

const ITEMS = 300
const MAX_LISTS = 10
/** Reads that the service itself makes beside them: columns, words and texts are prepared so. */
const OF_ITS_OWN = 5

describe('lists that nobody reads', () => {
  let service: Service
  let user: Client
  beforeAll(async () => {
    service = await startService({ env: { METRICS_PORT: '0' } })
    user = await service.user()
    const description = 'x'.repeat(75_000)
    await user.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: ITEMS }, (_, i) => ({ name: `item ${i}`, description })),
    })
  })
  afterAll(() => service.close())

  /** The head of an answer whose body is not read. */
  async function open(client: Client, path = '/api/items'): Promise<IncomingMessage> {
    const request = get(service.url + path, { headers: { cookie: client.cookieHeader }, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response
  }

  it('of one account are read two pages at a time: the engine has room for others', async () => {
    const reader = await service.user()
    const under = { way: true }
    const queued = (async () => {
      let most = 0
      while (under.way) most = Math.max(most, await readsUnderWay(service))
      return most
    })()
    const lists = await Promise.all(Array.from({ length: MAX_LISTS }, () => reader.ok('GET', '/api/items')))
    under.way = false
    expect(lists.map((list) => list.length)).toEqual(lists.map(() => ITEMS))
    expect(await queued).toBeGreaterThan(0)
    expect(await queued).toBeLessThanOrEqual(2 + OF_ITS_OWN)
  })

  it('are bounded for each account, and free when they end', async () => {
    const unread = await Promise.all(Array.from({ length: MAX_LISTS }, () => open(user)))
    expect(unread.map(({ statusCode }) => statusCode)).toEqual(unread.map(() => 200))
    const refused = await open(user)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30'])
    expect(JSON.parse(await text(refused)).message).toContain('10 whole lists open')
    const other = await service.user()
    expect(await other.ok('GET', '/api/items')).toHaveLength(ITEMS)
    for (const response of unread) response.destroy()
    await expect.poll(async () => (await user.get('/api/items')).status, { timeout: 20_000 }).toBe(200)
  })

  it('end with their session', async () => {
    const leaving = await service.user()
    const response = await open(leaving)
    await leaving.ok('POST', '/api/auth/logout')
    const body = await text(response).catch((error: Error & { code: string }) => error.code)
    expect(body).toBe('ECONNRESET')
  })

  it('come in pages that are small however long an item is', async () => {
    const page = await user.get('/api/items?limit=1000')
    expect(page.body.length).toBeLessThan(ITEMS)
    expect(page.headers.get('x-next-cursor')).toBeTruthy()
    expect(await user.ok('GET', '/api/items')).toHaveLength(ITEMS)
  })

  it('of tags end their pages early too', async () => {
    const description = 'x'.repeat(500_000)
    for (let i = 0; i < 20; i++)
      await user.ok('POST', '/api/tags', { name: `Tag ${i}`, description, fields: {} })
    const page = await user.get('/api/tags?limit=1000')
    expect(page.body.length).toBeLessThan(20)
    const next = encodeURIComponent(page.headers.get('x-next-cursor')!)
    const rest = await user.ok('GET', `/api/tags?after=${next}`)
    expect(page.body.length + rest.length).toBe(20)
    expect(await user.ok('GET', '/api/tags')).toHaveLength(20)
  })
})

/** Reads that wait for the database or are under way there. */
async function readsUnderWay({ metrics_url }: Service): Promise<number> {
  const response = await fetch(`${metrics_url}/metrics`)
  const { series } = parsePrometheus(await response.text()).get('facet_engine_queue_length')!
  return series.filter(({ labels }) => labels.kind !== 'write').reduce((sum, { value }) => sum + value, 0)
}
