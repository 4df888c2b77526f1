import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { postgresPool } from '#src/sql/postgres-pool.ts'
import { deletedItems, purgeItems } from '#src/storage/items/deleted-items.ts'
import { bringBack } from '#src/storage/large/returning-items.ts'
import { deletedAmong } from '#src/storage/trash/deleted-rows.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const ITEMS = 20_000

let database: TestDatabase
let pool: pg.Pool
let client: pg.PoolClient
beforeAll(async () => {
  database = await testDatabase(tmpdir())
  pool = postgresPool(database.url, { max: 1, pipeline: true })
  client = await pool.connect()
  await client.query('alter table item set (autovacuum_enabled = off)')
  await client.query(`insert into item (item_id, name, created_at, updated_at)
    select lpad(n::text, 26, '0'), 'item ' || n, '', '' from generate_series(1, ${ITEMS}) n`)
  await client.query('analyze item')
  await client.query(`update item set deleted_at = '2026-01-31T09:30:00.000Z'`)
})
afterAll(async () => {
  client.release()
  await pool.end()
  await database.drop()
})

/** The plans of all that is asked for and carried out, one text each. */
async function plansOf(work: (db: PostgresConnection) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  const { query } = client
  const send = query.bind(client) as (statement: unknown) => Promise<unknown>
  client.query = (async ({ text, values }: pg.QueryConfig) => {
    const { rows } = (await send({ text: `explain ${text}`, values })) as pg.QueryResult<
      Record<string, string>
    >
    plans.push(rows.map((row) => Object.values(row).join()).join('\n'))
    return send({ text, values })
  }) as typeof client.query
  const db = new PostgresConnection(client, { match: () => Promise.reject(new Error('no patterns')) })
  try {
    await work(db)
    await db.settled()
  } finally {
    client.query = query
  }
  return plans
}

const rows = Array.from({ length: 100 }, (_, n) => n * 7 + 1)
const item_ids = rows.map((n) => String(n).padStart(26, '0'))

// The server takes what was deleted for nothing: it would go through all of it, each through the whole list, which took
// a minute for the purge of 20,000, while nobody else could write.
it('deleted items are looked up by their ids, also where the server has not counted what was deleted', async () => {
  const plans = await plansOf(async (db) => {
    expect(await deletedAmong(db, item_ids, {})).toHaveLength(100)
    expect(await deletedItems(db, item_ids)).toHaveLength(100)
  })
  for (const plan of plans) expect(plan).toContain('using item_item_id_key')
  expect(plans.join('\n')).not.toMatch(/item_deleted/)
})

it('so are those that are brought back, and those that are purged', async () => {
  await client.query('begin; set local enable_seqscan = off') // as every write has it
  const plans = await plansOf(async (db) => {
    await bringBack(db, rows)
    await purgeItems(db, rows)
  })
  const { rows: left } = await client.query<{ n: number }>('select count(*)::int as n from item')
  await client.query('rollback')
  expect(left).toEqual([{ n: ITEMS - rows.length }])
  // Read to be indexed again, noted as purged, and removed.
  expect(plans.filter((plan) => plan.includes('using item_pkey'))).toHaveLength(3)
  expect(plans.join('\n')).not.toMatch(/item_deleted/)
})
