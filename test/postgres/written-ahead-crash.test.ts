import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { countIndexRows, queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { hold } from '#test/support/hold-lock.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

/** So many that a change of them is written before its turn. */
const ITEMS = 5050
const TIMEOUT = 120_000
/** Milliseconds in which somebody else's write is answered, on a busy machine too. */
const AT_ONCE = 5000

let database: TestDatabase
let service: ServiceProcess
let user: Client
/** An item that no change here is of. */
let other: string

async function start(): Promise<{ service: ServiceProcess; client: Client }> {
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent', TEST_ENGINE: '' }
  const started = new ServiceProcess({ env })
  const client = new Client(await started.url())
  for (const [name, value] of user?.cookies ?? []) client.cookies.set(name, value)
  return { service: started, client }
}

const restart = async () => ({ service, client: user } = await start())

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  await restart()
  await user.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'never lost' })
  await user.ok('POST', '/api/tags', { name: 'Task', fields: { owner: 'String' } })
  const tags = [{ tag_ref: { Existing: 'Task' }, field_values: { owner: 'nobody' } }]
  const items = Array.from({ length: ITEMS }, (_, i) => ({ name: `Task ${i}`, tags }))
  await user.ok('POST', '/api/items/bulk', { items })
  ;({ item_id: other } = await user.ok('POST', '/api/items', { name: 'Other' }))
}, TIMEOUT)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await database.drop()
})

const filter = { has_tag: 'Task' }
const fields = { text: 'String', n: 'Number' }
const apply = (name: string) =>
  [
    '/api/items/bulk-apply-tag',
    { filter, tag: { tag_ref: { New: { name, fields } }, field_values: { text: 'Words', n: 7 } } },
  ] as const
const set = (owner: string) =>
  ['/api/items/bulk-update-fields', { filter, tag_id: 'Task', field_values: { owner }, merge: true }] as const

const query = (sql: string) => queryDatabase({ database_url: database.url }, sql)
async function state(): Promise<Record<string, number>> {
  const [counts] =
    await query(`select (select count(*) from tag) as tags, (select count(*) from field) as fields,
    (select count(*) from change) as changes, (select count(*) from audit_event) as events,
    (select count(*) from audit_draft) as drafts, (select count(*) from kept_answer) as answers,
    (select count(distinct updated_at) from item where name like 'Task%') as times`)
  const numbers = Object.entries(counts!).map(([what, count]) => [what, Number(count)])
  return { ...Object.fromEntries(numbers), ...(await countIndexRows({ database_url: database.url })) }
}

describe('kill -9 of the service in the middle of a change of many items', () => {
  for (const [what, change] of [
    ['that makes a tag', apply('Fresh')],
    ['that sets a field', set('Somebody')],
  ] as const)
    for (const [when, table] of [
      ['while its rows are written ahead', 'field_value'],
      ['in its turn', 'audit_draft'],
    ] as const)
      it(
        `${what}, ${when}: nothing of it is there, others write at once, and it is made again`,
        async () => {
          await user.ok('GET', '/api/audit-log/head') // nothing waits to be entered
          const before = await state()
          const [path, body] = change
          const key = { 'idempotency-key': `${what} ${when}` }
          const held = await hold(database.url, `lock table ${table} in share row exclusive mode`)
          const lost = user.send('POST', path, body, key).catch(() => 'lost')
          await held.wanted()
          service.child.kill('SIGKILL')
          expect(await lost).toBe('lost')
          await held.letGo()
          await restart()
          const began = performance.now()
          await user.ok('PUT', `/api/items/${other}`, { description: `${what} ${when}` })
          expect(performance.now() - began).toBeLessThan(AT_ONCE)
          const { changes, events } = before
          expect(await state()).toEqual({ ...before, changes: changes! + 1, events: events! + 1 })

          const made = await user.send('POST', path, body, key)
          expect(made).toMatchObject({ status: 200, body: { affected_count: ITEMS, changed_count: ITEMS } })
          const again = await user.send('POST', path, body, key)
          expect(again.body).toEqual(made.body)
          await user.ok('POST', '/api/changes/undo', { change_ids: [made.headers.get('x-change-id')!] })
        },
        TIMEOUT,
      )
})

describe('two processes that are asked for changes of the same items at once', () => {
  it(
    'make them one after the other',
    async () => {
      const second = await start()
      try {
        const changes = [apply('One'), set('First'), apply('Two'), set('Second')]
        const made = await Promise.all(
          changes.map(([path, body], i) => [user, second.client][i % 2]!.send('POST', path, body)),
        )
        for (const each of made)
          expect(each).toMatchObject({ status: 200, body: { affected_count: ITEMS, changed_count: ITEMS } })
        for (const found of [{ 'One.text': 'Words' }, { 'Two.n': 7 }]) {
          const { headers } = await user.post('/api/items/search', { filter: found, limit: 0, count: true })
          expect(headers.get('x-total-count')).toBe(String(ITEMS))
        }
        expect(
          await query(`select distinct field_values from item_tag where field_values like '%owner%'`),
        ).toHaveLength(1)
      } finally {
        await second.service[Symbol.asyncDispose]()
      }
    },
    TIMEOUT,
  )

  it('and the log is whole after all of it', { timeout: TIMEOUT }, async () => {
    await user.ok('GET', '/api/audit-log/head')
    expect(await facet(database.url, 'audit', 'verify')).toMatchObject({ code: 0 })
  })
})
