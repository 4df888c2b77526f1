import { setTimeout as wait } from 'node:timers/promises'
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

const items = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `Item ${i}`, description: 'some text' }))

/** Tables of which the planner knows how their values are distributed. */
async function knownTables(): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select distinct tablename as name from pg_stats where tablename in ('item', 'item_text', 'audit_event') order by 1`,
  )
  return rows.map(({ name }) => name)
}

it('leaves no base that has just been filled without statistics', async () => {
  for (const table of ['item', 'item_text', 'audit_event'])
    await database.query(`alter table ${table} set (autovacuum_enabled = off)`)
  expect(await knownTables()).toEqual([])
  await client.ok('POST', '/api/items/bulk', { items: items(150) })
  await client.ok('POST', '/api/items/bulk', { items: items(150) })
  await expect
    .poll(
      async () => {
        await client.ok('POST', '/api/items', { name: 'another' })
        return knownTables()
      },
      // A connection that writes nothing more says what it has written after ten seconds.
      { timeout: 30_000, interval: 500 },
    )
    .toEqual(['audit_event', 'item', 'item_text'])
})

it('leaves a table that another holds to it, and ends with the service', async () => {
  const held = await startService()
  const user = await held.user()
  const other = new pg.Client({ connectionString: held.database_url })
  // Ended with its database.
  other.on('error', () => undefined)
  await other.connect()
  await other.query('create extension pgstattuple; begin; lock table item in share update exclusive mode')
  const pending = async () => {
    const { rows } = await other.query<{ n: string }>(
      `select pending_tuples as n from pgstatginindex('item_trigram')`,
    )
    return Number(rows[0]!.n)
  }
  await user.ok('POST', '/api/items/bulk', { items: items(300) })
  await expect.poll(pending, { timeout: 10_000 }).toBe(0)
  await user.ok('POST', '/api/items/bulk', { items: items(300) })
  await expect.poll(pending, { timeout: 10_000 }).toBe(0)
  const ended = held.close()
  const waited = await Promise.race([ended, wait(8000, 'too long')])
  await other.end().catch(() => undefined)
  await ended
  expect(waited).toBe(undefined)
})

it('lets no search read again and again what was changed last', async () => {
  for (let made = 0; made < 2000; made += 500)
    await client.ok('POST', '/api/items/bulk', { items: items(500) })
  await expect.poll(pendingTexts, { timeout: 10_000 }).toBe(0)
  await client.ok('POST', '/api/items', { name: 'one more' })
  await expect.poll(pendingTexts, { timeout: 10_000 }).toBe(0)
  expect(await client.ok('POST', '/api/items/search', { filter: { search: 'one more' } })).toHaveLength(1)
})
