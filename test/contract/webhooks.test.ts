import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { ABSENT } from '#test/support/fixtures.ts'
import { parsePrometheus, valueOf } from '#test/support/prometheus.ts'
import { type Service, startService } from '#test/support/service.ts'
import { isSigned, type Received, verified, WebhookReceiver } from '#test/support/webhook-receiver.ts'

/** Seconds after which a failed attempt is repeated (additions §9). */
const RETRIES = [5, 300, 1800, 7200, 18_000, 36_000, 50_400]

/** Attempts under way at once, and of them those to addresses that fail (decision 44). */
const AT_ONCE = 32
const TO_SILENT = 24
const TO_BUSY = 28

let service: Service
let client: Client
let receiver: WebhookReceiver
const clock = new TestClock()

beforeAll(async () => {
  receiver = new WebhookReceiver()
  await receiver.listen()
  service = await startService({ env: { WEBHOOK_PRIVATE: 'true' }, clock: clock.now })
  client = await service.user()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})
afterEach(async () => {
  for (const { webhook_id } of await client.ok('GET', '/api/webhooks'))
    await client.ok('DELETE', `/api/webhooks/${webhook_id}`)
  receiver.forget()
})

interface Hook {
  webhook_id: string
  secret: string
}
interface Told {
  delivery_id: string
  event_id: string | null
  event_type: string
  item_id: string | null
  status: string
  attempts: number
  response_status: number | null
  error: string | null
  next_attempt_at: string | null
}

const hook = (given: object = {}): Promise<Hook> =>
  client.ok('POST', '/api/webhooks', { url: receiver.url, ...given })
const create = (name: string): Promise<{ item_id: string }> => client.ok('POST', '/api/items', { name })
const rename = (item_id: string, name: string) => client.ok('PUT', `/api/items/${item_id}`, { name })
const deliveries = ({ webhook_id }: Hook): Promise<Told[]> =>
  client.ok('GET', `/api/webhooks/${webhook_id}/deliveries`)
const get = ({ webhook_id }: Hook) => client.ok('GET', `/api/webhooks/${webhook_id}`)
const names = (received: readonly Received[]) => received.map(({ event }) => event.details['name'])
/** Until it is so, or the test ends. */
const eventually = (check: () => Promise<void>) =>
  expect.poll(async () => check().then(() => true, String), { timeout: 10_000 }).toBe(true)
const settled = (of: Hook, status = 'delivered') =>
  eventually(async () =>
    expect((await deliveries(of)).map((each) => each.status)).toEqual(expect.arrayContaining([status])),
  )

