import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { postgresPool } from '#src/sql/postgres-pool.ts'
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

it('deleted items are looked up by their ids, also where the server has not counted what was deleted', async () => {
  const plans: string[] = []
  const send = client.query.bind(client) as (statement: unknown) => Promise<unknown>
  client.query = (async ({ text, values }: pg.QueryConfig) => {
    const { rows } = (await send({ text: `explain ${text}`, values })) as pg.QueryResult<
      Record<string, string>
    >
    plans.push(rows.map((row) => Object.values(row).join()).join('\n'))
    return send({ text, values })
  }) as typeof client.query
  const db = new PostgresConnection(client, { match: () => Promise.reject(new Error('no patterns')) })
  const item_ids = Array.from({ length: 100 }, (_, n) => String(n * 7 + 1).padStart(26, '0'))
  expect(await deletedAmong(db, item_ids, {})).toHaveLength(100)
  expect(plans.join('\n')).toContain('using item_item_id_key')
  expect(plans.join('\n')).not.toContain('item_deleted_at')
})
