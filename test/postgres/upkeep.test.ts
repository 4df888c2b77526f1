import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let client: Client
let database: pg.Client

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  database = new pg.Client({ connectionString: service.database_url })
  await database.connect()
  await database.query('create extension if not exists pgstattuple')
})
afterAll(async () => {
  await database.end()
  await service.close()
})

/** Texts that every search of the index reads one by one. */
async function pendingTexts(): Promise<number> {
  const { rows } = await database.query<{ pending_tuples: string }>(
    `select pending_tuples from pgstatginindex('item_trigram')`,
  )
  return Number(rows[0]!.pending_tuples)
}

it('lets no search read again and again what was changed last', async () => {
  for (let made = 0; made < 2000; made += 500)
    await client.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 500 }, (_, i) => ({ name: `Item ${made + i}`, description: 'some text' })),
    })
  await expect.poll(pendingTexts, { timeout: 10_000 }).toBe(0)
  await client.ok('POST', '/api/items', { name: 'one more' })
  await expect.poll(pendingTexts, { timeout: 10_000 }).toBe(0)
  expect(await client.ok('POST', '/api/items/search', { filter: { search: 'one more' } })).toHaveLength(1)
})
