import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { tagged } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

const LENGTH = 910_000

describe('items with long descriptions', () => {
  const ITEMS = 21
  let service: Service
  let client: Client

  beforeAll(async () => {
    service = await startService()
    client = await service.user('ada@example.org')
    for (let i = 0; i < ITEMS; i++)
      await client.ok('POST', '/api/items', { name: `Item ${i}`, description: `${i} `.padEnd(LENGTH, 'ä') })
  })
  afterAll(() => service.close())

  it.each([
    ['oldest first', {}],
    ['in an order', { sort: [{ by: 'name' }] }],
    ['with what they refer to', { expand: true }],
  ])('are listed %s in pages that end early, none left out', async (_, body) => {
    const names: string[] = []
    let pages = 0
    for (let after: string | undefined, more = true; more; pages++) {
      const response = await client.fetch('/api/items/search', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
        body: JSON.stringify({ ...body, limit: 1000, after }),
      })
      const text = await response.text()
      expect(text.length).toBeLessThan(1.25 * 8_000_000)
      names.push(...(JSON.parse(text) as { name: string }[]).map(({ name }) => name))
      after = response.headers.get('x-next-cursor') ?? undefined
      more = after !== undefined
    }
    const all = Array.from({ length: ITEMS }, (_, i) => `Item ${i}`)
    expect(names).toEqual('sort' in body ? all.toSorted() : all)
    expect(pages).toBeGreaterThan(1)
  })
})

describe('items of which some are long', () => {
  let service: Service
  let client: Client

  beforeAll(async () => {
    service = await startService()
    client = await service.user('ada@example.org')
    const note = await client.ok('POST', '/api/tags', { name: 'Note', fields: { text: 'String' } })
    const long = (i: number, every: number) => `${i} \u0001 ä`.padEnd(i % every ? 10 : 17_000, 'ä')
    for (let i = 0; i < 90; i++)
      await client.ok('POST', '/api/items', {
        name: `Item ${i}`,
        description: i % 3 ? long(i, 7) : null,
        tags: i % 2 ? [tagged(note, { text: long(i, 11) })] : [],
      })
  })
  afterAll(() => service.close())

  it.each([
    ['oldest first', []],
    ['in another order', [{ by: 'name', direction: 'desc' }]],
  ])('are listed %s as each is read by itself', async (_, sort) => {
    const listed: Record<string, unknown>[] = await client.ok('POST', '/api/items/search', {
      sort,
      limit: 80,
    })
    const whole = await client.ok('POST', '/api/items/search', { sort })
    expect(whole).toHaveLength(90)
    expect(whole.slice(0, 80)).toEqual(listed)
    for (const { tags, ...item } of listed)
      expect(await client.ok('GET', `/api/items/${item.item_id as string}`)).toEqual({ ...item, data: tags })
  })

  it('are listed after many short ones, and before more of them', async () => {
    const items = Array.from({ length: 150 }, (_, i) => ({
      name: `Late ${i}`,
      description: i === 100 ? 'ä'.repeat(20_000) : null,
    }))
    await client.ok('POST', '/api/items/bulk', { items })
    const filter = { name: { starts_with: 'Late' } }
    const found: typeof items = await client.ok('POST', '/api/items/search', { filter })
    expect(found.map(({ name, description }) => ({ name, description }))).toEqual(items)
  })
})
