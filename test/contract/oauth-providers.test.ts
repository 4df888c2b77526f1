import { generateKeyPairSync, verify as verifySignature } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { emailOf, person, register, signIn, startBoth } from '#test/support/both-providers.ts'
import { Browser } from '#test/support/browser.ts'
import { startIdentityProvider, type TestIdentityProvider } from '#test/support/identity-provider.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { startService } from '#test/support/service.ts'
import { NOBODY } from '#src/domain/caller.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { countRegistration, createAccount } from '#src/operations/account/password/password-steps.ts'
import { signInByIdentity } from '#src/operations/account/provider/provider-steps.ts'
import { runSql } from '#src/runtime/sql-runner.ts'
import { openBase } from '#test/support/base.ts'

describe('a provider', () => {
  const closers: (() => Promise<void>)[] = []
  const open = async (options?: Parameters<typeof startBoth>[0]) => {
    const both = await startBoth(options)
    closers.push(() => both.close())
    return both
  }
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const close of closers.splice(0)) await close()
  })

  it('that is not configured is 404', async () => {
    const service = await startService()
    closers.push(() => service.close())
    for (const path of ['idp_a', 'idp_b', 'idp_c', 'idp_a/callback?code=x&state=y'])
      expect(await service.client().get(`/api/auth/oauth/${path}`)).toMatchObject({
        status: 404,
        body: { error: 'NotFound' },
      })
    expect((await service.client().post('/api/auth/oauth/idp_b/callback')).status).toBe(404)
  })

  it('may give the address by userinfo only', async () => {
    const both = await open({ idp: { emailIn: 'userinfo' } })
    const who = person()
    await register(both, emailOf(who))
    expect((await signIn(both, 'idp_a', who)).me.body).toMatchObject({
      email: emailOf(who),
      has_password: true,
    })
    both.idps.idp_a.state.intercept = (request, response) => {
      if (!request.url?.startsWith('/me')) return false
      response.writeHead(503).end()
      return true
    }
    expect((await signIn(both, 'idp_a', person())).path).toBe('/?auth_error=exchange_failed')
  })

  it.each(['ES256', 'RS256', 'EdDSA'] as const)('may sign by %s, and by a new key', async (alg) => {
    const both = await open({ idp: { alg } })
    expect((await signIn(both, 'idp_a', person())).me.status).toBe(200)
    both.idps.idp_a.register() // with another key
    const minute = Date.now() + 60_000
    vi.spyOn(Date, 'now').mockReturnValue(minute)
    expect((await signIn(both, 'idp_a', person())).me.status).toBe(200)
  })

  it('whose addresses are trusted links without the claim', async () => {
    const both = await open({ env: { IDP_A_TRUST_EMAIL: 'true' } })
    const who = person({ email_verified: undefined })
    await register(both, emailOf(who))
    expect((await signIn(both, 'idp_a', who)).me.body).toMatchObject({
      has_password: true,
      linked_idp_a: true,
    })
    const other = person({ email_verified: undefined })
    await register(both, emailOf(other))
    expect((await signIn(both, 'idp_b', other)).path).toBe('/?auth_error=email_unverified')
  })

  it('that is down, or says something else than its name, is 503, and works again when it is back', async () => {
    const both = await open()
    const { issuer } = both.idps.idp_a
    const failures: NonNullable<TestIdentityProvider['state']['intercept']>[] = [
      (_, response) => !!response.writeHead(500).end('down'),
      (_, response) => !!response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      (_, response) => !!response.writeHead(404).end(),
      (_, response) =>
        !!response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ issuer: 'https://evil.test', authorization_endpoint: `${issuer}/auth` })),
      (request) => !!request.socket.destroy(),
    ]
    for (const intercept of failures) {
      both.idps.idp_a.state.intercept = intercept
      const response = await fetch(`${both.site}/api/auth/oauth/idp_a`, { redirect: 'manual' })
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({
        error: 'ServiceUnavailable',
        details: { auth_error: 'provider_unavailable' },
      })
      const { url } = await new Browser().visit(`${both.site}/api/auth/oauth/idp_a`)
      expect(url).toBe(`${both.site}/?auth_error=provider_unavailable`)
    }
    both.idps.idp_a.state.intercept = undefined
    expect((await signIn(both, 'idp_a', person())).path).toBe('/')
  })

  it('lead a browser home also where the service itself fails', async () => {
    const both = await open()
    const address = `${both.site}/api/auth/oauth/idp_a`
    await queryDatabase(both.service, 'alter table oauth_flow rename to oauth_flow_away')
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(500)
    expect((await new Browser().visit(address)).url).toBe(`${both.site}/?auth_error=service_failed`)
  })

  const registrations: [REGISTRATION: string, allowed: boolean][] = [
    ['closed', false],
    ['domain:example.org', true],
    ['domain:example.net', false],
  ]
  for (const [REGISTRATION, allowed] of registrations)
    it(`makes ${allowed ? 'an' : 'no'} account where REGISTRATION is ${REGISTRATION}`, async () => {
      const both = await open({ env: { REGISTRATION } })
      const { path, me } = await signIn(both, 'idp_b', person())
      expect(path).toBe(allowed ? '/' : '/?auth_error=registration_refused')
      expect(me.status).toBe(allowed ? 200 : 401)
    })

  it('makes no account of an address of the domain that the provider does not vouch for', async () => {
    const both = await open({ env: { REGISTRATION: 'domain:example.org' } })
    const { path } = await signIn(both, 'idp_b', person({ email_verified: false }))
    expect(path).toBe('/?auth_error=registration_refused')
  })

  it('with a signing key gets a client secret that is made at run time', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const idp = await startIdentityProvider()
    const service = await startService({
      env: {
        IDP_B_ISSUER: idp.issuer,
        IDP_B_CLIENT_ID: 'facet',
        IDP_B_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        IDP_B_KEY_ID: 'KEY1234567',
        IDP_B_TEAM_ID: 'TEAM123456',
      },
    })
    closers.push(
      () => service.close(),
      () => idp.close(),
    )
    const site = service.url.replace('127.0.0.1', 'localhost')
    idp.register(`${site}/api/auth/oauth/idp_b/callback`)
    let secret = ''
    idp.state.intercept = (request, response) => {
      if (!request.url?.startsWith('/token')) return false
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        secret = new URLSearchParams(body).get('client_secret')!
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}')
      })
      return true
    }
    const { url } = await new Browser().visit(`${site}/api/auth/oauth/idp_b`)
    expect(url).toBe(`${site}/?auth_error=exchange_failed`)
    const [header, claims, signature] = secret.split('.')
    const parse = (part?: string) => JSON.parse(Buffer.from(part!, 'base64url').toString())
    expect(parse(header)).toEqual({ alg: 'ES256', kid: 'KEY1234567', typ: 'JWT' })
    expect(parse(claims)).toMatchObject({ iss: 'TEAM123456', sub: 'facet', aud: idp.issuer })
    expect(parse(claims).exp - parse(claims).iat).toBe(300)
    expect(Math.abs(parse(claims).iat - Date.now() / 1000)).toBeLessThan(60)
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
    const signed = Buffer.from(`${header}.${claims}`)
    expect(verifySignature('sha256', signed, key, Buffer.from(signature!, 'base64url'))).toBe(true)
  })

  it('make at most fifty accounts an hour from one address, as passwords do', async () => {
    const base = await openBase()
    const caller = { ...NOBODY, address: '198.51.100.7' }
    const source = ulidSource()
    const now = new Date()
    const at = () => ({ db: base.db, caller, now, time_zone: 'UTC', newId: () => source(now.getTime()) })
    const terms = {
      registration: { kind: 'open' } as const,
      default_role: 'editor' as const,
      guarded: false,
      passwords: true,
    }
    const byProvider = (i: number, token_hash = `p${i}`) => {
      const identity = { provider: 'idp_a', issuer: 'https://id.example', subject: `${i}` }
      const whose = { email: `p${i}@example.org`, email_verified: true, linking: 'merge', link_to: null }
      const ways = { passwords: true, providers: [] }
      return runSql(signInByIdentity, at(), { ...identity, ...whose, ways, terms, token_hash })
    }
    for (let i = 0; i < 25; i++) {
      await byProvider(i)
      // By a password the request is counted before the account is made, and once.
      await runSql(countRegistration, at(), {})
      const made = { email: `w${i}@example.org`, display_name: null, password_hash: 'x', token_hash: `w${i}` }
      await runSql(createAccount, at(), { ...made, terms, invitation_hash: null })
    }
    await expect(byProvider(25)).rejects.toMatchObject({
      code: 'TooManyRequests',
      details: { auth_error: 'too_many_accounts', retry_after: expect.any(Number) },
    })
    await expect(runSql(countRegistration, at(), {})).rejects.toMatchObject({ code: 'TooManyRequests' })
    // Who has an account signs in as ever.
    await byProvider(0, 'again')
    base.close()
  })
})
