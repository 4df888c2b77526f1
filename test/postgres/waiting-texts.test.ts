import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { noIds } from '#src/engine/transaction.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { enterSomeTexts } from '#src/storage/large/waiting-texts.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import { postgresPool } from '#src/sql/postgres-pool.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const ITEMS = 5000
const run = sqlRunner([searchItems])

let database: TestDatabase
let pool: pg.Pool
let client: pg.PoolClient
/** How the server carries out what was sent. */
let plans: string[] = []

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  pool = postgresPool(database.url, { max: 1, pipeline: true })
  client = await pool.connect()
  await client.query(`insert into item (item_id, name, created_at, updated_at)
    select lpad(n::text, 26, '0'), 'item ' || n, '', '' from generate_series(1, ${ITEMS}) n`)
  await client.query(`insert into item_text (id, name) select id, name from item`)
  await client.query('analyze')
  const send = client.query.bind(client) as (statement: unknown) => Promise<unknown>
  client.query = (async (statement: pg.QueryConfig) => {
    const { rows } = (await send({
      text: `explain ${statement.text.startsWith('select') ? '(analyze, timing off)' : ''} ${statement.text}`,
      values: statement.values,
    })) as pg.QueryResult<Record<string, string>>
    plans.push(rows.map((row) => Object.values(row).join()).join('\n'))
    return send(statement)
  }) as typeof client.query
})
afterAll(async () => {
  client.release()
  await pool.end()
  await database.drop()
})

const connection = (on = client) =>
  new PostgresConnection(on, { match: () => Promise.reject(new Error('no patterns')) })

const namesFound = (text: string): Promise<string[]> => namesOf({ search: text })

async function namesOf(filter: object): Promise<string[]> {
  const db = connection()
  const input = { filter, limit: 20 }
  const { body } = await run(db, { name: searchItems.name, caller: SERVICE, input, now: 0 }, noIds)
  return (JSON.parse(String(body)) as { name: string }[]).map(({ name }) => name)
}

/** Rows of texts that the plans went through. */
const textsRead = (): number =>
  plans
    .join('\n')
    .matchAll(/ on item_text .*actual rows=([\d.]+) loops=(\d+)/g)
    .reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0)

it('a search reads the texts that wait for the index, however many the server takes them for, and no others', async () => {
  for (const waiting of [1, 400]) {
    await client.query({
      text: `with waits as (insert into waiting_text (id) select id from item order by id limit ${waiting}
        on conflict do nothing returning id) update item_text set waits = 1 where id in (select id from waits)`,
    })
    plans = []
    expect(await namesFound('item 77')).toEqual(
      [77, ...Array.from({ length: 10 }, (_, i) => 770 + i)].map((n) => `item ${n}`),
    )
    const read = plans.filter((plan) => plan.includes('waiting_text') && plan.includes('item_text'))
    expect(read.length).toBeGreaterThan(0)
    for (const plan of read) expect(plan).not.toContain('Seq Scan on item_text')
  }
})

it('what is searched for is looked up in the index, though short texts would sooner be read', async () => {
  await client.query({ text: 'update item_text set waits = null' })
  await client.query({ text: 'delete from waiting_text' })
  plans = []
  expect(await namesFound('item 77')).toHaveLength(11)
  expect(plans.filter((plan) => plan.includes('on item_trigram')).length).toBeGreaterThan(0)
  for (const plan of plans) expect(plan).not.toContain('Seq Scan on item_text')
})

it('a page of what many texts hold reads no more of them than it needs', async () => {
  plans = []
  expect(await namesFound('item')).toEqual(Array.from({ length: 20 }, (_, i) => `item ${i + 1}`))
  expect(textsRead()).toBeGreaterThanOrEqual(20)
  expect(textsRead()).toBeLessThan(ITEMS / 5)
})

it('of texts that have several things, those that have one of them alone are not read', async () => {
  await client.query({
    text: `update item_text set description = case id % 2 when 0 then 'alpha' else 'omega' end`,
  })
  await client.query({ text: `update item_text set description = 'alpha and omega' where id = 77` })
  plans = []
  expect(await namesOf({ and: [{ search: 'alpha' }, { search: 'omega' }] })).toEqual(['item 77'])
  expect(textsRead()).toBeLessThan(ITEMS / 5)
})

it('a step locks few more items than it enters texts of', async () => {
  const WAITING = 400
  const ENTERED = 3
  await client.query({ text: 'delete from waiting_text' })
  await client.query({
    text: `insert into waiting_text (id) select id from item order by id limit ${WAITING}`,
  })
  // More than goes into one step, of any two of those behind.
  await client.query({
    text: `update item_text set name = repeat('long text ', 5000) where id in
      (select id from waiting_text order by id offset ${ENTERED})`,
  })
  const others = postgresPool(database.url, { max: 2, pipeline: true })
  const step = await others.connect()
  const db = connection(step)
  await step.query('begin')
  const { waiting } = await enterSomeTexts(db)
  await db.settled()
  expect(WAITING - waiting).toBeGreaterThanOrEqual(ENTERED)
  const { rows } = await others.query(
    `select id from item where id in (select id from waiting_text) for no key update skip locked`,
  )
  await step.query('rollback')
  step.release()
  await others.end()
  expect(WAITING - rows.length).toBeLessThan(30)
})

it('texts wait on while a large change is writing their items, and others enter the index meanwhile', async () => {
  await client.query({ text: 'delete from waiting_text' })
  await client.query({ text: 'insert into waiting_text (id) select id from item order by id limit 3' })
  const enterSome = async () => {
    const db = connection()
    const entered = await enterSomeTexts(db)
    await db.settled()
    return entered
  }
  const large = postgresPool(database.url, { max: 1, pipeline: true })
  const change = await large.connect()
  await change.query('begin')
  await change.query('select id from item order by id limit 2 for no key update')
  await client.query({ text: "select set_config('lock_timeout', '5s', false)" })
  expect(await enterSome()).toEqual({ waiting: 2, has_entered: true })
  expect(await enterSome()).toEqual({ waiting: 2, has_entered: false })
  await change.query('rollback')
  expect(await enterSome()).toEqual({ waiting: 0, has_entered: true })
  change.release()
  await large.end()
})
