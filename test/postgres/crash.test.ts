import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import { Client } from '#test/support/client.ts'
import { CountingClients } from '#test/support/counting-clients.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const KILLS = 3
const WRITERS = 8
/** Writes that a process has acknowledged when it is killed: by the clock it might not have begun. */
const EARLIEST = 20
const LATEST = 120

let database: TestDatabase
let service: ServiceProcess
let user: Client
let clients: CountingClients

async function start(): Promise<void> {
  service = new ServiceProcess({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'silent' } })
  const client = new Client(await service.url())
  for (const [name, value] of user?.cookies ?? []) client.cookies.set(name, value)
  user = client
}

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  await start()
  await user.ok('POST', '/api/auth/register', { email: 'crash@example.org', password: 'never lost' })
  clients = await CountingClients.prepare(user)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await database.drop()
})

describe('kill -9 of the service amid concurrent writes', () => {
  it(`happens ${KILLS} times (TEST_SEED=${TEST_SEED})`, async () => {
    const chance = new Chance(TEST_SEED)
    for (let kill = 0; kill < KILLS; kill++) {
      const last = clients.acknowledged + EARLIEST + chance.below(LATEST - EARLIEST)
      clients.onAcknowledged = () => {
        if (clients.acknowledged === last) service.child.kill('SIGKILL')
      }
      await Promise.all(Array.from({ length: WRITERS }, () => clients.write(user)))
      await service[Symbol.asyncDispose]()
      expect(clients.acknowledged).toBeGreaterThanOrEqual(last)
      await start()
      expect((await user.get('/api/auth/me')).status).toBe(200)
    }
    // A writer acknowledges six writes of an item before it makes the next.
    expect(clients.known.length).toBeGreaterThanOrEqual((KILLS * EARLIEST) / 6)
    expect(clients.known.some(({ sent, acknowledged }) => sent > acknowledged)).toBe(true)
  })

  it('loses no acknowledged write', async () => {
    await clients.checkAcknowledged(user)
  })

  it('leaves a log whose chain holds', async () => {
    expect(await facet(database.url, 'audit', 'verify')).toMatchObject({ code: 0 })
  })

  it('leaves no change without its events and no event without its change', async () => {
    const query = (sql: string) => queryDatabase({ database_url: database.url }, sql)
    const items = await query('select item_id from item order by 1')
    for (const type of ['item_created', 'tag_applied'])
      expect(await query(`select item_id from audit_event where event_type = '${type}' order by 1`)).toEqual(
        items,
      )
    expect(
      await query(
        `select item_id, count(*)::int as count from audit_event where event_type = 'tag_values_updated' group by 1 order by 1`,
      ),
    ).toEqual(
      await query(`select item.item_id, (field_values::json ->> 'count')::int as count from item_tag
        join item on item.id = item_tag.item where (field_values::json ->> 'count')::int > 0 order by 1`),
    )
  })
})
