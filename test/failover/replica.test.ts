import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { facet } from '#test/support/facet-command.ts'
import { command, type PostgresPair, startPostgresPair, waitFor } from '#test/support/postgres-pair.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { eventsOf } from '#test/support/events.ts'
import { openLive } from '#test/support/live-stream.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { WebhookReceiver } from '#test/support/webhook-receiver.ts'

/** Milliseconds by which the replica is late. */
const LATE = 3000

let pair: PostgresPair
let proxy: TcpProxy
let services: ServiceProcess[]
/** One user at two processes. */
let first: Client
let second: Client
let other: Client
const receiver = new WebhookReceiver()

beforeAll(async () => {
  pair = await startPostgresPair({ delay: LATE })
  proxy = await startTcpProxy(pair.standby_url)
  const env = {
    DATABASE_URL: pair.primary_url,
    DATABASE_REPLICA_URLS: proxy.through(pair.standby_url),
    LOG_LEVEL: 'warn',
    WEBHOOK_PRIVATE: 'true',
  }
  await receiver.listen()
  services = [new ServiceProcess({ env })]
  await services[0]!.url() // it makes the tables
  await waitFor(pair.standby_url, `select 1 from pg_tables where tablename = 'write_batch'`)
  services.push(new ServiceProcess({ env }))
  const [a, b] = await Promise.all(services.map((each) => each.url()))
  first = new Client(a!)
  await first.ok('POST', '/api/auth/register', { email: 'one@example.org', password: 'reads his own' })
  second = new Client(b!)
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
  other = new Client(b!)
  await other.ok('POST', '/api/auth/register', { email: 'two@example.org', password: 'reads them later' })
  await waitFor(pair.standby_url, `select 1 from account where email = 'two@example.org'`)
  expect(await replicaReads(1)).toBeGreaterThanOrEqual(1)
}, 120_000)
afterAll(async () => {
  await Promise.all(services.map((each) => each[Symbol.asyncDispose]()))
  await receiver.close()
  await proxy.close()
  await pair.close()
})

const named = (client: Client, name: string): Promise<unknown[]> =>
  client.ok('POST', '/api/items/search', { filter: { name } })

/** Scans of the items that the replica has made meanwhile: asked for until there are so many, statistics being late. */
async function replicaReads(wanted: number): Promise<number> {
  const scans = async () =>
    (
      (await command(
        pair.standby_url,
        `select coalesce(sum(seq_scan + idx_scan), 0)::int as n from pg_stat_user_tables where relname = 'item'`,
      )) as { n: number }[]
    )[0]!.n
  const before = await scans()
  const until = Date.now() + 20_000
  let made = 0
  while (made < wanted && Date.now() < until) {
    await named(other, 'nothing')
    await setTimeout(100)
    made = (await scans()) - before
  }
  return made
}

