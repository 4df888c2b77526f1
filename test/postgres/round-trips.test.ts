import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { noIds } from '#src/engine/transaction.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { postgresPool } from '#src/sql/postgres-pool.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

let database: TestDatabase
let pool: pg.Pool
let client: pg.PoolClient
/** How often a statement was sent when the answers of all before it were there. */
let trips = 0

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  pool = postgresPool(database.url, { max: 1, pipeline: true })
  client = await pool.connect()
  await client.query(
    `insert into item (item_id, name, created_at, updated_at) values ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'one', '', '')`,
  )
  let underWay = 0
  const send = client.query.bind(client) as (statement: unknown) => Promise<unknown>
  client.query = ((statement: unknown) => {
    if (!underWay++) trips++
    return send(statement).finally(() => underWay--)
  }) as typeof client.query
})
afterAll(async () => {
  client.release()
  await pool.end()
  await database.drop()
})

it('a search goes to the server for its ids and for its items, and takes along what else it asks', async () => {
  trips = 0
  const db = new PostgresConnection(client, { match: () => Promise.reject(new Error('no patterns')) })
  const input = { filter: { name: { eq: 'one' } }, limit: 20 }
  const { body, meta } = await sqlRunner([searchItems])(
    db,
    { name: searchItems.name, caller: SERVICE, input, now: 0 },
    noIds,
  )
  expect(JSON.parse(String(body))).toMatchObject([{ name: 'one' }])
  expect(meta).toMatchObject({ event_id: '0'.repeat(26) })
  expect(trips).toBe(2)
})

it('a change that writes a text asks once in its transaction which texts wait, where they are few', async () => {
  await client.query(`insert into waiting_text (id) select id from item`)
  const db = new PostgresConnection(client, { match: () => Promise.reject(new Error('no patterns')) })
  const ids = ulidSource(null)
  const tripsOf = async (name: string) => {
    trips = 0
    const call = { name: createItem.name, caller: SERVICE, input: { name }, now: Date.now() }
    await sqlRunner([createItem])(db, call, () => ids(call.now))
    await db.settled()
    return trips
  }
  await client.query('begin')
  await tripsOf('first')
  // For the row's id, and with all that is written by it.
  expect(await tripsOf('second')).toBe(2)
  await client.query('rollback')
})
