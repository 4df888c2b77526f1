import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  Client as McpClient,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { newKey } from '#src/auth/api-key.ts'
import { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { holdWriter } from '#test/support/hold-writer.ts'
import { callTool, openMcpStream, TRANSPORTS } from '#test/support/mcp.ts'
import { registeredApp } from '#test/support/oauth-app.ts'
import { parsePrometheus, valueOf } from '#test/support/prometheus.ts'
import { type Service, startService } from '#test/support/service.ts'

/** A client that shows a key with every request. */
class KeyClient extends Client {
  private readonly header: string
  constructor(url: string, header: string) {
    super(url)
    this.header = header
  }
  protected override identify(headers: Headers): void {
    super.identify(headers)
    headers.set('authorization', this.header)
  }
}
/** On MCP where to ask for access follows. */
const CHALLENGE = /^Bearer error="invalid_token"(?:, resource_metadata="[^"]+")?$/
const until = async (condition: () => unknown, ms = 3000) => {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((r) => setTimeout(r, 20)))
    if (await condition()) return
  expect.fail('it did not come about')
}

describe('keys', () => {
  const clock = new TestClock()
  let service: Service
  let ann: Client
  beforeAll(async () => {
    service = await startService({ clock: clock.now, env: { METRICS_PORT: '0' } })
    ann = await service.user()
  })
  afterAll(() => service.close())

  const make = (scope = 'write', options: object = {}, user = ann) =>
    user.ok('POST', '/api/keys', { name: 'a program', scope, ...options })
  const withKey = (key: string) => new KeyClient(service.url, `Bearer ${key}`)

  it('is shown once, and kept as a hash', async () => {
    const made = await make('read', { expires_in_days: 30 })
    expect(made).toEqual({
      key_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      name: 'a program',
      scope: 'read',
      key: expect.stringMatching(/^facet_[0-9A-Za-z]{49}$/),
      prefix: made.key.slice(0, 12),
      created_at: new Date(clock.now()).toISOString(),
      expires_at: new Date(clock.now() + 30 * 24 * 3600 * 1000).toISOString(),
      last_used_at: null,
    })
    const { key, ...rest } = made
    expect((await ann.ok('GET', '/api/keys'))[0]).toEqual(rest)
    const rows = await queryDatabase(service, 'select * from api_key')
    expect(JSON.stringify(rows)).not.toContain(key.slice(12))
  })

  it('acts as its account on every route, within its scope', async () => {
    const [write, read] = [withKey((await make()).key), withKey((await make('read')).key)]
    const { item_id } = await write.ok('POST', '/api/items', { name: 'By a key' })
    expect((await read.ok('GET', `/api/items/${item_id}`)).name).toBe('By a key')
    expect((await read.ok('GET', '/api/auth/me')).user_id).toBe((await ann.ok('GET', '/api/auth/me')).user_id)
    for (const [method, path, body] of [
      ['POST', '/api/items', { name: 'X' }],
      ['POST', '/api/items/bulk-delete', { filter: { search: '' }, dry_run: true }],
      ['POST', '/api/views', { name: 'V', filter: { search: '' } }],
      ['POST', '/api/chats', { title: 'T' }],
      ['POST', '/api/chat', { message: 'Hello' }],
    ] as const)
      expect(await read.send(method, path, body), path).toMatchObject({
        status: 403,
        body: { error: 'Forbidden' },
      })
    expect((await read.post('/api/items/search', {})).status).toBe(200)
    const events = await ann.ok('POST', '/api/audit-log/search', { limit: 1 })
    expect(events[0].user_id).toBe((await ann.ok('GET', '/api/auth/me')).user_id)
  })

  const closed = [
    ['GET', '/api/keys'],
    ['POST', '/api/keys'],
    ['DELETE', '/api/keys/x'],
    ['PUT', '/api/auth/profile'],
    ['POST', '/api/auth/login'],
    ['POST', '/api/auth/logout'],
    ['POST', '/api/auth/password'],
    ['POST', '/api/auth/2fa/totp/verify'],
    ['GET', '/api/auth/passkeys'],
    ['GET', '/api/auth/oauth/idp_a'],
  ] as const
  for (const [method, path] of closed)
    it(`does not reach ${method} ${path}`, async () => {
      const answer = await withKey((await make()).key).send(method, path, method === 'GET' ? undefined : {})
      expect(answer).toMatchObject({ status: 403, body: { error: 'Forbidden' } })
    })

  it('comes first: cookies beside it are not looked at', async () => {
    const { key } = await make('read')
    const headers = { authorization: `Bearer ${key}` }
    expect((await ann.post('/api/items', { name: 'X' }, headers)).status).toBe(403)
    for (const authorization of ['Basic dTpw', 'Bearer', 'Bearer ', 'Bearer a b', '']) {
      const answer = await ann.get('/api/auth/me', { authorization })
      expect(answer, authorization).toMatchObject({
        status: 401,
        body: {
          message: 'The header Authorization holds no key',
          suggestion: expect.stringContaining('no cookie is looked at beside it'),
        },
      })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
    expect((await ann.get('/api/auth/me')).status).toBe(200)
  })

  it('is not held to the rules for other sites', async () => {
    const { key } = await make()
    const headers = {
      authorization: `bearer ${key}`,
      origin: 'https://elsewhere.example',
      'sec-fetch-site': 'cross-site',
    }
    expect((await service.client().post('/api/items', { name: 'Far' }, headers)).status).toBe(200)
    const { authorization: _, ...others } = headers
    expect((await ann.post('/api/items', { name: 'Far' }, others)).status).toBe(403)
  })

  it('is refused with a reason: unknown, mistyped, expired, revoked', async () => {
    const { key, key_id } = await make('write', { expires_in_days: 1 })
    const mistyped = key.slice(0, 20) + (key[20] === 'x' ? 'y' : 'x') + key.slice(21)
    for (const [token, says] of [
      [newKey(), /unknown/],
      ['abc', /unknown/],
      [mistyped, /mistyped/],
      [key.slice(0, -1), /mistyped/],
    ] as const)
      for (const [method, path] of [
        ['GET', '/api/items'],
        ['POST', '/api/mcp'],
        ['GET', '/api/mcp/sse'],
        ['POST', '/api/auth/login'],
      ] as const) {
        const answer = await withKey(token).send(method, path, method === 'GET' ? undefined : {})
        expect(answer).toMatchObject({ status: 401, body: { message: expect.stringMatching(says) } })
        expect(answer.headers.get('www-authenticate')).toMatch(CHALLENGE)
      }
    clock.move({ days: 1 })
    const expired = await withKey(key).get('/api/items')
    expect(expired).toMatchObject({ status: 401, body: { message: expect.stringContaining('expired') } })
    expect(expired.headers.get('www-authenticate')).toMatch(CHALLENGE)
    await ann.ok('DELETE', `/api/keys/${key_id}`)
    expect((await withKey(key).get('/api/items')).status).toBe(401)
    expect((await ann.delete(`/api/keys/${key_id}`)).status).toBe(404)
  })

  it('its use is noted to the minute, with one write', async () => {
    const fresh = await service.user()
    const { key } = await make('read', {}, fresh)
    const client = withKey(key)
    const used = async () => (await fresh.ok('GET', '/api/keys'))[0].last_used_at
    const minute = () => new Date(clock.now() - (clock.now() % 60_000)).toISOString()
    await client.ok('GET', '/api/auth/me')
    await expect.poll(used).toBe(minute())
    clock.move({ minutes: 2 })
    const writes = async () => {
      const told = parsePrometheus(await (await fetch(`${service.metrics_url}/metrics`)).text())
      return valueOf(told, 'facet_engine_run_seconds_count', { kind: 'write' })
    }
    const before = await writes()
    for (let i = 0; i < 2; i++)
      await Promise.all(Array.from({ length: 20 }, () => client.ok('GET', '/api/auth/me')))
    await expect.poll(async () => (await writes()) - before).toBe(1)
    await expect.poll(used).toBe(minute())
  })

  it('and apps are answered while nothing can be written, also at the first use in a minute', async () => {
    const app = await registeredApp(service.url)
    const { access_token } = await app.tokens(ann, { password: 'correct horse' })
    const { key } = await make('read')
    const clients = [withKey(key), withKey(access_token)]
    const { item_id } = await ann.ok('POST', '/api/items', { name: 'Read' })
    clock.move({ minutes: 2 })
    const release = await holdWriter(service.database_url)
    const answers = Promise.all(clients.map((client) => client.get(`/api/items/${item_id}`)))
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, 5000, 'late'))
    const first = await Promise.race([answers, late])
    await release()
    expect(first).toMatchObject([{ status: 200 }, { status: 200 }])
  })

  it('is one’s own: nobody else lists or revokes it', async () => {
    const bob = await service.user()
    const { key_id } = await make('read', {}, await service.user())
    expect(await bob.ok('GET', '/api/keys')).toEqual([])
    expect((await bob.delete(`/api/keys/${key_id}`)).status).toBe(404)
  })

  it('asks for a fresh proof when it is made', async () => {
    const bob = await service.user()
    clock.move({ minutes: 11 })
    expect(await bob.post('/api/keys', { name: 'k', scope: 'read' })).toMatchObject({
      status: 403,
      body: { error: 'Forbidden', details: { confirm: ['password'] } },
    })
  })

  it('there are at most 100 of an account', async () => {
    const bob = await service.user()
    for (let i = 0; i < 100; i++) await make('read', {}, bob)
    expect((await bob.post('/api/keys', { name: 'k', scope: 'read' })).status).toBe(409)
  })

  const wrong = [
    {},
    { name: 'k' },
    { name: 'k', scope: 'admin' },
    { name: ' ', scope: 'read' },
    { name: 'k', scope: 'read', expires_in_days: 0 },
    { name: 'k', scope: 'read', expires_in_days: 3651 },
    { name: 'k', scope: 'read', expires_in_days: 1.5 },
  ]
  for (const body of wrong)
    it(`is not made of ${JSON.stringify(body)}`, async () => {
      expect((await (await service.user()).post('/api/keys', body)).status).toBe(400)
    })

  for (const transport of TRANSPORTS)
    it(`works over MCP (${transport}); a reading one is offered tools that read`, async () => {
      const user = await service.user()
      for (const scope of ['read', 'write']) {
        const { key } = await make(scope, {}, user)
        const mcp = new McpClient({ name: 'test', version: '1' })
        const requestInit = { headers: { authorization: `Bearer ${key}` } }
        await mcp.connect(
          transport === 'sse'
            ? new SSEClientTransport(new URL('/api/mcp/sse', service.url), {
                requestInit,
                fetch: (url, init) =>
                  fetch(url, {
                    ...init,
                    headers: {
                      ...Object.fromEntries(new Headers(init?.headers)),
                      authorization: `Bearer ${key}`,
                    },
                  }),
              })
            : new StreamableHTTPClientTransport(new URL('/api/mcp', service.url), { requestInit }),
        )
        const tools = (await mcp.listTools()).tools
        expect(tools.some(({ annotations }) => !annotations?.readOnlyHint)).toBe(scope === 'write')
        const { error, value } = await callTool(mcp, 'add_item', { name: 'By MCP' })
        if (scope === 'write') expect(value).toMatchObject({ item_id: expect.any(String) })
        else expect(error).toMatch(/may only read.*Use a key with the scope "propose" or "write"/s)
        await mcp.close()
      }
    })

  it('what it holds open ends when it is revoked, and when it is taken away by other hands', async () => {
    for (const by of ['revoked', 'deleted in the database']) {
      const user = await service.user()
      const { key, key_id } = await make('read', {}, user)
      const stream = await openMcpStream(withKey(key))
      expect(stream.status).toBe(200)
      const begun = Date.now()
      if (by === 'revoked') await user.ok('DELETE', `/api/keys/${key_id}`)
      else await queryDatabase(service, `delete from api_key where key_id = '${key_id}'`)
      expect(await stream.next!()).toBeUndefined()
      expect(Date.now() - begun).toBeLessThan(3000)
    }
  })

  it('is made by the command line, for machines that nobody signs in to', async () => {
    const { email } = await ann.ok('GET', '/api/auth/me')
    const made = await facet(
      service.database_url,
      'key',
      'create',
      '--user',
      email,
      '--scope',
      'read',
      '--name',
      'cron',
    )
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(/^facet_[0-9A-Za-z]{49}\n$/)
    const client = withKey(made.out.trim())
    await until(async () => (await client.get('/api/items')).status === 200)
    const narrow = await ann.ok('POST', '/api/tags', { name: 'OfCron', fields: { size: 'Number' } })
    const limit = JSON.stringify({ tag_ids: ['OfCron'] })
    const named = ['key', 'create', '--user', email, '--scope', 'read', '--name', 'part', '--limit']
    const part = await facet(service.database_url, ...named, limit, '--json')
    expect(JSON.parse(part.out)).toMatchObject({ limit: { tag_ids: [narrow.tag_id] } })
    expect(await withKey(JSON.parse(part.out).key).ok('GET', '/api/items')).toEqual([])
    expect(part.err).toBe('')
    const never = JSON.stringify({ filter: { 'OfCron.size': 'large' } })
    expect((await facet(service.database_url, ...named, never)).err).toMatch(
      /^warning: .*OfCron\.size.*never/,
    )
    for (const wrong of ['{', '[]', '{}', '{"tag_ids":["None"]}', '{"tags":["OfCron"]}'])
      expect((await facet(service.database_url, ...named, wrong)).code, wrong).not.toBe(0)
    for (const words of [
      ['key', 'create'],
      ['key', 'create', '--user', email],
      ['key', 'create', '--user', email, '--scope', 'all', '--name', 'x'],
      ['key', 'create', '--user', email, '--scope', 'read', '--name', 'x', '--expires-in-days', '0'],
      ['key', 'make'],
    ])
      expect((await facet(service.database_url, ...words)).code, words.join(' ')).toBe(2)
    expect(
      (
        await facet(
          service.database_url,
          'key',
          'create',
          '--user',
          'no@body.org',
          '--scope',
          'read',
          '--name',
          'x',
        )
      ).code,
    ).toBe(1)
  })
})
