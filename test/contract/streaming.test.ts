import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
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
