import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { startService, type Service } from '#test/support/service.ts'

const ITEMS = 2500

describe('a list without a limit', () => {
  let service: Service
  let user: Client
  let ids: string[]
  beforeAll(async () => {
    service = await startService()
    user = await service.user()
    const created = await user.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: ITEMS }, (_, i) => `item ${i}`),
    })
    ids = created.map(({ item_id }: { item_id: string }) => item_id)
  })
  afterAll(() => service.close())

  it('has everything, in order', async () => {
    const { status, body, headers } = await user.post('/api/items/search')
    expect([status, body.map(({ item_id }: { item_id: string }) => item_id)]).toEqual([200, ids])
    expect([headers.get('content-type'), headers.get('x-next-cursor')]).toEqual([
      'application/json; charset=utf-8',
      null,
    ])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('can be had by query string, from a cursor on', async () => {
    const first = await user.get('/api/items?limit=1000')
    expect(first.body).toHaveLength(1000)
    const rest = await user.get(`/api/items?after=${encodeURIComponent(first.headers.get('x-next-cursor')!)}`)
    expect(rest.body.map(({ item_id }: { item_id: string }) => item_id)).toEqual(ids.slice(1000))
  })

  it('says the total and the warnings before it', async () => {
    await user.ok('POST', '/api/tags', { name: 'Tâche', fields: { done: 'Boolean' } })
    const { headers, body } = await user.post('/api/items/search', {
      filter: { not: { 'Tâche.dön': 1 } },
      count: true,
    })
    expect([body.length, headers.get('x-total-count')]).toEqual([ITEMS, String(ITEMS)])
    const warnings = headers.get('x-filter-warnings')!
    expect(warnings).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(warnings)).toEqual([expect.stringContaining('dön')])
  })

  it('keeps the warnings short', async () => {
    const or = Array.from({ length: 60 }, (_, i) => ({ [`Tâche.${'é'.repeat(150)}${i}`]: 1 }))
    const warnings = (await user.post('/api/items/search', { filter: { or }, limit: 1 })).headers.get(
      'x-filter-warnings',
    )!
    expect(warnings.length).toBeLessThanOrEqual(4096)
    expect(JSON.parse(warnings).length).toBeGreaterThan(0)
    const many = Array.from({ length: 60 }, (_, i) => ({ [`Tâche.x${i}`]: 1 }))
    expect(
      JSON.parse(
        (await user.post('/api/items/search', { filter: { or: many }, limit: 1 })).headers.get(
          'x-filter-warnings',
        )!,
      ),
    ).toHaveLength(20)
  })

  it('is refused as a whole when its first page is', async () => {
    expect(await user.post('/api/items/search', { filter: {} })).toMatchObject({
      status: 400,
      body: { message: 'Filter object cannot be empty' },
    })
    expect(await user.get('/api/items?after=nonsense')).toMatchObject({ status: 400 })
  })

  it('is not read for HEAD', async () => {
    expect(await user.send('HEAD', '/api/items')).toMatchObject({ status: 200, body: '' })
  })
})

describe('memory', () => {
  const SIZE = 2_000
  const COUNT = 20_000

  it('does not grow with the result or with slow readers', async () => {
    await using service = new ServiceProcess({ env: { LOG_LEVEL: 'silent' } })
    const user = new Client(await service.url())
    await user.ok('POST', '/api/auth/register', { email: 'a@b.c', password: 'correct horse' })
    const description = 'x'.repeat(SIZE)
    for (let i = 0; i < COUNT; i += 1000)
      await user.ok('POST', '/api/items/bulk', {
        items: Array.from({ length: 1000 }, (_, j) => ({ name: `${i + j}`, description })),
      })
    await read(user) // all code is loaded and warm
    const before = rss(service.child.pid!)
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, rss(service.child.pid!))), 20)
    const sizes = await Promise.all([
      read(user),
      read(user, 800),
      read(user, 800),
      read(user, 800),
      read(user, 800),
    ])
    clearInterval(watch)
    for (const size of sizes) expect(size).toBeGreaterThan(COUNT * SIZE)
    expect(peak - before).toBeLessThan(120) // of 250 MB that are read
  }, 120_000)
})

/** MB. */
const rss = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Reads all items; lets the server wait first. */
function read(user: Client, wait = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${user.url}/api/items/search`,
      { method: 'POST', headers: { cookie: user.cookieHeader } },
      (response) => {
        let size = 0
        let last = ''
        setTimeout(() => {
          response.on('data', (data: Buffer) => {
            size += data.length
            last = data.toString('latin1', data.length - 1)
          })
        }, wait)
        response.on('end', () => (last === ']' ? resolve(size) : reject(new Error('the JSON is open'))))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
