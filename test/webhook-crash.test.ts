import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { WebhookReceiver } from '#test/support/webhook-receiver.ts'
import { runs } from '#test/support/runs.ts'

const KILLS = runs(3, 5)
const ITEMS = 12
const EACH = 5
const FIRST = '0'.repeat(26)

let folder: string
let receiver: WebhookReceiver

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-webhook-crash-'))
  receiver = new WebhookReceiver()
  await receiver.listen()
})
afterAll(async () => {
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

it('killed between an attempt and its record, everything comes at least once, each item in order', async () => {
  const env = {
    DATABASE_URL: `file:${join(folder, 'facet.db')}`,
    LOG_LEVEL: 'silent',
    WEBHOOK_PRIVATE: 'true',
  }
  let client: Client | undefined
  const answered: { item_id: string; event_id: string }[] = []
  const start = async () => {
    const process = new ServiceProcess({ env })
    const next = new Client(await process.url())
    for (const [name, value] of client?.cookies ?? []) next.cookies.set(name, value)
    client = next
    return process
  }
  let process = await start()
  const take = receiver.answer
  await client!.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
  await client!.ok('POST', '/api/webhooks', { url: receiver.url })
  const ids: string[] = []
  for (let i = 0; i < ITEMS; i++) ids.push((await client!.ok('POST', '/api/items', { name: `${i}` })).item_id)
  for (let kill = 0; kill < KILLS; kill++) {
    let countdown = 5 + 7 * kill
    receiver.answer = ({ event }) => {
      // Taken, and the service never hears of it.
      if (--countdown === 0) process.child.kill('SIGKILL')
      answered.push({ item_id: event.item_id!, event_id: event.event_id })
      return 200
    }
    const work = ids.map(async (item_id) => {
      for (let n = 0; n < EACH; n++)
        await client!.ok('PUT', `/api/items/${item_id}`, { name: `${kill}.${n}` }).catch(() => {})
    })
    await Promise.all(work)
    await process.ended
    process = await start()
  }
  receiver.answer = (received) => {
    answered.push({ item_id: received.event.item_id!, event_id: received.event.event_id })
    return take(received)
  }
  const log: { event_id: string; item_id: string }[] = await client!.ok('POST', '/api/audit-log/search', {
    after_event: FIRST,
    limit: 1000,
  })
  const wanted = new Set(log.map(({ event_id }) => event_id))
  await expect
    .poll(() => new Set(receiver.received.map(({ event }) => event.event_id)).size, { timeout: 60_000 })
    .toBe(wanted.size)
  for (const item_id of ids) {
    const told = answered.filter((each) => each.item_id === item_id).map(({ event_id }) => event_id)
    const once = told.filter((event_id, i) => told.indexOf(event_id) === i)
    expect(once).toEqual(once.toSorted())
    // One is repeated only before the next of its item has been taken.
    expect(told).toEqual(told.toSorted())
  }
  await process[Symbol.asyncDispose]()
}, 180_000)
