import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '#test/support/authenticator.ts'
import { TestClock } from '#test/support/clock.ts'
import type { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { OauthApp, REDIRECT, registeredApp } from '#test/support/oauth-app.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let owner: Client
const clock = new TestClock()
beforeAll(async () => {
  service = await startService({ clock: clock.now, env: { TRUST_PROXY: 'true' } })
  owner = await service.user('owner@example.org')
})
afterAll(() => service.close())

const from = (address: string) => ({ 'x-forwarded-for': address })
const registerFrom = async (address: string) => {
  const { status, headers } = await service
    .client()
    .post(
      '/oauth/register',
      { client_name: 'A', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
      from(address),
    )
  return { status, retry: Number(headers.get('retry-after')) }
}
/** Rows of a table by one statement; `i` counts from 1. */
const insert = (table: string, columns: string, values: string, count: number) =>
  queryDatabase(
    service,
    `insert into ${table} (${columns}) with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select ${values} from n`,
  )

describe('addresses that a proxy reports', () => {
  it.each([
    ['with ports', (i: number) => `203.0.113.5:${1000 + i}`],
    ['in brackets', (i: number) => `[2001:db8:5::${i + 1}]`],
    ['in brackets with ports', (i: number) => `[2001:db8:6::1]:${1000 + i}`],
    ['as something else', (i: number) => `_hidden${i}`],
  ])('%s are those of one client', async (_, address) => {
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const body = { email: 'owner@example.org', password: `a wrong one ${i}` }
      statuses.push((await service.client().post('/api/auth/login', body, from(address(i)))).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429])
  })

  it('with ports, or unreadable, have the limit of registrations', async () => {
    for (const address of [(i: number) => `203.0.113.6:${1000 + i}`, (i: number) => `_hidden${i}`]) {
      const ask = (i: number) => {
        const body = { email: 'owner@example.org', password: 'correct horse' }
        return service.client().post('/api/auth/register', body, from(address(i)))
      }
      for (let i = 0; i < 50; i++) expect((await ask(i)).status).toBe(400)
      expect((await ask(50)).status).toBe(429)
    }
  })
})

describe('addresses that are taken are found out by 50 an hour', () => {
  const password = 'correct horse'
  const outcomes = (statuses: number[]) => ({
    taken: statuses.filter((status) => status === 400).length,
    refused: statuses.filter((status) => status === 429).length,
  })

  it('with an invitation, from one address', async () => {
    const { url } = await owner.ok('POST', '/api/invitations', {})
    const invitation = /[A-Za-z0-9_-]{43}/.exec(url)![0]
    const ask = async (email: string, address: string) =>
      (await service.client().post('/api/auth/register', { email, password, invitation }, from(address)))
        .status
    const statuses: number[] = []
    for (let i = 0; i < 53; i++) statuses.push(await ask('owner@example.org', '203.0.113.77'))
    expect(outcomes(statuses)).toEqual({ taken: 50, refused: 3 })
    expect(await ask('free@example.org', '203.0.113.77')).toBe(429)
    expect(await ask('free@example.org', '203.0.113.78')).toBe(200)
  })

  it('by changing the address of one account', async () => {
    const user = await service.user('asks@example.org', password)
    const ask = async (email: string) =>
      (await user.put('/api/auth/email', { email, current_password: password })).status
    const statuses: number[] = []
    for (let i = 0; i < 53; i++) statuses.push(await ask('owner@example.org'))
    expect(outcomes(statuses)).toEqual({ taken: 50, refused: 3 })
    expect(await ask('other@example.org')).toBe(429)
    clock.move({ minutes: 61 })
    expect(await ask('other@example.org')).toBe(200)
  })
})

describe('apps that strangers register', () => {
  it('count by address and by network', async () => {
    const recent = new Date(clock.now()).toISOString()
    const before = (address: string, count: number) =>
      insert(
        'app_client',
        'client_id, metadata, address, created_at',
        `'${address}' || i, '{}', '${address}', '${recent}'`,
        count,
      )
    const statusOf = async (address: string) => (await registerFrom(address)).status
    await before('2001:db8:7:1200::/64', 49)
    expect(await statusOf('2001:db8:7:1200::1')).toBe(201)
    expect((await registerFrom('2001:db8:7:1200::2')).retry).toBeGreaterThan(3000)
    await before('2001:db8:7:12ab::/64', 49)
    expect(await statusOf('2001:db8:7:12ff::1')).toBe(201)
    expect(await statusOf('2001:db8:7:12fe::1')).toBe(429)
    await before('2001:db8:7:3::/64', 49)
    await before('2001:db8:7:ab00::/64', 50)
    expect(await statusOf('2001:db8:7:ff00::1')).toBe(201)
    expect(await statusOf('2001:db8:7:fe00::1')).toBe(429)
    expect(await statusOf('2001:db8:8:1::1')).toBe(201)
    await before('198.51.100.7', 49)
    await before('198.51.100.8', 150)
    expect(await statusOf('198.51.100.9')).toBe(201)
    expect(await statusOf('198.51.100.10')).toBe(429)
    expect(await statusOf('198.51.101.1')).toBe(201)
    clock.move({ minutes: 61 })
    expect(await statusOf('2001:db8:7:1200::1')).toBe(201)
  })

  it('make room, oldest first, but for those that a person has let in', async () => {
    const app = await registeredApp(service.url)
    await app.tokens(owner, { password: 'correct horse' })
    await insert(
      'app_client',
      'client_id, metadata, address, created_at',
      "'flood' || i, '{}', '192.0.2.1', '2020-01-01T00:00:00.000Z'",
      10_000,
    )
    expect((await registerFrom('2001:db8:9::1')).status).toBe(201)
    const rows = await queryDatabase(service, 'select client_id from app_client order by id')
    expect(rows).toHaveLength(10_000)
    const ids = rows.map(({ client_id }) => client_id)
    expect(ids).toContain(app.client_id)
    expect(ids).toContain('flood10000')
    await queryDatabase(service, "delete from app_client where client_id like 'flood%'")
  })

  for (const uri of ['https://a;script-src/x', 'https://a,b/x', "https://a'b/x", 'https://a%20b/'])
    it(`may not be led to ${uri}`, async () => {
      const { status, body } = await new OauthApp(service.url).register({ redirect_uris: [uri] })
      expect(status).toBe(400)
      expect(body.error).toMatch(/invalid_(redirect_uri|client_metadata)/)
    })

  it.each([
    ['a character that turns what follows', { redirect_uris: ['https://app.example/\u202Egro.knab'] }],
    ['one that is not seen', { redirect_uris: ['https://app.example/\u200Bback'] }],
    ['one that is drawn as a blank', { redirect_uris: ['https://app.example/\u3164/back'] }],
    ['a blank', { redirect_uris: ['https://app.example/%20 /back'] }],
    ['half a character', { redirect_uris: ['https://app.example/\uD800'] }],
    ['a scheme of an app, and what turns the text', { redirect_uris: ['app.example:/\u2066back'] }],
    ['a home page that hides something', { client_uri: 'https://app.example/\u202Egro.knab' }],
    ['a home page with a user in front', { client_uri: 'https://bank.example@app.example/' }],
    ['a home page without end', { client_uri: `https://app.example/${'x'.repeat(2000)}` }],
  ])('may not have %s in an address', async (_what, metadata) => {
    const { status, body } = await new OauthApp(service.url).register(metadata)
    expect(status).toBe(400)
    expect(body.error_description).toMatch(
      /must hold neither blanks nor characters that are not seen|must not name a user|at most 2000 characters/,
    )
  })

  it.each(['\u3164\u115F', '\u200D\uFE0F', ' \u2800\uD800 '])(
    'have the name of their host, or none, where theirs shows nothing',
    async (client_name) => {
      const app = await registeredApp(service.url, { client_name })
      const { location } = await app.ask(owner)
      const html = await (await owner.fetch(new URL(location!, service.url).pathname)).text()
      expect(html).toContain('<h1>Let <bdi>An app without a name</bdi> use Facet?</h1>')
    },
  )

  it('have names that change nothing around them', async () => {
    const app = await registeredApp(service.url, { client_name: 'Good \u202Eevil\u2066 \u0007app' })
    const { location } = await app.ask(owner)
    const html = await (await owner.fetch(new URL(location!, service.url).pathname)).text()
    expect(html).toContain('<h1>Let <bdi>Good evil app</bdi> use Facet?</h1>')
    expect(html).toContain('<dd><bdi>Good evil app</bdi></dd>')
    expect(html).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
  })
})

describe('a request for access', () => {
  it('has a size', async () => {
    const app = await registeredApp(service.url)
    const ask = (parameters: Record<string, string>) => service.client().get(app.authorizePath(parameters))
    expect((await ask({ state: 's'.repeat(2048) })).status).toBe(303)
    for (const [parameters, words] of [
      [{ state: 's'.repeat(2049) }, "'state' has at most 2048 characters, got 2049"],
      [{ x: 'x'.repeat(8192) }, 'have at most 8192 characters'],
    ] as const) {
      const answer = await ask(parameters)
      expect(answer.status).toBe(400)
      expect(answer.body.message).toContain(words)
    }
  })

  it('waits with at most so many others of its network, and in all', async () => {
    const app = await registeredApp(service.url)
    const ask = (address: string) => service.client().get(app.authorizePath(), from(address))
    const statuses: number[] = []
    for (let i = 0; i < 104; i++) statuses.push((await ask('203.0.113.5')).status)
    expect(statuses.filter((status) => status === 303)).toHaveLength(100)
    const late = await ask('203.0.113.5')
    expect(late.status).toBe(429)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await ask('203.0.113.6')).status).toBe(303)
    const expiry = new Date(clock.now() + 60_000).toISOString()
    await insert(
      'app_record',
      'kind, id_hash, payload, expires_at, address',
      `'Interaction', 'flood' || i, '{}', '${expiry}', '192.0.2.' || i`,
      2000,
    )
    const mine = service.client()
    const { location } = await app.ask(mine)
    expect((await mine.fetch(new URL(location!, service.url).pathname)).status).toBe(303)
    const rows = await queryDatabase(service, "select id_hash from app_record where kind = 'Interaction'")
    expect(rows).toHaveLength(2000)
    clock.move({ minutes: 31 })
    expect((await ask('203.0.113.5')).status).toBe(303)
  })
})

