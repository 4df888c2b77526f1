import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'
import { WebhookReceiver } from '#test/support/webhook-receiver.ts'

const START_TIMEOUT = 120_000

let database: TestDatabase
let receiver: WebhookReceiver
const processes: ServiceProcess[] = []
let env: Record<string, string>
let webhook_id: string

async function start(): Promise<[ServiceProcess, Client]> {
  const process = new ServiceProcess({ env })
  processes.push(process)
  return [process, new Client(await process.url())]
}
const create = (client: Client, name: string): Promise<{ item_id: string }> =>
  client.ok('POST', '/api/items', { name })
const events = () => receiver.received.map(({ event }) => event.event_id)

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  receiver = new WebhookReceiver()
  await receiver.listen()
  env = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', TEST_ENGINE: '', WEBHOOK_PRIVATE: 'true' }
}, START_TIMEOUT)
afterAll(async () => {
  await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
  await receiver.close()
  await database.drop()
})

it('of several processes one delivers, each event once; another goes on when it stops or is killed', async () => {
  // The first one has the turn before the others are there.
  const [first, a] = await start()
  await a.ok('POST', '/api/auth/register', { email: 'ann@example.org', password: 'correct horse' })
  ;({ webhook_id } = await a.ok('POST', '/api/webhooks', { url: receiver.url }))
  await create(a, 'First')
  await receiver.take(1)
  const [second, b] = await start()
  for (const [name, value] of a.cookies) b.cookies.set(name, value)

  await Promise.all(
    [a, b].map(async (client, n) => {
      for (let i = 0; i < 50; i++) {
        const { item_id } = await create(client, `${n} ${i}`)
        await client.ok('PUT', `/api/items/${item_id}`, { name: `${n} ${i} again` })
      }
    }),
  )
  await receiver.take(201, 60_000)
  expect(new Set(events()).size).toBe(201)
  const byItem = Map.groupBy(receiver.received, ({ event }) => event.item_id)
  for (const ofItem of byItem.values()) {
    const ids = ofItem.map(({ event }) => event.event_id)
    expect(ids).toEqual(ids.toSorted())
  }

  // A webhook that the other process is asked to change, and a test that it sends itself.
  expect(await b.ok('POST', `/api/webhooks/${webhook_id}/test`)).toMatchObject({ status: 'delivered' })
  await b.ok('PUT', `/api/webhooks/${webhook_id}`, { enabled: false })
  await create(b, 'Paused')
  await b.ok('PUT', `/api/webhooks/${webhook_id}`, { enabled: true })
  await receiver.take(203)

  // Stopped: the turn is given back, and taken at the next look.
  first.child.kill('SIGTERM')
  await first.ended
  const since = performance.now()
  await create(b, 'After the stop')
  await receiver.take(204, 20_000)
  expect(performance.now() - since).toBeLessThan(20_000)

  // Killed: nobody gives anything back.
  const [, c] = await start()
  for (const [name, value] of a.cookies) c.cookies.set(name, value)
  await new Promise((resume) => setTimeout(resume, 6000)) // it has seen who delivers
  second.child.kill('SIGKILL')
  await second.ended
  await create(c, 'After the kill')
  await receiver.take(205, 60_000)
  expect(new Set(events()).size).toBe(205)
  expect(receiver.received.at(-1)!.event.details).toMatchObject({ name: 'After the kill' })
}, 240_000)
