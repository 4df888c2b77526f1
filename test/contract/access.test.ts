import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '#src/api/http/operation-routes.ts'
import { operations } from '#src/operations/index.ts'
import type { Access } from '#src/runtime/operation.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { startService, type Service } from '#test/support/service.ts'
import { totpCode } from '#test/support/totp-codes.ts'

const PASSWORD = 'correct horse'

/** Routes that are no operations. Those without an end to wait for are not asked with a full session. */
const OTHERS: { method: string; path: string; access: Access; endless?: boolean }[] = [
  { method: 'GET', path: '/api/health', access: 'none' },
  { method: 'GET', path: '/api/ready', access: 'none' },
  { method: 'GET', path: '/api/auth/oauth/idp_a', access: 'none' },
  { method: 'GET', path: '/api/auth/oauth/idp_b', access: 'none' },
  { method: 'GET', path: '/api/auth/oauth/idp_a/callback', access: 'none' },
  { method: 'POST', path: '/api/auth/oauth/idp_b/callback', access: 'none' },
  { method: 'POST', path: '/api/chat', access: 'user' },
  { method: 'GET', path: '/api/changes/stream', access: 'user', endless: true },
  { method: 'POST', path: '/api/items/search/stream', access: 'user', endless: true },
  { method: 'GET', path: '/api/views/{view_id}/stream', access: 'user', endless: true },
  { method: 'POST', path: '/api/items/export', access: 'user' },
  { method: 'POST', path: '/api/files', access: 'user' },
  { method: 'GET', path: '/api/files/{file_id}', access: 'user' },
  { method: 'GET', path: '/api/imports/{import_id}/faults', access: 'user' },
  { method: 'GET', path: '/api/file-urls', access: 'none' },
  { method: 'PUT', path: '/api/file-urls', access: 'none' },
  { method: 'GET', path: '/api/mcp/sse', access: 'user', endless: true },
  { method: 'POST', path: '/api/mcp/message', access: 'user' },
  { method: 'POST', path: '/api/mcp', access: 'user' },
  { method: 'GET', path: '/api/mcp', access: 'user', endless: true },
  { method: 'DELETE', path: '/api/mcp', access: 'user' },
]

const routes = [
  ...operations.flatMap((operation) =>
    routesOf(operation).map((route) => ({ ...route, access: operation.access, endless: false })),
  ),
  ...OTHERS,
]

describe('access', () => {
  const clock = new TestClock()
  let service: Service
  let account: { email: string; secret: string }
  const cookies: Record<string, string> = {}

  const logIn = async (): Promise<Client> => {
    const client = service.client()
    await client.ok('POST', '/api/auth/login', { email: account.email, password: PASSWORD })
    return client
  }
  const cookieOf = (client: Client) => `__Host-session=${client.cookies.get('__Host-session')}`
  /** A full session by a passkey-free account of its own: a route may end it. */
  const fullSession = async () => cookieOf(await service.user())

  beforeAll(async () => {
    service = await startService({ clock: clock.now })
    const expired = await service.user()
    clock.move({ days: 7, minutes: 1 })
    const email = 'access@example.org'
    const client = await service.user(email, PASSWORD)
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, clock.now()) })
    account = { email, secret }
    const ended = cookieOf(client)
    await client.ok('POST', '/api/auth/logout')
    Object.assign(cookies, { none: '', expired: cookieOf(expired), ended, partial: cookieOf(await logIn()) })
  })
  afterAll(() => service.close())

  /** With a body that passes no validation but the one of `verify`. */
  const ask = (method: string, path: string, cookie: string) =>
    service.client().fetch(path.replaceAll(/\{\w+\}/g, 'x'), {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(path.endsWith('/verify') ? { code: '000000' } : {}) }),
    })

  it('is settled for every route', () => {
    const settled = routes.map(({ method, path }) => `${method} ${path}`)
    const open = ['/api/swagger-ui', '/api/openapi.json']
    const pages = (route: string) =>
      !route.includes(' /api/') ||
      route.startsWith('HEAD ') ||
      open.some((path) => route.includes(` ${path}`))
    expect(service.routes().filter((route) => !settled.includes(route) && !pages(route))).toEqual([])
  })

  for (const { method, path, access, endless } of routes)
    describe(`${method} ${path} (${access})`, () => {
      for (const session of ['none', 'expired', 'ended', 'partial'])
        it(`${passes(access, session) ? 'lets' : 'refuses'} a caller whose session is: ${session}`, async () => {
          const response = await ask(method, path, cookies[session]!)
          const text = await response.text()
          if (passes(access, session)) expect(response.status).not.toBe(401)
          else {
            expect(response.status).toBe(401)
            expect(JSON.parse(text)).toMatchObject({
              error: 'Unauthorized',
              message: expect.any(String),
              path: path.replaceAll(/\{\w+\}/g, 'x'),
            })
          }
        })
      if (!endless)
        it(`${access === 'partial' ? 'refuses' : 'lets'} a caller whose session is full`, async () => {
          const response = await ask(method, path, await fullSession())
          await response.body?.cancel()
          if (access === 'partial') expect(response.status).toBe(401)
          else expect(response.status).not.toBe(401)
        })
    })
})

