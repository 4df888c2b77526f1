import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresPool } from '#src/sql/postgres-pool.ts'
import { PostgresLookups } from '#src/sql/postgres-lookups.ts'
import { query } from '#src/sql/query.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const secret = query((p: { name: string }, sql) =>
  sql.selectFrom('server_secret').select('value').where('name', '=', p.name),
)
const between = query((p: { from: string; to: string }, sql) =>
  sql
    .selectFrom('server_secret')
    .selectAll()
    .where('name', '>=', p.from)
    .where('name', '<', p.to)
    .orderBy('name'),
)
const failures = query((p: { id: number }, sql) =>
  sql.selectFrom('login_failure').select('key').where('id', '=', p.id),
)

let database: TestDatabase
let pool: pg.Pool
let lookups: PostgresLookups
/** Statements that were sent. */
let sent = 0

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  pool = postgresPool(database.url, { max: 4, pipeline: true })
  pool.on('acquire', () => sent++)
  await pool.query(
    `insert into server_secret select 'key ' || n, 'value ' || n from generate_series(1, 500) n`,
  )
  lookups = new PostgresLookups(pool, 30_000)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const valueOf = (name: string) => lookups.get(secret, { name })!

it('reads rows together that are asked for at once, each to the one that asked', async () => {
  sent = 0
  const names = Array.from({ length: 450 }, (_, i) => `key ${(i % 300) + 1}`)
  const rows = await Promise.all(names.map(valueOf))
  expect(rows.map((row) => row?.value)).toEqual(names.map((name) => name.replace('key', 'value')))
  expect(sent).toBeLessThanOrEqual(3)
})

it('answers undefined for what is not there, and leaves out no other for it', async () => {
  const rows = await Promise.all(['key 1', 'nothing', '', `";'{}$1\\`, 'key 2'].map(valueOf))
  expect(rows).toEqual([{ value: 'value 1' }, undefined, undefined, undefined, { value: 'value 2' }])
})

it('answers the first of several rows', async () => {
  const row = lookups.get(between, { from: 'key 40', to: 'key 5' })
  expect(await row).toEqual({ name: 'key 40', value: 'value 40' })
})

it('sees what was written before it was asked', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const others = ['key 1', 'key 2', 'key 3'].map(valueOf)
    await pool.query(`update server_secret set value = $1 where name = 'key 4'`, [`turn ${turn}`])
    expect(await valueOf('key 4')).toEqual({ value: `turn ${turn}` })
    await Promise.all(others)
  }
})

it('leaves to others what is no plain text', () => {
  expect(lookups.get(failures, { id: 1 })).toBeUndefined()
  expect(lookups.get(secret, { name: 'a\0b' })).toBeUndefined()
})

it('fails everybody who asked when the statement fails, and goes on', async () => {
  const waiting = ['key 1', 'key 2'].map((name) => valueOf(name).catch((error: Error) => error.message))
  await pool.query('alter table server_secret rename to hidden')
  const failed = await Promise.all([...waiting, valueOf('key 1').catch((error: Error) => error.message)])
  expect(failed.at(-1)).toMatch(/server_secret/)
  await pool.query('alter table hidden rename to server_secret')
  expect(await valueOf('key 1')).toEqual({ value: 'value 1' })
})