describe('with a replica that is late', () => {
  it('everybody reads their own writes, through any process', async () => {
    for (let i = 0; i < 20; i++) {
      const name = `own ${i}`
      await (i % 2 ? first : second).ok('POST', '/api/items', { name })
      expect(await named(first, name)).toHaveLength(1)
      expect(await named(second, name)).toHaveLength(1)
    }
  })

  it('somebody else reads them once the replica has them', { timeout: 60_000 }, async () => {
    await first.ok('POST', '/api/items', { name: 'for others' })
    expect(await named(other, 'for others')).toHaveLength(0)
    await expect.poll(() => named(other, 'for others'), { timeout: 5 * LATE }).toHaveLength(1)
  })

  it('an account is told of the newest event that its own reads see', { timeout: 60_000 }, async () => {
    const newest = async (of: Client) => (await of.get('/api/service')).headers.get('x-event-id')!
    await first.ok('POST', '/api/items', { name: 'not there yet' })
    const theirs = await newest(other)
    expect(await named(other, 'not there yet')).toHaveLength(0)
    expect(theirs < (await newest(first))).toBe(true)
    await expect.poll(() => newest(other), { timeout: 5 * LATE }).toBe(await newest(first))
    expect(await named(other, 'not there yet')).toHaveLength(1)
  })

  it('everybody sees at once what an operator does', async () => {
    await command(
      pair.primary_url,
      `insert into waiting_view (id, view_id, user_id, owner_email, name, icon, filter, view_type, settings, created_at, updated_at)
        values (1000000, '${'0'.repeat(26)}', 'gone', 'two@example.org', 'Given', '', '{}', 'list', '{}', '', '')`,
    )
    const { err, code } = await facet(pair.primary_url, 'user', 'give-views', 'two@example.org')
    expect({ err, code }).toEqual({ err: '', code: 0 })
    expect(await other.ok('GET', '/api/views')).toMatchObject([{ name: 'Given' }])
  })

  it('what has just begun is not taken for ended', { timeout: 60_000 }, async () => {
    const young = new Client(second.url)
    await young.ok('POST', '/api/auth/register', { email: 'three@example.org', password: 'has just come' })
    const begun = Date.now()
    const [changes, { view_id }] = await Promise.all([
      young.fetch('/api/changes/stream'),
      young.ok('POST', '/api/views', { name: 'All', filter: { name: 'own 1' } }),
    ])
    const view = await openLive(young, `/api/views/${view_id}/stream`)
    const ended = await Promise.race([
      changes.text(),
      (async () => {
        for (;;) {
          const message = await view.next()
          if (!message || message.kind === 'end') return JSON.stringify(message ?? null)
        }
      })(),
      setTimeout(LATE - 200, 'open'),
    ])
    expect([ended, Date.now() - begun < 2 * LATE]).toEqual(['open', true])
    view.leave()
    void changes.body?.cancel().catch(() => undefined)
  })

  it('an address that was just given for an upload is known', async () => {
    const { upload_url } = await first.ok('POST', '/api/files/prepare', { name: 'notes.txt' })
    const { search } = new URL(upload_url)
    const put = await fetch(`${second.url}/api/file-urls${search}`, { method: 'PUT', body: 'hello' })
    expect(put.status).toBe(200)
  })

  it('each event is delivered once', { timeout: 60_000 }, async () => {
    await first.ok('POST', '/api/webhooks', { url: receiver.url })
    await first.ok('POST', '/api/items', { name: 'delivered' })
    await receiver.take(1, 20_000)
    await setTimeout(2 * LATE)
    expect(receiver.received.map(({ event }) => event.event_type)).toEqual(['item_created'])
  })

  it('an attempt that is refused waits for its time', { timeout: 60_000 }, async () => {
    receiver.forget()
    receiver.answer = () => 500
    await first.ok('POST', '/api/items', { name: 'refused' })
    await receiver.take(1, 20_000)
    await setTimeout(2000)
    expect(receiver.received).toHaveLength(1)
    for (const { webhook_id } of await first.ok('GET', '/api/webhooks'))
      await first.ok('DELETE', `/api/webhooks/${webhook_id}`)
  })

  it('what another filter of a view changes is told as it is', { timeout: 60_000 }, async () => {
    const fields = { place: 'String' }
    const { tag_id } = await first.ok('POST', '/api/tags', { name: 'Town', fields })
    const town = (name: string, field_values: object) =>
      first.ok('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: 'Town' }, field_values }] })
    const view = { name: 'Towns', icon: '📋', filter: { 'Town.place': 'north' } }
    const { view_id } = await first.ok('POST', '/api/views', view)
    const [north, south] = [await town('Kiel', { place: 'north' }), await town('Ulm', { place: 'south' })]
    const stream = await openLive(first, `/api/views/${view_id}/stream`)
    await first.ok('PUT', `/api/views/${view_id}`, { ...view, filter: { 'Town.place': 'south' } })
    const told = (await stream.take(2)).map((each) => [each.kind, each.item?.item_id ?? each.item_id])
    expect(Object.fromEntries(told)).toEqual({ enter: south.item_id, leave: north.item_id })
    await first.ok('PUT', `/api/tags/${tag_id}`, { rename_fields: { place: 'region' } })
    await setTimeout(LATE / 2)
    const { item_id } = await town('Linz', { region: 'south' })
    expect(await stream.next()).toMatchObject({ kind: 'enter', item: { item_id } })
    stream.leave()
  })

  it('what is unread is told at once, and found by who looks then', { timeout: 60_000 }, async () => {
    const { view_id } = await first.ok('POST', '/api/views', { name: 'W', filter: { name: 'watched' } })
    await first.ok('PUT', `/api/views/${view_id}/watch`, { enter: true })
    await setTimeout(LATE + 1000) // nothing else keeps its reads from the replica then
    const leaving = new AbortController()
    const { signal } = leaving
    const stream = eventsOf(await first.fetch('/api/changes/stream?notifications=true', { signal }))
    const unread = async (): Promise<number> => {
      for (;;) {
        const { value } = await stream.next()
        if (value?.event === 'notifications') return JSON.parse(value.data).unread_count
      }
    }
    const before = await unread()
    const began = Date.now()
    await other.ok('POST', '/api/items', { name: 'watched' })
    expect(await unread()).toBe(before + 1)
    expect(await first.ok('GET', '/api/notifications')).toMatchObject([{ about: view_id }])
    expect(Date.now() - began).toBeLessThan(8000) // it looks by itself after ten seconds
    leaving.abort()
  })

  it('invitations, links to set a password, and sessions are known at once', async () => {
    const { url } = await first.ok('POST', '/api/invitations', { role: 'editor' })
    const invitation = new URL(url).searchParams.get('invitation')
    const invited = new Client(second.url)
    const email = 'four@example.org'
    await invited.ok('POST', '/api/auth/register', { email, password: 'was invited once', invitation })
    expect(await invited.ok('GET', '/api/auth/sessions')).toMatchObject([{ current: true }])
    const { user_id } = await invited.ok('GET', '/api/auth/me')
    const link = await first.ok('POST', `/api/users/${user_id}/reset-link`, {})
    const [, token] = link.url.split('#')
    await invited.ok('POST', '/api/auth/reset', { token, new_password: 'was set by a link' })
    await invited.ok('POST', '/api/auth/login', { email, password: 'was set by a link' })
    expect(await invited.ok('GET', '/api/auth/sessions')).toMatchObject([{ current: true }])
  })

  it('reads are taken from it', { timeout: 60_000 }, async () => {
    expect(await replicaReads(3)).toBeGreaterThanOrEqual(3)
  })
})

describe('a replica that is lost', () => {
  it('is left out, and found again', { timeout: 60_000 }, async () => {
    proxy.judge = () => 'cut'
    proxy.cutAll()
    await first.ok('POST', '/api/items', { name: 'meanwhile' })
    // Everybody reads the primary now.
    for (let i = 0; i < 5; i++) expect(await named(other, 'meanwhile')).toHaveLength(1)
    proxy.judge = () => 'pass'
    expect(await replicaReads(3)).toBeGreaterThanOrEqual(3)
  })
})