const passes = (access: Access, session: string): boolean =>
  access === 'none' || (access === 'partial' && session === 'partial')

describe('what belongs to one user', () => {
  let service: Service
  let owner: Client
  let other: Client
  /** Something of the owner's by kind. */
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    service = await startService()
    owner = await service.user()
    other = await service.user()
    const filter = { search: '' }
    ids.view = (await owner.ok('POST', '/api/views', { name: 'Mine', filter })).view_id
    ids.chat = (await owner.ok('POST', '/api/chats', { title: 'Mine' })).chat_id
    const { publicKey } = await owner.ok('POST', '/api/auth/passkey/register/begin')
    const device = new Authenticator({ origin: service.url.replace('127.0.0.1', 'localhost') })
    await owner.ok('POST', '/api/auth/passkey/register/complete', {
      name: 'Mine',
      credential: device.create(publicKey),
    })
    ids.passkey = device.credential_id
  })
  afterAll(() => service.close())

  const ABSENT: Record<string, string> = {
    view: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    chat: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    passkey: 'A'.repeat(43),
  }
  const attempts: [
    kind: string,
    method: string,
    path: (id: string) => string,
    body?: (id: string) => object,
  ][] = [
    ['view', 'GET', (id) => `/api/views/${id}`],
    ['view', 'PUT', (id) => `/api/views/${id}`, () => ({ name: 'Taken', icon: 'x', filter: { search: '' } })],
    ['view', 'PUT', (id) => `/api/views/${id}/watch`, () => ({ enter: true })],
    ['view', 'DELETE', (id) => `/api/views/${id}`],
    ['view', 'POST', () => '/api/items', (id) => ({ name: 'Filled', view_id: id })],
    ['chat', 'GET', (id) => `/api/chats/${id}`],
    ['chat', 'PUT', (id) => `/api/chats/${id}`, () => ({ title: 'Taken' })],
    ['chat', 'DELETE', (id) => `/api/chats/${id}`],
    ['chat', 'GET', (id) => `/api/chats/${id}/messages`],
    ['chat', 'POST', () => '/api/chat', (id) => ({ message: 'Hello', chat_id: id })],
    ['passkey', 'DELETE', (id) => `/api/auth/passkeys/${id}`],
  ]
  for (const [kind, method, path, body] of attempts)
    it(`${method} ${path('ID')}: another user gets the 404 of what never was`, async () => {
      const send = async (id: string) => {
        const { status, body: answer } = await other.send(method, path(id), body?.(id))
        return { status, text: JSON.stringify(answer).replaceAll(id, 'ID') }
      }
      const [foreign, absent] = [await send(ids[kind]!), await send(ABSENT[kind]!)]
      expect(foreign.status).toBe(404)
      expect(foreign).toEqual(absent)
    })

  const lists = ['/api/views', '/api/chats', '/api/auth/passkeys']
  for (const path of lists)
    it(`GET ${path} lists the caller's own alone, and the attempts have changed nothing`, async () => {
      expect(await other.ok('GET', path)).toEqual([])
      expect(await owner.ok('GET', path)).toEqual([
        expect.objectContaining(path.endsWith('chats') ? { title: 'Mine' } : { name: 'Mine' }),
      ])
    })
})

describe('a body that comes late', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  /** The first line and the body of the answer to a request whose body waits for `meanwhile`. */
  async function late(cookie: string, path: string, body: object, meanwhile: () => Promise<unknown>) {
    const { hostname, port, host } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const answer = text(socket)
    const whole = JSON.stringify(body)
    const head = { host, cookie, 'content-type': 'application/json', 'content-length': whole.length }
    socket.write(
      `POST ${path} HTTP/1.1\r\nconnection: close\r\n` +
        Object.entries(head)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('') +
        '\r\n{',
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    await meanwhile()
    socket.write(whole.slice(1))
    return answer
  }
  const cookieOf = (client: Client) => `__Host-session=${client.cookies.get('__Host-session')}`

  it.each([
    ['/api/items', { name: 'Late' }],
    [
      '/api/mcp/message',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'add_item', arguments: { name: 'Late' } },
      },
    ],
  ])('does nothing at %s where the session ended before it', async (path, body) => {
    const [ann, bob] = [await service.user(), await service.user()]
    const answer = await late(cookieOf(ann), path, body, () => ann.ok('POST', '/api/auth/logout'))
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
    expect(await bob.ok('GET', '/api/items')).toEqual([])
  })

  it('is taken where the session lives on', async () => {
    const ann = await service.user()
    expect(await late(cookieOf(ann), '/api/items', { name: 'Late' }, async () => {})).toMatch(
      /^HTTP\/1.1 200 /,
    )
  })
})
