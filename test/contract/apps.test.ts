import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { OauthApp, REDIRECT, registeredApp } from '#test/support/oauth-app.ts'
import { openMcpStream, postMessage } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** A client that shows a token with every request. */
class TokenClient extends Client {
  private readonly token: string
  constructor(url: string, token: string) {
    super(url)
    this.token = token
  }
  protected override identify(headers: Headers): void {
    super.identify(headers)
    headers.set('authorization', `Bearer ${this.token}`)
  }
}

describe('apps', () => {
  const clock = new TestClock()
  let service: Service
  let ann: Client
  beforeAll(async () => {
    service = await startService({ clock: clock.now })
    ann = await service.user('ann@example.org')
  })
  afterAll(() => service.close())

  const withToken = (token: string) => new TokenClient(service.url, token)
  const app = (metadata: object = {}) => registeredApp(service.url, metadata)
  /** Somebody who has just signed in. */
  const fresh = () => service.user()
  const works = async (token: string) => (await withToken(token).get('/api/auth/me')).status

  it('may register, read the metadata and ask for tokens from a page of any origin', async () => {
    const origin = 'https://agent.example'
    for (const path of ['/oauth/register', '/oauth/token', '/.well-known/oauth-authorization-server']) {
      const asked = await service.client().send('OPTIONS', path, undefined, {
        origin,
        'access-control-request-method': path.startsWith('/oauth') ? 'POST' : 'GET',
        'access-control-request-headers': 'content-type,mcp-protocol-version',
      })
      expect(asked.status, path).toBe(204)
      expect(['*', origin], path).toContain(asked.headers.get('access-control-allow-origin'))
      expect(asked.headers.get('access-control-allow-credentials'), path).toBeNull()
      expect(asked.headers.get('access-control-allow-headers')?.toLowerCase(), path).toContain('content-type')
    }
    const metadata = await service.client().get('/.well-known/oauth-authorization-server', { origin })
    expect(['*', origin]).toContain(metadata.headers.get('access-control-allow-origin'))
    const body = {
      client_name: 'In a page',
      redirect_uris: ['https://agent.example/back'],
      token_endpoint_auth_method: 'none',
    }
    for (const [given, status] of [[body, 201] as const, [{ ...body, redirect_uris: [] }, 400] as const]) {
      const made = await service.client().post('/oauth/register', given, { origin })
      expect(made.status).toBe(status)
      expect(['*', origin]).toContain(made.headers.get('access-control-allow-origin'))
    }
  })

  describe('says where to ask', () => {
    it('in the two documents of the resource', async () => {
      for (const path of ['', '/api/mcp']) {
        const { status, body, headers } = await service
          .client()
          .get(`/.well-known/oauth-protected-resource${path}`)
        expect(status).toBe(200)
        expect(headers.get('access-control-allow-origin')).toBe('*')
        const issuer = body.authorization_servers[0]
        expect(body).toMatchObject({
          resource: `${issuer}/api/mcp`,
          scopes_supported: ['read', 'propose', 'write'],
        })
      }
    })

    it('in the document of the authorization server', async () => {
      const { status, body } = await service.client().get('/.well-known/oauth-authorization-server')
      expect(status).toBe(200)
      expect(body).toEqual({
        issuer: body.issuer,
        authorization_endpoint: `${body.issuer}/oauth/authorize`,
        token_endpoint: `${body.issuer}/oauth/token`,
        registration_endpoint: `${body.issuer}/oauth/register`,
        revocation_endpoint: `${body.issuer}/oauth/revoke`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        scopes_supported: ['read', 'propose', 'write', 'offline_access'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        service_documentation: `${body.issuer}/docs/reference/authentication.md`,
      })
    })

    it('in every 401 of the MCP server', async () => {
      for (const [method, path] of [
        ['POST', '/api/mcp'],
        ['GET', '/api/mcp'],
        ['GET', '/api/mcp/sse'],
        ['POST', '/api/mcp/message'],
      ] as const) {
        const none = await service.client().fetch(path, { method })
        expect(none.status).toBe(401)
        expect(none.headers.get('www-authenticate')).toMatch(
          /^Bearer resource_metadata="http.*\/\.well-known\/oauth-protected-resource\/api\/mcp"$/,
        )
        const wrong = await withToken('nonsense').fetch(path, { method })
        expect(wrong.headers.get('www-authenticate')).toMatch(
          /^Bearer error="invalid_token", resource_metadata="/,
        )
      }
    })
  })

  it('gets no secret where its registration names no method', async () => {
    const { status, body } = await new OauthApp(service.url).register({
      token_endpoint_auth_method: undefined,
    })
    expect(status).toBe(201)
    expect(body.token_endpoint_auth_method).toBe('none')
    expect(Object.keys(body).filter((name) => name.startsWith('client_secret'))).toEqual([])
    const rows = await queryDatabase(
      service,
      `select metadata from app_client where client_id = '${body.client_id}'`,
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('client_secret')
  })

  it('is made by the command line where an app cannot register', async () => {
    const create = (...uris: string[]) =>
      facet(
        service.database_url,
        'app',
        'create',
        '--name',
        'Made',
        ...uris.flatMap((uri) => ['--redirect-uri', uri]),
      )
    const made = await create(REDIRECT)
    expect(made.code).toBe(0)
    const asking = new OauthApp(service.url, made.out.trim())
    await asking.discover()
    expect((await asking.tokens(await fresh())).scope).toBe('read write')
    const ofBrowsers = ['javascript:alert(1)', 'DATA:text/html,x', 'vbscript:x', 'file:///x', 'about:blank']
    for (const uri of ['http://app.example/', 'x', 'https://a:b@app.example/', ...ofBrowsers])
      expect(await create(uri)).toMatchObject({ code: 2, err: expect.stringContaining('--redirect-uri') })
    expect((await create()).code).toBe(2)
  })

  describe('an app that is allowed', () => {
    it('acts for the account on REST and MCP, and reaches as little as a key', async () => {
      const user = await fresh()
      const asking = await app()
      const { location } = await asking.ask(user)
      const { to, html } = await asking.answer(user, location!, {})
      expect(html).toContain('An &lt;app&gt;')
      expect(html).toContain('this computer (127.0.0.1)')
      expect(html).toContain('user-')
      expect(Object.fromEntries(to!.searchParams)).toEqual({
        code: expect.any(String),
        state: 'a-state',
        iss: asking.issuer,
      })
      const { status, body } = await asking.exchange(to!.searchParams.get('code')!)
      expect(status).toBe(200)
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read write' })
      const by = withToken(body.access_token)
      const { item_id } = await by.ok('POST', '/api/items', { name: 'By an app' })
      const listed = async () => (await user.ok('GET', '/api/auth/apps'))[0]
      expect(await listed()).toMatchObject({ name: 'An <app>', client_uri: null, scope: 'write' })
      await expect.poll(async () => (await listed()).last_used_at).not.toBeNull()
      const tools = await postMessage(by, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
      expect(tools.body.result.tools.length).toBeGreaterThan(10)
      for (const path of ['/api/auth/apps', '/api/keys', '/api/users', '/api/auth/sessions'])
        expect((await by.get(path)).status, path).toBe(403)
      expect(item_id).toBeTruthy()
      const rows = await queryDatabase(service, 'select * from app_record')
      for (const secret of [body.access_token, body.refresh_token])
        expect(JSON.stringify(rows)).not.toContain(secret)
      const { body: activity } = await user.get('/api/auth/activity')
      expect(activity[0]).toMatchObject({
        event_type: 'app_authorized',
        details: { app_id: (await listed()).app_id },
      })
    })

    it('only proposes where the person narrowed it to that, and does not decide', async () => {
      const user = await fresh()
      const asking = await app()
      const { location } = await asking.ask(user)
      const { html } = await asking.answer(user, location!, { decision: 'look' })
      expect(html.match(/name="scope" value="\w+"/g)).toEqual(
        ['write', 'propose', 'read'].map((scope) => `name="scope" value="${scope}"`),
      )
      const tokens = await asking.tokens(user, { scope: 'propose' })
      expect(tokens.scope?.split(' ').toSorted()).toEqual(['propose', 'read'])
      const by = withToken(tokens.access_token)
      expect((await user.ok('GET', '/api/auth/apps'))[0]).toMatchObject({ scope: 'propose' })
      const kept = await by.post('/api/items', { name: 'Proposed by an app' })
      expect(kept.status).toBe(202)
      const accept = `/api/proposals/${kept.body.proposal_id}/accept`
      const refused = await by.post(accept)
      expect(refused.status).toBe(403)
      expect(refused.headers.get('www-authenticate')).toContain('insufficient_scope')
      // Let in again, to write: it is the same program.
      const again = withToken((await asking.tokens(user)).access_token)
      expect((await again.post('/api/items', { name: 'Written' })).status).toBe(200)
      expect((await again.post(accept)).status).toBe(403)
      const other = withToken((await (await app()).tokens(user)).access_token)
      expect((await other.post(accept)).body).toMatchObject({ state: 'accepted' })
    })

    it('asks for no more than it asked for', async () => {
      const user = await fresh()
      const asking = await app()
      const code = await asking.code(user, { scope: 'write' }, { scope: 'propose' })
      const { body } = await asking.exchange(code)
      expect(body.scope?.split(' ').toSorted()).toEqual(['propose', 'read'])
    })

    it('changes nothing where the person narrowed it to reading', async () => {
      const user = await fresh()
      const asking = await app()
      const tokens = await asking.tokens(user, { scope: 'read' })
      expect(tokens.scope).toBe('read')
      const by = withToken(tokens.access_token)
      expect((await by.get('/api/items')).status).toBe(200)
      const refused = await by.post('/api/items', { name: 'X' })
      expect(refused.status).toBe(403)
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer error="insufficient_scope", scope="read write"',
      )
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'add_item', arguments: { name: 'X' } },
      }
      for (const [path, message] of [
        ['/api/mcp', call],
        ['/api/mcp', [{ ...call, id: 2, params: { name: 'list_views' } }, call]],
        ['/api/mcp/message', call],
      ] as const) {
        const response = await by.fetch(path, {
          method: 'POST',
          body: JSON.stringify(message),
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        })
        expect(response.status, path).toBe(403)
        expect(response.headers.get('www-authenticate')).toMatch(
          /^Bearer error="insufficient_scope", scope="read write", resource_metadata="/,
        )
      }
      const { body } = await asking.refresh(tokens.refresh_token, { scope: 'read write' })
      expect(body.access_token === undefined || body.scope === 'read').toBe(true)
    })

    it('is not let in where somebody says no', async () => {
      const user = await fresh()
      const asking = await app()
      const { location } = await asking.ask(user)
      const { to } = await asking.answer(user, location!, { decision: 'deny' })
      expect(to!.searchParams.get('error')).toBe('access_denied')
      expect(to!.searchParams.get('iss')).toBe(asking.issuer)
      expect(await user.ok('GET', '/api/auth/apps')).toEqual([])
    })

    it('asks somebody who is not signed in to sign in first', async () => {
      const asking = await app()
      const nobody = service.client()
      const { location } = await asking.ask(nobody)
      const page = await nobody.fetch(location!)
      expect(page.status).toBe(303)
      expect(page.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(location!)}`)
      expect(nobody.cookies.get('__Host-return')).toBe(location)
      await nobody.ok('POST', '/api/auth/login', { email: 'ann@example.org', password: 'correct horse' })
      const { to } = await asking.answer(nobody, location!, {})
      expect(to!.searchParams.get('code')).toBeTruthy()
    })

    it('is allowed by somebody who has nothing but a passkey', async () => {
      const user = await service.user('key-only@example.org')
      const { publicKey } = await user.ok('POST', '/api/auth/passkey/register/begin')
      const device = new Authenticator({ origin: service.url.replace('127.0.0.1', 'localhost') })
      const credential = device.create(publicKey)
      await user.ok('POST', '/api/auth/passkey/register/complete', { name: 'Mine', credential })
      await queryDatabase(
        service,
        "update account set password_hash = null where email = 'key-only@example.org'",
      )
      const asking = await app()
      clock.move({ ms: 11 * MINUTE })
      const { location } = await asking.ask(user)
      // Neither of the fields would be any use, so the page says to sign in again.
      const late = await asking.answer(user, location!, {})
      expect(late).toMatchObject({ status: 403, to: null })
      expect(late.html).toContain('sign in again')
      expect(late.html).not.toContain('type="password"')
      const left = await user.fetch(`${location!}/other-account`, { method: 'POST' })
      expect(left.headers.get('location')).toContain('/sign-in?next=')
      const asked = await user.ok('POST', '/api/auth/passkey/auth/begin', { discoverable: true })
      await user.ok('POST', '/api/auth/passkey/auth/complete', device.get(asked.publicKey))
      const { to } = await asking.answer(user, location!, {})
      expect(to!.searchParams.get('code')).toBeTruthy()
    })

    it('is allowed by a proof that is fresh', async () => {
      const user = await service.user('late@example.org')
      const asking = await app()
      clock.move({ ms: 11 * MINUTE })
      const { location } = await asking.ask(user)
      const without = await asking.answer(user, location!, {})
      expect(without).toMatchObject({ status: 403, to: null })
      const wrong = await asking.answer(user, location!, { password: 'not that' })
      expect(wrong.text).toContain('The password is wrong')
      expect(wrong.to).toBeNull()
      const right = await asking.answer(user, location!, { password: 'correct horse' })
      expect(right.to!.searchParams.get('code')).toBeTruthy()
    })
  })

  describe('refuses', () => {
    for (const [what, redirect_uri] of [
      ['another path', 'http://127.0.0.1:8912/other'],
      ['another host', 'http://localhost:8912/callback'],
      ['a user in it', 'http://x@127.0.0.1:8912/callback'],
      ['a fragment', `${REDIRECT}#x`],
      ['an encoded path', 'http://127.0.0.1:8912/%63allback'],
      ['a longer path', `${REDIRECT}/../callback`],
      ['a query', `${REDIRECT}?x=1`],
      ['https in its place', 'https://127.0.0.1:8912/callback'],
    ] as const)
      it(`a redirect with ${what}`, async () => {
        const user = await fresh()
        const { status, location, text } = await (await app()).ask(user, { redirect_uri })
        expect(status).toBe(400)
        expect(location).toBeNull()
        expect(text).toContain('redirect_uri')
      })

    it('no other port than on loopback addresses', async () => {
      const user = await fresh()
      const asking = await app({ redirect_uris: [REDIRECT, 'https://app.example/callback'] })
      expect((await asking.ask(user, { redirect_uri: 'http://127.0.0.1:1/callback' })).status).toBe(303)
      expect((await asking.ask(user, { redirect_uri: 'https://app.example:8443/callback' })).status).toBe(400)
    })

    for (const [what, parameters, error] of [
      ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
      ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
      ['an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
      ['a token beside the code', { response_type: 'code id_token' }, 'unsupported_response_type'],
      ['a type that it does not say', { response_type: undefined }, 'invalid_request'],
      ['an unknown scope', { scope: 'everything' }, 'invalid_scope'],
      ['prompt=none', { prompt: 'none' }, 'login_required'],
    ] as const)
      it(what, async () => {
        const { location } = await (await app()).ask(await fresh(), parameters)
        const { searchParams } = new URL(location!, service.url)
        expect(searchParams.get('error')).toBe(error)
        expect(searchParams.get('state')).toBe('a-state')
      })

    it('a code with another verifier, from another client, for another resource, or elsewhere', async () => {
      const user = await fresh()
      const asking = await app()
      const other = await app()
      const code = await asking.code(user)
      expect((await asking.exchange(code, { code_verifier: 'x'.repeat(43) })).body.error).toBe(
        'invalid_grant',
      )
      expect((await other.exchange(code, { code_verifier: asking.verifier })).body.error).toBe(
        'invalid_grant',
      )
      expect((await asking.exchange(code, { redirect_uri: 'http://127.0.0.1:1/callback' })).body.error).toBe(
        'invalid_grant',
      )
      const wrong = await asking.exchange(code, { resource: 'https://elsewhere.example' })
      expect(wrong.body.error).toBe('invalid_target')
    })

    it('a token for another resource, also when it is refreshed', async () => {
      const asking = await app()
      const { refresh_token } = await asking.tokens(await fresh())
      const { body } = await asking.refresh(refresh_token, { resource: 'https://elsewhere.example' })
      expect(body.error).toBe('invalid_target')
    })

    it('a code that comes twice, and ends what it gave', async () => {
      const user = await fresh()
      const asking = await app()
      const code = await asking.code(user)
      const { body } = await asking.exchange(code)
      expect(await works(body.access_token)).toBe(200)
      expect((await asking.exchange(code)).body.error).toBe('invalid_grant')
      expect(await works(body.access_token)).toBe(401)
      expect((await asking.refresh(body.refresh_token)).body.error).toBe('invalid_grant')
    })

    it('two at once with one code', async () => {
      const asking = await app()
      const code = await asking.code(await fresh())
      const answers = await Promise.all([1, 2, 3].map(() => asking.exchange(code)))
      for (const { body } of answers) if (body.access_token) expect(await works(body.access_token)).toBe(401)
    })

    it('grants by password or without anybody', async () => {
      const asking = await app()
      for (const grant_type of ['password', 'client_credentials', 'implicit'])
        expect((await asking.token({ grant_type })).body.error).toBe('unsupported_grant_type')
    })

    for (const [what, metadata] of [
      ['a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
      ['an open wire', { redirect_uris: ['http://app.example/callback'] }],
      ['a script', { redirect_uris: ['javascript:alert(1)'] }],
      ['a fragment', { redirect_uris: ['https://app.example/#x'] }],
      ['a user', { redirect_uris: ['https://a:b@app.example/'] }],
      ['no redirect', { redirect_uris: [] }],
    ] as const)
      it(`to register with ${what}`, async () => {
        clock.move({ ms: 61 * MINUTE })
        const { status, body } = await new OauthApp(service.url).register(metadata)
        expect(status).toBe(400)
        expect(body.error).toMatch(/^invalid_/)
        expect(body.error_description).toContain(Object.keys(metadata)[0])
      })

    it('a consent that another site posts, or that is framed', async () => {
      const user = await fresh()
      const asking = await app()
      const { location } = await asking.ask(user)
      const foreign = await asking.answer(user, location!, {}, { origin: 'https://evil.example' })
      expect(foreign).toMatchObject({ status: 403, to: null })
      const { headers } = await user.fetch(location!)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
    })

    it('the consent of another browser', async () => {
      const asking = await app()
      const { location } = await asking.ask(await fresh())
      expect((await (await fresh()).fetch(location!)).status).toBe(400)
    })

    it('a flood of registrations', async () => {
      clock.move({ ms: 61 * MINUTE })
      const statuses: number[] = []
      for (let i = 0; i < 52; i++) statuses.push((await new OauthApp(service.url).register()).status)
      expect(statuses.filter((status) => status === 201)).toHaveLength(50)
      expect(statuses.at(-1)).toBe(429)
      const late = await new OauthApp(service.url).register()
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3000)
      clock.move({ ms: 61 * MINUTE })
    })
  })

  describe('refresh tokens', () => {
    it('rotate, and a replayed one ends what was allowed', async () => {
      const asking = await app()
      const first = await asking.tokens(await fresh())
      const second = (await asking.refresh(first.refresh_token)).body
      expect(second.refresh_token).not.toBe(first.refresh_token)
      expect(await works(second.access_token)).toBe(200)
      clock.move({ ms: 11_000 })
      expect((await asking.refresh(first.refresh_token)).body.error).toBe('invalid_grant')
      expect(await works(second.access_token)).toBe(401)
      expect((await asking.refresh(second.refresh_token)).body.error).toBe('invalid_grant')
    })

    it('may come again within 10 seconds, while the successor is unused', async () => {
      const asking = await app()
      const first = await asking.tokens(await fresh())
      const lost = (await asking.refresh(first.refresh_token)).body
      clock.move({ ms: 9000 })
      const again = await asking.refresh(first.refresh_token)
      expect(again.status).toBe(200)
      const third = await asking.refresh(again.body.refresh_token)
      expect(third.status).toBe(200)
      // The one that was lost turns up after all: somebody else has it.
      expect((await asking.refresh(lost.refresh_token)).body.error).toBe('invalid_grant')
      expect(await works(third.body.access_token)).toBe(401)
    })

    it('that come several times at once go on in one line', async () => {
      for (const used of [0, 1, 2, 3]) {
        const asking = await app()
        const first = await asking.tokens(await fresh())
        const answers = await Promise.all([0, 1, 2, 3].map(() => asking.refresh(first.refresh_token)))
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
        // Whichever of them the app has kept.
        const next = await asking.refresh(answers[used]!.body.refresh_token)
        expect(next.status).toBe(200)
        clock.move({ ms: 11_000 })
        const last = await asking.refresh(next.body.refresh_token)
        expect(last.status).toBe(200)
        const other = answers[(used + 1) % 4]!.body.refresh_token
        expect((await asking.refresh(other)).body.error).toBe('invalid_grant')
        expect(await works(last.body.access_token)).toBe(401)
      }
    })

    it('may not once the successor is used', async () => {
      const asking = await app()
      const first = await asking.tokens(await fresh())
      const second = (await asking.refresh(first.refresh_token)).body
      const third = (await asking.refresh(second.refresh_token)).body
      expect((await asking.refresh(first.refresh_token)).body.error).toBe('invalid_grant')
      expect(await works(third.access_token)).toBe(401)
    })

    for (const prompt of [undefined, 'login', 'consent'])
      it(`take the scope again that was asked for, offline_access too (prompt: ${prompt})`, async () => {
        const asking = await app()
        const scope = 'read offline_access'
        const code = await asking.code(await fresh(), {}, { scope, ...(prompt && { prompt }) })
        const { body } = await asking.exchange(code)
        expect(body.scope).toBe('read')
        expect(await asking.refresh(body.refresh_token, { scope })).toMatchObject({
          status: 200,
          body: { scope: 'read' },
        })
      })

    it('end after 30 days without use, access tokens after an hour', async () => {
      const asking = await app()
      const first = await asking.tokens(await fresh())
      clock.move({ ms: 61 * MINUTE })
      expect(await works(first.access_token)).toBe(401)
      clock.move({ ms: 29 * DAY })
      const second = (await asking.refresh(first.refresh_token)).body
      expect(await works(second.access_token)).toBe(200)
      clock.move({ ms: 31 * DAY })
      expect((await asking.refresh(second.refresh_token)).body.error).toBe('invalid_grant')
    })
  })

  describe('ends', () => {
    it('by its person: tokens and streams at once', async () => {
      const user = await fresh()
      const asking = await app()
      const tokens = await asking.tokens(user)
      const stream = await openMcpStream(withToken(tokens.access_token))
      const [{ app_id }] = await user.ok('GET', '/api/auth/apps')
      const stranger = await fresh()
      expect((await stranger.delete(`/api/auth/apps/${app_id}`)).status).toBe(404)
      await user.ok('DELETE', `/api/auth/apps/${app_id}`)
      expect(await stream.next!()).toBeUndefined()
      expect(await works(tokens.access_token)).toBe(401)
      expect((await asking.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
      expect(await user.ok('GET', '/api/auth/apps')).toEqual([])
      expect((await user.get('/api/auth/activity')).body[0]).toMatchObject({ event_type: 'app_revoked' })
    })

    it('by itself', async () => {
      const user = await fresh()
      const asking = await app()
      const tokens = await asking.tokens(user)
      expect(await (await app()).revoke(tokens.refresh_token)).toBe(200)
      expect(await works(tokens.access_token)).toBe(200)
      expect(await asking.revoke(tokens.refresh_token)).toBe(200)
      expect(await works(tokens.access_token)).toBe(401)
      expect(await asking.revoke('never was')).toBe(200)
    })

    it('with its account', async () => {
      const user = await service.user('leaving@example.org')
      const tokens = await (await app()).tokens(user)
      await ann.ok('POST', '/api/auth/login', { email: 'ann@example.org', password: 'correct horse' })
      const { user_id } = await user.ok('GET', '/api/auth/me')
      await ann.ok('PUT', `/api/users/${user_id}`, { disabled: true })
      expect(await works(tokens.access_token)).toBe(401)
      await ann.ok('PUT', `/api/users/${user_id}`, { disabled: false })
      expect(await works(tokens.access_token)).toBe(401)
    })
  })
})