describe('metadata documents of apps', () => {
  const NOT_FETCHED = 'client_id metadata document fetch not allowed'
  /** What becomes of an app that is known by the address of its document. */
  const named = async (client_id: string, address: string) => {
    const grant = { grant_type: 'refresh_token', refresh_token: 'x', client_id }
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: from(address),
      body: new URLSearchParams(grant),
    })
    return JSON.stringify(await answer.json())
  }

  it('are fetched for each address by itself, and always for an app that somebody has let in', async () => {
    const app = await registeredApp(service.url)
    await app.tokens(owner, { password: 'correct horse' })
    const granted = 'https://localhost:1/granted.json'
    await queryDatabase(
      service,
      `update app set client_id = '${granted}' where client_id = '${app.client_id}'`,
    )
    const flood = '198.51.100.200'
    // These are never fetched, and count nothing.
    for (let i = 0; i < 5; i++) await named(`https://127.0.0.1/${i}.json`, flood)
    for (let i = 0; i < 5; i++) await named('https://localhost:1/failed.json', flood)
    const answers: string[] = []
    for (let i = 0; i < 125; i++) answers.push(await named(`https://localhost:1/${i}.json`, flood))
    expect(answers.filter((each) => each.includes(NOT_FETCHED))).toHaveLength(6)
    expect(await named(granted, flood)).not.toContain(NOT_FETCHED)
    expect(await named('https://localhost:1/another.json', '203.0.113.210')).not.toContain(NOT_FETCHED)
  })
})