describe('a delivery', () => {
  it('is the event as the log has it, signed as the official library wants it', async () => {
    const live = await startService({ env: { WEBHOOK_PRIVATE: 'true' } })
    try {
      const owner = await live.user()
      const { secret } = await owner.ok('POST', '/api/webhooks', { url: `${receiver.url}?x=1` })
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      await owner.ok('POST', '/api/items', { name: 'Käse' })
      const [first] = await receiver.take(1)
      const [event] = await owner.ok('POST', '/api/audit-log/search', { limit: 1 })
      expect(verified(first!, secret)).toEqual(event)
      expect(first).toMatchObject({
        method: 'POST',
        path: '/hook?x=1',
        headers: { 'content-type': 'application/json', 'user-agent': expect.stringMatching(/^Facet\//) },
      })
      expect(() => verified(first!, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow()
    } finally {
      await live.close()
    }
  })

  it('comes for every event from the making of the webhook on, those of one item in order', async () => {
    const { item_id: before } = await create('Before')
    const made = await hook()
    const { item_id } = await create('0')
    for (let i = 1; i <= 20; i++) await rename(item_id, String(i))
    await client.ok('POST', '/api/items/bulk', { items: Array.from({ length: 300 }, (_, i) => `Bulk ${i}`) })
    await client.ok('DELETE', `/api/items/${before}`)
    const all = await receiver.take(322)
    const ofItem = all.filter(({ event }) => event.item_id === item_id)
    expect(ofItem).toHaveLength(21)
    const ids = ofItem.map(({ event }) => event.event_id)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(all.map(({ event }) => event.event_id)).size).toBe(322)
    expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(322)
    expect(all.every((each) => isSigned(each, made.secret))).toBe(true)
    await settled(made)
  })

  it('is chosen by type, tag and filter', async () => {
    const task = await client.ok('POST', '/api/tags', {
      name: 'Task',
      fields: { status: 'String', due: 'Date' },
    })
    await client.ok('POST', '/api/tags', { name: 'Other', fields: {} })
    const types = await hook({ event_types: ['item_deleted'], description: 'types' })
    const tags = await hook({ url: `${receiver.url}/tags`, tag_ids: ['Task'] })
    const filter = await hook({ url: `${receiver.url}/filter`, filter: { 'Task.status': 'open' } })
    expect(await get(tags)).toMatchObject({ tag_ids: [task.tag_id] })
    expect(await get(filter)).toMatchObject({ filter: { [`${task.tag_id}.status`]: 'open' } })
    const item = async (name: string, status: string): Promise<string> => {
      const tags = [{ tag_ref: { Existing: 'Task' }, field_values: { status } }]
      return (await client.ok('POST', '/api/items', { name, tags })).item_id
    }
    const [open, done] = [await item('Open', 'open'), await item('Done', 'done')]
    await eventually(async () => expect(await deliveries(filter)).toHaveLength(2))
    await rename(open, 'Open still')
    await eventually(async () => expect(await deliveries(filter)).toHaveLength(3))
    await client.ok('DELETE', `/api/items/${open}`)
    await client.ok('DELETE', `/api/items/${done}`)
    await receiver.take(8)
    await eventually(async () => expect((await deliveries(types)).length).toBe(2))
    const told = async (of: Hook) =>
      (await deliveries(of)).map((each) => [each.event_type, each.item_id]).toReversed()
    expect(await told(types)).toEqual([
      ['item_deleted', open],
      ['item_deleted', done],
    ])
    expect(await told(tags)).toEqual([
      ['tag_applied', open],
      ['tag_applied', done],
    ])
    expect(await told(filter)).toEqual([
      ['item_created', open],
      ['tag_applied', open],
      ['item_updated', open],
      ['item_deleted', open],
    ])
    await client.ok('PUT', `/api/tags/${task.tag_id}`, {
      name: 'Task',
      fields: { state: 'String', due: 'Date' },
      rename_fields: { status: 'state' },
    })
    expect(await get(filter)).toMatchObject({ filter: { [`${task.tag_id}.state`]: 'open' } })
    await client.ok('DELETE', `/api/tags/${task.tag_id}`)
    await create('After')
    await eventually(async () =>
      expect(await get(filter)).toMatchObject({
        enabled: false,
        disabled_reason: expect.stringContaining('its filter does not hold any more'),
      }),
    )
    const path = `/api/webhooks/${filter.webhook_id}`
    const refused = await client.put(path, { enabled: true })
    expect(refused).toMatchObject({
      status: 400,
      body: { details: { errors: [{ path: `filter.${task.tag_id}.state` }] } },
    })
    expect(await get(filter)).toMatchObject({ enabled: false })
    expect(await client.ok('PUT', path, { enabled: true, filter: null })).toMatchObject({ enabled: true })
  })

  it('can be sent back as it was read, with tags that were purged since, and takes no others that are not there', async () => {
    const fields = { a: 'String' }
    const { tag_id: gone } = await client.ok('POST', '/api/tags', { name: 'Purged', fields })
    const { tag_id: stays } = await client.ok('POST', '/api/tags', { name: 'Stays', fields })
    const own = await hook({ tag_ids: ['Purged', 'Stays'], filter: { 'Purged.a': 'x' } })
    const path = `/api/webhooks/${own.webhook_id}`
    await client.ok('PUT', path, { enabled: false })
    await client.ok('DELETE', `/api/tags/${gone}`)
    await client.ok('POST', '/api/items/purge', { tag_ids: [gone] })
    const read = await get(own)
    expect(read.tag_ids).toEqual([gone, stays])
    expect(await client.ok('PUT', path, read)).toEqual(read)
    const of = async (...tag_ids: string[]) => (await client.put(path, { tag_ids })).body
    expect(await of(gone.toLowerCase(), stays, gone)).toMatchObject({ tag_ids: [gone, stays] })
    const other = `${gone.slice(0, -1)}${gone.endsWith('0') ? '1' : '0'}`
    const faults = [{ path: 'tag_ids[1]', message: `there is no tag '${other}'` }]
    expect(await of(gone, other)).toMatchObject({ error: 'BadRequest', details: { errors: faults } })
    expect(await of(stays)).toMatchObject({ tag_ids: [stays] })
    expect(await of(gone)).toMatchObject({ error: 'BadRequest' })
    await client.ok('DELETE', path)
  })

  it('is chosen by what other items are found by', async () => {
    const fields = { of: 'Reference', note: 'String' }
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Part', fields })
    const { item_id: whole } = await create('The whole orchard')
    const conditions = [
      { 'Part.of->name': { regex: '(?i)ORCHARD' } },
      { '<-Part.of': { search: { text: 'orchards', match: 'any' } } },
      { '<-Part.of': { search: { text: 'orchard', in: ['values'] } } },
    ]
    const made = await Promise.all(conditions.map((filter) => hook({ filter })))
    const tags = [{ tag_ref: { Existing: 'Part' }, field_values: { of: whole, note: 'an orchard' } }]
    const part = await client.ok('POST', '/api/items', { name: 'Orchards', tags })
    // Looked at by itself, not together with what it is found by.
    await eventually(async () => expect((await deliveries(made[0]!)).length).toBeGreaterThan(0))
    await rename(whole, 'Orchard')
    const told = (of: Hook) => deliveries(of).then((all) => new Set(all.map(({ item_id }) => item_id)))
    for (const [i, item_id] of [part.item_id, whole, whole].entries())
      await eventually(async () => expect([i, ...(await told(made[i]!))]).toEqual([i, item_id]))
    await client.ok('DELETE', `/api/tags/${tag_id}`)
  })

  it('is not disabled for a filter that an owner has just replaced', async () => {
    for (let round = 0; round < 5; round++) {
      const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Gone', fields: { a: 'String' } })
      const own = await hook({ filter: { 'Gone.a': 'x' } })
      const path = `/api/webhooks/${own.webhook_id}`
      await client.ok('DELETE', `/api/tags/${tag_id}`)
      await client.ok('PUT', path, { filter: null, enabled: true })
      await settled(own)
      expect(await get(own)).toMatchObject({ enabled: true, filter: null, disabled_reason: null })
      await client.ok('DELETE', path)
    }
  })

  it('that fails holds back later ones of its item, and no others', async () => {
    const made = await hook()
    const [{ item_id: bad }, { item_id: good }] = [await create('bad'), await create('good')]
    await receiver.take(2)
    receiver.forget()
    receiver.answer = ({ event }) => (event.item_id === bad ? 503 : 200)
    await rename(bad, 'bad 1')
    await receiver.take(1)
    await rename(bad, 'bad 2')
    await rename(good, 'good 1')
    await rename(good, 'good 2')
    await receiver.take(3)
    expect(receiver.received.map(({ event }) => event.item_id)).toEqual([bad, good, good])
    const [second, first] = await eventuallyTold(
      made,
      (all) => all.filter(({ item_id, status }) => item_id === bad && status === 'pending'),
      2,
    )
    expect(first).toMatchObject({ attempts: 1, response_status: 503, error: 'the answer was 503' })
    expect(Date.parse(first!.next_attempt_at!) - clock.now()).toBe(5000)
    expect(second).toMatchObject({ attempts: 0, next_attempt_at: null })
    const path = `/api/webhooks/${made.webhook_id}/deliveries`
    expect(await client.send('POST', `${path}/${second!.delivery_id}/retry`)).toMatchObject({
      status: 409,
      body: { details: { delivery_id: first!.delivery_id } },
    })
    receiver.answer = () => 201
    const again = await client.ok('POST', `${path}/${first!.delivery_id}/retry`)
    expect(again).toMatchObject({ delivery_id: first!.delivery_id, status: 'pending' })
    const all = await receiver.take(5)
    expect(all.slice(3).map(({ event }) => event.item_id)).toEqual([bad, bad])
    const [one, two] = all.slice(3).map(({ event }) => event.event_id)
    expect(one! < two!).toBe(true)
    expect(all[3]!.headers['webhook-id']).toBe(all[0]!.headers['webhook-id'])
    await eventually(async () =>
      expect((await deliveries(made)).every(({ status }) => status === 'delivered')).toBe(true),
    )
    // One that was delivered is sent once more.
    await client.ok('POST', `${path}/${first!.delivery_id}/retry`)
    const more = await receiver.take(6)
    expect(more[5]!.headers['webhook-id']).toBe(all[0]!.headers['webhook-id'])
  })

  it('to an address that answers waits for none of those that never do, however many they are', async () => {
    const held: ServerResponse[] = []
    const isSilent = ({ path }: Received) => path.includes('silent')
    const silent = (count: number) => receiver.received.filter(isSilent).length === count
    await Promise.all(Array.from({ length: AT_ONCE }, () => hook({ url: `${receiver.url}?silent` })))
    receiver.answer = (received) => (isSilent(received) ? 503 : 204)
    await create('First')
    await expect.poll(() => silent(AT_ONCE), { timeout: 20_000 }).toBe(true)
    receiver.answer = (received) => (isSilent(received) ? (response) => held.push(response) : 204)
    await create('Second')
    await expect.poll(() => held.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(TO_SILENT)
    await hook()
    await create('Third')
    await expect.poll(() => !receiver.received.every(isSilent), { timeout: 5000 }).toBe(true)
    receiver.answer = () => 204
    for (const response of held) response.end()
  })

  it('that failed once has its turn beside those that are busy, and answer', async () => {
    const held: ServerResponse[] = []
    const made = await hook({ url: `${receiver.url}?once` })
    receiver.answer = ({ path }) => (path.includes('once') ? 503 : (response) => held.push(response))
    await create('First')
    await eventuallyTold(made, (all) => all.filter(({ attempts }) => attempts === 1), 1)
    receiver.answer = ({ path }) => (path.includes('once') ? 204 : (response) => held.push(response))
    await Promise.all(Array.from({ length: AT_ONCE / 4 }, () => hook({ url: `${receiver.url}?busy` })))
    for (let i = 0; i < 4; i++) await create(`Busy ${i}`)
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(TO_BUSY)
    clock.move({ seconds: RETRIES[0]! })
    const retried = () => receiver.received.filter(({ path }) => path.includes('once')).length > 1
    await expect.poll(retried, { timeout: 5000 }).toBe(true)
    receiver.answer = () => 204
    for (const response of held) response.end()
  })

  it('that failed goes to another address at once, with all its retries', async () => {
    const made = await hook()
    receiver.answer = ({ path }) => (path.includes('new') ? 204 : 500)
    await create('Moved')
    await receiver.take(1)
    await eventuallyTold(made, (all) => all.filter(({ attempts }) => attempts === 1), 1)
    clock.move({ seconds: RETRIES[0]! })
    await receiver.take(2)
    const waiting = (all: Told[]) => all.filter(({ attempts }) => attempts === 2)
    const [waits] = await eventuallyTold(made, waiting, 1)
    expect((Date.parse(waits!.next_attempt_at!) - clock.now()) / 1000).toBe(RETRIES[1])
    const path = `/api/webhooks/${made.webhook_id}`
    // The same address and another description are no reason to send it.
    await client.ok('PUT', path, { url: receiver.url, description: 'Still there' })
    expect(waiting(await deliveries(made))).toEqual([waits])
    await client.ok('PUT', path, { url: `${receiver.url}?new` })
    const [, , third] = await receiver.take(3)
    expect(third!.headers['webhook-id']).toBe(waits!.delivery_id)
    await settled(made)
  })

  it('does not wait for a time that a clock gave which was ahead', async () => {
    const made = await hook()
    receiver.answer = () => 503
    await create('Early')
    await receiver.take(1)
    await eventuallyTold(made, (all) => all.filter(({ attempts }) => attempts === 1), 1)
    clock.move({ days: 1 })
    await receiver.take(2)
    await eventuallyTold(made, (all) => all.filter(({ attempts }) => attempts === 2), 1)
    receiver.answer = () => 204
    clock.move({ days: -1 })
    await receiver.take(3, 10_000)
    await settled(made)
  })

  it('is tried eight times over the days, then the webhook is disabled and says why; enabled, it goes on', async () => {
    const made = await hook()
    receiver.answer = () => 500
    const { item_id } = await create('Never')
    for (const [i, seconds] of RETRIES.entries()) {
      await receiver.take(i + 1)
      const [told] = await eventuallyTold(made, (all) => all.filter(({ attempts }) => attempts === i + 1), 1)
      expect((Date.parse(told!.next_attempt_at!) - clock.now()) / 1000).toBe(seconds)
      clock.move({ seconds })
    }
    await receiver.take(8)
    await eventually(async () => expect((await get(made)).enabled).toBe(false))
    const [failed] = await deliveries(made)
    expect(failed).toMatchObject({ status: 'failed', attempts: 8, next_attempt_at: null })
    await freshen()
    expect(await get(made)).toMatchObject({
      enabled: false,
      disabled_at: clock.date.toISOString(),
      disabled_reason: `Delivery ${failed!.delivery_id} failed 8 times within 32 hours; the last time: the answer was 500`,
    })
    const path = `/api/webhooks/${made.webhook_id}`
    expect(await client.send('POST', `${path}/deliveries/${failed!.delivery_id}/retry`)).toMatchObject({
      status: 409,
    })
    const log = (await client.ok('GET', '/api/security-log?limit=5')) as { event_type: string }[]
    expect(log.find(({ event_type }) => event_type === 'webhook_disabled')).toMatchObject({
      actor_id: null,
      details: { webhook_id: made.webhook_id, reason: expect.stringContaining('the answer was 500') },
    })
    await rename(item_id, 'Meanwhile')
    receiver.forget()
    expect(await client.ok('PUT', path, { enabled: true })).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
    expect((await receiver.take(2)).map(({ event }) => event.event_type)).toEqual([
      'item_created',
      'item_updated',
    ])
    await eventually(async () =>
      expect((await deliveries(made)).map(({ status }) => status)).toEqual(['delivered', 'delivered']),
    )
  })
})

/** The clock has been moved by hours: sign in again. */
async function freshen(): Promise<void> {
  const { email } = await client.ok('GET', '/api/auth/me')
  await client.ok('POST', '/api/auth/login', { email, password: 'correct horse' })
}

async function eventuallyTold(of: Hook, choose: (all: Told[]) => Told[], count: number): Promise<Told[]> {
  let chosen: Told[] = []
  await eventually(async () => {
    chosen = choose(await deliveries(of))
    expect(chosen).toHaveLength(count)
  })
  return chosen
}

describe('the routes', () => {
  it('make, list, change and delete a webhook; the secret is shown once', async () => {
    const made = await client.ok('POST', '/api/webhooks', {
      url: receiver.url,
      event_types: ['item_created', 'item_created'],
      description: 'One',
    })
    const { secret, ...rest } = made
    expect(rest).toMatchObject({ event_types: ['item_created'], tag_ids: null, filter: null, enabled: true })
    expect(await client.ok('GET', '/api/webhooks')).toEqual([rest])
    expect(await get(made)).toEqual(rest)
    clock.move({ ms: 5 })
    const path = `/api/webhooks/${made.webhook_id}`
    const changed = await client.ok('PUT', path, { ...rest, event_types: null, enabled: false })
    expect(changed).toMatchObject({
      event_types: null,
      enabled: false,
      disabled_at: clock.date.toISOString(),
      disabled_reason: null,
    })
    expect(await client.ok('PUT', path, {})).toEqual(changed)
    await create('Meanwhile')
    await client.ok('PUT', path, { enabled: true })
    expect(names(await receiver.take(1))).toEqual(['Meanwhile'])
    expect(await client.ok('DELETE', path)).toEqual({ message: 'Webhook deleted' })
    expect((await client.get(path)).status).toBe(404)
    const log = await client.ok('GET', '/api/security-log?limit=4')
    expect(log.map((each: { event_type: string }) => each.event_type)).toEqual([
      'webhook_deleted',
      'webhook_changed',
      'webhook_changed',
      'webhook_created',
    ])
    expect(JSON.stringify(log)).not.toContain(secret)
  })

  it('send a test and say how it was answered, also where the webhook is disabled', async () => {
    const made = await hook({ event_types: ['tag_created'] })
    await client.ok('PUT', `/api/webhooks/${made.webhook_id}`, { enabled: false })
    const path = `/api/webhooks/${made.webhook_id}/test`
    const told = await client.ok('POST', path)
    expect(told).toMatchObject({
      event_id: null,
      event_type: 'webhook_test',
      status: 'delivered',
      attempts: 1,
      response_status: 204,
    })
    const [received] = await receiver.take(1)
    expect(isSigned(received!, made.secret)).toBe(true)
    expect(received!.event).toMatchObject({
      event_type: 'webhook_test',
      details: { webhook_id: made.webhook_id },
    })
    receiver.answer = () => 404
    const failed = await client.ok('POST', path)
    expect(failed).toMatchObject({ status: 'failed', response_status: 404, next_attempt_at: null })
    expect(
      await client.send('POST', `/api/webhooks/${made.webhook_id}/deliveries/${failed.delivery_id}/retry`),
    ).toMatchObject({ status: 409 })
    expect((await deliveries(made)).map(({ status }) => status)).toEqual(['failed', 'delivered'])
  })

  it('list deliveries in pages, newest first', async () => {
    const made = await hook()
    for (let i = 0; i < 7; i++) await create(`P ${i}`)
    await receiver.take(7)
    const path = `/api/webhooks/${made.webhook_id}/deliveries`
    const ids: string[] = []
    let pages = 0
    for (let after: string | null = ''; after !== null; pages++) {
      const { headers, body } = await client.get(`${path}?limit=3${after && `&after=${after}`}`)
      for (const { delivery_id } of body as Told[]) ids.push(delivery_id)
      after = headers.get('x-next-cursor')
    }
    expect(pages).toBe(3)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(ids).toEqual((await deliveries(made)).map(({ delivery_id }) => delivery_id))
  })

  for (const [what, body, message] of [
    ['no address', { url: 'hooks' }, 'url: not an address'],
    ['another scheme', { url: 'ftp://example.org/' }, 'url: must begin with https://'],
    ['a password in the address', { url: 'https://a:b@example.org/' }, 'url: must not name a user'],
    ['a fragment', { url: 'https://example.org/#x' }, 'url: must not have a fragment'],
    ['http to a public address', { url: 'http://1.1.1.1/' }, 'url: a public address takes https'],
    ['an unknown type', { event_types: ['item_made'] }, 'event_types[0]'],
    ['no type', { event_types: [] }, 'event_types'],
    ['an unknown tag', { tag_ids: ['Nothing'] }, "tag_ids[0]: there is no tag 'Nothing'"],
    ['a wrong filter', { filter: { 'Nothing.x': 1 } }, 'Nothing'],
    ['another property', { secret: 'whsec_x' }, 'secret'],
  ] as const)
    it(`refuse ${what}`, async () => {
      expect(await client.post('/api/webhooks', { url: receiver.url, ...body })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) },
      })
    })

  it('know no others', async () => {
    const made = await hook()
    for (const [method, path] of [
      ['GET', `/api/webhooks/${ABSENT}`],
      ['PUT', `/api/webhooks/${ABSENT}`],
      ['DELETE', '/api/webhooks/x'],
      ['POST', `/api/webhooks/${ABSENT}/test`],
      ['GET', `/api/webhooks/${ABSENT}/deliveries`],
      ['POST', `/api/webhooks/${made.webhook_id}/deliveries/${ABSENT}/retry`],
    ] as const)
      expect((await client.send(method, path, method === 'PUT' ? {} : undefined)).status, path).toBe(404)
  })

  it('let in at most 100', async () => {
    for (let i = 0; i < 100; i++) await hook({ event_types: ['audit_redacted'] })
    expect(await client.post('/api/webhooks', { url: receiver.url })).toMatchObject({ status: 409 })
  })
})

describe('metrics', () => {
  it('give the lag, the attempts and the webhooks', async () => {
    const { key } = await client.ok('POST', '/api/keys', { name: 'watch', scope: 'read' })
    const figure = async (name: string, labels: Record<string, string> = {}) => {
      const { body } = await service.client().get('/metrics', { authorization: `Bearer ${key}` })
      return valueOf(parsePrometheus(body), name, labels)
    }
    expect(await figure('facet_webhook_lag_seconds')).toBe(0)
    const made = await hook()
    receiver.answer = () => 500
    const failed = await figure('facet_webhook_attempts_total', { outcome: 'failed' })
    await create('Late')
    await receiver.take(1)
    await eventuallyTold(made, (all) => all.filter(({ attempts }) => attempts === 1), 1)
    clock.move({ seconds: 3 })
    expect(await figure('facet_webhook_lag_seconds')).toBeGreaterThanOrEqual(3)
    expect(await figure('facet_webhook_attempts_total', { outcome: 'failed' })).toBe(failed + 1)
    expect(await figure('facet_webhooks', { state: 'enabled' })).toBe(1)
    await client.ok('PUT', `/api/webhooks/${made.webhook_id}`, { enabled: false })
    expect(await figure('facet_webhook_lag_seconds')).toBe(0)
    expect(await figure('facet_webhooks', { state: 'disabled' })).toBe(1)
  })
})