it('sign-ins to unknown addresses are counted, not kept one by one', async () => {
  for (let i = 0; i < 40; i++) {
    const answer = await service
      .client()
      .post('/api/auth/login', { email: `unknown${i}@example.org`, password: 'x' }, from(`198.51.${i}.9`))
    expect(answer.status).toBe(401)
  }
  const failed = async () =>
    (await owner.ok('GET', '/api/security-log?limit=200')).filter(
      (each: { event_type: string; user_id: string | null }) =>
        each.event_type === 'sign_in_failed' && each.user_id === null,
    )
  expect(await failed()).toHaveLength(10)
  clock.move({ minutes: 61 })
  await service.client().post('/api/auth/login', { email: 'one-more@example.org', password: 'x' })
  const rows = await failed()
  expect(rows).toHaveLength(12)
  expect(rows[1].details).toEqual({ count: 30, since: expect.any(String) })
})

it('failed sign-ins to one account are counted too, those with passkeys and with passwords each by themselves', async () => {
  const email = 'besieged@example.org'
  const client = await service.user(email)
  const device = new Authenticator({ origin: service.url.replace('127.0.0.1', 'localhost') })
  const { publicKey } = await client.ok('POST', '/api/auth/passkey/register/begin', {})
  await client.ok('POST', '/api/auth/passkey/register/complete', {
    name: 'Key',
    credential: device.create(publicKey),
  })
  const byPasskey = async (address: string) => {
    const stranger = service.client()
    const begun = await stranger.ok('POST', '/api/auth/passkey/auth/begin', { email })
    const { origin } = device
    const text = JSON.stringify({ type: 'webauthn.get', challenge: begun.publicKey.challenge, origin })
    const { id } = begun.publicKey.allowCredentials[0]
    const clientDataJSON = Buffer.from(text).toString('base64url')
    const response = { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' }
    const body = { id, rawId: id, type: 'public-key', response }
    return (await stranger.post('/api/auth/passkey/auth/complete', body, from(address))).status
  }
  const byPassword = async (address: string) =>
    (await service.client().post('/api/auth/login', { email, password: 'x' }, from(address))).status
  for (let i = 0; i < 50; i++) expect(await byPasskey('198.51.100.77')).toBe(401)
  for (let i = 0; i < 25; i++) expect(await byPassword(`203.0.${i}.7`)).toBe(401)
  const failed = async () =>
    (await client.ok('GET', '/api/auth/activity?limit=200')).filter(
      ({ event_type }: { event_type: string }) => event_type === 'sign_in_failed',
    )
  const kept = await failed()
  expect(kept).toHaveLength(20)
  expect(kept[0]).toMatchObject({ address: '203.0.9.7', details: {} })
  expect(kept[10]).toMatchObject({ address: '198.51.100.77', details: { by: 'passkey' } })
  clock.move({ minutes: 61 })
  expect(await byPassword('203.0.113.99')).toBe(401)
  const [last, ...counts] = (await failed()).slice(0, 3)
  expect(last).toMatchObject({ address: '203.0.113.99', details: {} })
  const since = expect.any(String)
  expect(counts).toContainEqual(expect.objectContaining({ address: null, details: { count: 15, since } }))
  expect(counts).toContainEqual(
    expect.objectContaining({ address: '198.51.100.77', details: { by: 'passkey', count: 40, since } }),
  )
  expect(await failed()).toHaveLength(23)
  expect((await facet(service.database_url, 'audit', 'verify')).code).toBe(0)
})
