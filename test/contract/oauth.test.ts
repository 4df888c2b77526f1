import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '#test/support/authenticator.ts'
import {
  PASSWORD,
  PROVIDERS,
  type Both,
  callbackOf,
  emailOf,
  person,
  register,
  signIn,
  startBoth,
  upToCallback,
} from '#test/support/both-providers.ts'
import { Browser } from '#test/support/browser.ts'
import { TestClock } from '#test/support/clock.ts'
import { type Person } from '#test/support/identity-provider.ts'
import { totpCode } from '#test/support/totp-codes.ts'

describe('signing in with a provider', () => {
  const clock = new TestClock()
  let both: Both
  beforeAll(async () => {
    both = await startBoth({ clock })
  })
  afterAll(() => both.close())
  afterEach(() => {
    for (const name of PROVIDERS) both.idps[name].state.intercept = undefined
  })
  const login = (email: string) =>
    both.service.client().post('/api/auth/login', { email, password: PASSWORD })

  for (const name of PROVIDERS)
    describe(name, () => {
      it('makes an account without a password, and finds it again', async () => {
        const who = person()
        const first = await signIn(both, name, who)
        expect(first.path).toBe('/')
        expect(first.me).toMatchObject({
          status: 200,
          body: {
            email: emailOf(who),
            display_name: null,
            has_password: false,
            linked_idp_a: name === 'idp_a',
            linked_idp_b: name === 'idp_b',
            oauth_providers: [name],
          },
        })
        const second = await signIn(both, name, who)
        expect(second.me.body.user_id).toBe(first.me.body.user_id)
        expect((await first.browser.send('GET', `${both.site}/api/auth/me`)).status).toBe(200)
      })

      it('knows somebody by the subject, whatever becomes of the address', async () => {
        const who = person()
        const { me } = await signIn(both, name, who)
        for (const claims of [{ email: 'moved@example.org', email_verified: false }, {}]) {
          const again = await signIn(both, name, { ...who, claims })
          expect(again.me.body).toMatchObject({ user_id: me.body.user_id, email: emailOf(who) })
        }
      })

      it('links the account that has the verified address, and ends its sessions and pending enrolments', async () => {
        const who = person()
        const { client } = await register(both, emailOf(who).toUpperCase())
        const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
        const { publicKey } = await client.ok('POST', '/api/auth/passkey/register/begin')
        const { user_id } = await client.ok('GET', '/api/auth/me')
        const { me, browser } = await signIn(both, name, who)
        expect(me.body).toMatchObject({ user_id, has_password: true, oauth_providers: [name] })
        expect((await client.get('/api/auth/me')).status).toBe(401)
        const cookie = `__Host-session=${browser.cookie(both.site, '__Host-session')}`
        const confirm = await client.post(
          '/api/auth/2fa/totp/confirm',
          { code: totpCode(secret, clock.now()) },
          { cookie },
        )
        expect(confirm.status).toBe(400)
        const credential = new Authenticator({ origin: both.site }).create(publicKey)
        const complete = await client.post(
          '/api/auth/passkey/register/complete',
          { name: 'Key', credential },
          { cookie },
        )
        expect(complete.status).toBe(400)
        expect((await login(emailOf(who))).status).toBe(200)
      })

      it('needs no TOTP code', async () => {
        const who = person()
        const { client } = await register(both, emailOf(who))
        const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
        await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, clock.now()) })
        const { me } = await signIn(both, name, who)
        expect(me).toMatchObject({ status: 200, body: { has_totp: true } })
      })

      for (const email_verified of [false, 'false', undefined, 1])
        it(`never links an address that is not verified: ${email_verified}`, async () => {
          const who = person({ email_verified })
          const { client } = await register(both, emailOf(who))
          const { path, me } = await signIn(both, name, who)
          expect(path).toBe('/?auth_error=email_unverified')
          expect(me.status).toBe(401)
          expect(await client.ok('GET', '/api/auth/me')).toMatchObject({ oauth_providers: [] })
        })

      it('takes "true" for true', async () => {
        const who = person({ email_verified: 'true' })
        await register(both, emailOf(who))
        expect((await signIn(both, name, who)).me.body).toMatchObject({
          has_password: true,
          oauth_providers: [name],
        })
      })

      it('makes an account for an unverified address that nobody has', async () => {
        const who = person({ email_verified: false })
        expect((await signIn(both, name, who)).me.body).toMatchObject({ email: emailOf(who) })
      })

      for (const email of [undefined, '', 'no address', 7])
        it(`makes no account without an address: ${email}`, async () => {
          const { path, me } = await signIn(both, name, person({ email }))
          expect(path).toBe('/?auth_error=email_missing')
          expect(me.status).toBe(401)
        })

      describe('while signed in', () => {
        it("links to the session's account, whatever the address, and signs the other browsers out", async () => {
          const who = person()
          const { client, browser } = await register(both, `owner-${who.subject}@example.org`)
          const other = both.service.client()
          await other.ok('POST', '/api/auth/login', {
            email: `owner-${who.subject}@example.org`,
            password: PASSWORD,
          })
          const { user_id } = await client.ok('GET', '/api/auth/me')
          const linked = await signIn(both, name, who, browser)
          expect(linked.path).toBe('/')
          expect(linked.me.body).toMatchObject({ user_id, oauth_providers: [name] })
          expect((await other.get('/api/auth/me')).status).toBe(401)
          expect((await signIn(both, name, who)).me.body.user_id).toBe(user_id)
        })

        it('is refused an identity that another account holds', async () => {
          const who = person()
          await signIn(both, name, who)
          const { client, browser } = await register(both, `owner-${who.subject}@example.org`)
          const { path, me } = await signIn(both, name, who, browser)
          expect(path).toBe('/?auth_error=identity_in_use')
          expect(me.body).toMatchObject({ oauth_providers: [] })
          expect((await client.get('/api/auth/me')).status).toBe(200)
        })

        it('links nothing when a page of another site began it', async () => {
          const who = person()
          const email = `owner-${who.subject}@example.org`
          const { browser } = await register(both, email)
          both.idps[name].state.person = who
          const begun = await fetch(`${both.site}/api/auth/oauth/${name}`, {
            redirect: 'manual',
            headers: {
              cookie: `__Host-session=${browser.cookie(both.site, '__Host-session')}`,
              'sec-fetch-site': 'cross-site',
            },
          })
          const [, secret = ''] = /=([^;]*)/.exec(begun.headers.getSetCookie()[0]!) ?? []
          browser.setCookie(both.site, `__Host-oauth-${name}`, secret, 'None')
          await browser.visit(begun.headers.get('location')!)
          const me = await browser.send('GET', `${both.site}/api/auth/me`)
          expect(me.body).toMatchObject({ email: emailOf(who), oauth_providers: [name] })
          const owner = both.service.client()
          const account = await owner.ok('POST', '/api/auth/login', { email, password: PASSWORD })
          expect(account).toMatchObject({ email, oauth_providers: [] })
        })

        it('links nothing when the session has ended meanwhile', async () => {
          const who = person()
          const { client, browser } = await register(both, `owner-${who.subject}@example.org`)
          both.idps[name].state.person = who
          const stop = (url: string) => url.startsWith(both.idps[name].issuer)
          const { url } = await browser.visit(`${both.site}/api/auth/oauth/${name}`, { stop })
          await client.ok('POST', '/api/auth/logout')
          const { url: landed } = await browser.visit(url)
          expect(landed).toBe(`${both.site}/?auth_error=session_ended`)
        })
      })

      it('reports what the provider refuses', async () => {
        const answer = new URLSearchParams({
          error: 'access_denied',
          error_description: 'no',
          state: 'unknown',
        })
        const response =
          name === 'idp_a'
            ? await fetch(`${callbackOf(both, name)}?${answer.toString()}`, { redirect: 'manual' })
            : await fetch(callbackOf(both, name), { method: 'POST', body: answer, redirect: 'manual' })
        expect(response.status).toBe(302)
        expect(response.headers.get('location')).toBe('/?auth_error=access_denied')
      })

      it('passes on no text that a provider, or somebody in its name, made up', async () => {
        const answer = new URLSearchParams({ error: '"><script>alert(1)</script>' })
        const response =
          name === 'idp_a'
            ? await fetch(`${callbackOf(both, name)}?${answer.toString()}`, { redirect: 'manual' })
            : await fetch(callbackOf(both, name), { method: 'POST', body: answer, redirect: 'manual' })
        expect(response.headers.get('location')).toBe('/?auth_error=provider_error')
      })
    })

  it('sends the browser off with PKCE, state, nonce and the right way back', async () => {
    for (const [name, mode] of [
      ['idp_a', 'query'],
      ['idp_b', 'form_post'],
    ] as const) {
      const response = await fetch(`${both.site}/api/auth/oauth/${name}`, { redirect: 'manual' })
      expect(response.status).toBe(302)
      expect(response.headers.get('cache-control')).toBe('no-store')
      const url = new URL(response.headers.get('location')!)
      expect(url.origin).toBe(both.idps[name].issuer)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: 'facet',
        response_type: 'code',
        response_mode: mode,
        redirect_uri: callbackOf(both, name),
        scope: 'openid email profile',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      })
    }
  })

  it('binds the sign-in to the browser by a cookie of its own with exactly its attributes', async () => {
    for (const [name, same_site] of [
      ['idp_a', 'Lax'],
      ['idp_b', 'None'],
    ] as const) {
      const response = await fetch(`${both.site}/api/auth/oauth/${name}`, { redirect: 'manual' })
      const cookies = response.headers.getSetCookie()
      expect(cookies).toHaveLength(1)
      expect(cookies[0]).toMatch(
        new RegExp(
          `^__Host-oauth-${name}=[\\w-]{43}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=${same_site}$`,
        ),
      )
    }
  })

  it('takes that cookie back and sets the session when it is done', async () => {
    const browser = new Browser()
    await signIn(both, 'idp_b', person(), browser)
    expect(browser.cookie(both.site, '__Host-oauth-idp_b')).toBeUndefined()
    expect(browser.cookie(both.site, '__Host-session')).toMatch(/^[\w-]{43}$/)
  })

  it('takes two sign-ins of one browser that are under way at once', async () => {
    const browser = new Browser()
    const who = person()
    const [first, second] = [await upToCallback(both, browser, who), await upToCallback(both, browser, who)]
    expect((await browser.visit(second.href)).url).toBe(`${both.site}/`)
    expect(first.searchParams.get('state')).not.toBe(second.searchParams.get('state'))
  })

  describe('unlinking', () => {
    const unlink = (browser: Browser, name: string) =>
      browser.send('DELETE', `${both.site}/api/auth/link/${name}`)

    const addPasskey = async (browser: Browser) => {
      const { body } = await browser.send('POST', `${both.site}/api/auth/passkey/register/begin`)
      const credential = new Authenticator({ origin: both.site }).create(body.publicKey)
      return browser.send('POST', `${both.site}/api/auth/passkey/register/complete`, {
        name: 'Key',
        credential,
      })
    }

    it('is refused while the provider is the only way to sign in, and works with any other', async () => {
      const ways: [what: string, add: (browser: Browser, who: Person) => Promise<unknown>][] = [
        [
          'a password',
          (browser) => browser.send('POST', `${both.site}/api/auth/password`, { new_password: PASSWORD }),
        ],
        ['the other provider', (browser, who) => signIn(both, 'idp_b', who, browser)],
        ['a passkey', addPasskey],
      ]
      for (const [what, add] of ways) {
        const who = person()
        const { browser } = await signIn(both, 'idp_a', who)
        expect(await unlink(browser, 'idp_a'), what).toMatchObject({
          status: 400,
          body: { error: 'BadRequest' },
        })
        await add(browser, who)
        expect(await unlink(browser, 'idp_a'), what).toMatchObject({
          status: 200,
          body: { message: expect.any(String) },
        })
        const me = await browser.send('GET', `${both.site}/api/auth/me`)
        expect(me.body.linked_idp_a).toBe(false)
        expect(await unlink(browser, 'idp_a')).toMatchObject({ status: 404 })
      }
    })

    it('leaves a passkey that cannot be deleted while it is the only way left', async () => {
      const { browser } = await signIn(both, 'idp_a', person())
      await addPasskey(browser)
      await unlink(browser, 'idp_a')
      const passkeys = () => browser.send('GET', `${both.site}/api/auth/passkeys`)
      const [{ credential_id }] = (await passkeys()).body
      const remove = () => browser.send('DELETE', `${both.site}/api/auth/passkeys/${credential_id}`)
      expect(await remove()).toMatchObject({
        status: 400,
        body: { message: 'This passkey is the only way to sign in to the account' },
      })
      expect((await passkeys()).body).toHaveLength(1)
      await browser.send('POST', `${both.site}/api/auth/password`, { new_password: PASSWORD })
      expect(await remove()).toMatchObject({ status: 200 })
    })

    it('leaves an identity that makes an account, or is linked, again', async () => {
      const who = person()
      const { browser, me } = await signIn(both, 'idp_a', who)
      await browser.send('POST', `${both.site}/api/auth/password`, { new_password: PASSWORD })
      await unlink(browser, 'idp_a')
      const other = { ...who, claims: { email: `other-${who.subject}@example.org`, email_verified: true } }
      expect((await signIn(both, 'idp_a', other)).me.body.user_id).not.toBe(me.body.user_id)
    })

    for (const name of ['idp_a', 'idp_c', 'constructor', '%20'])
      it(`answers 404 for ${name} where it is not linked`, async () => {
        const { client } = await register(
          both,
          `unlink-${encodeURIComponent(name).replaceAll('%', '')}@example.org`,
        )
        expect((await client.delete(`/api/auth/link/${name}`)).status).toBe(404)
      })
  })

  it('sets a first password without a current one', async () => {
    const who = person()
    const { browser } = await signIn(both, 'idp_a', who)
    expect((await login(emailOf(who))).status).toBe(401)
    const set = await browser.send('POST', `${both.site}/api/auth/password`, { new_password: PASSWORD })
    expect(set.status).toBe(200)
    expect((await login(emailOf(who))).status).toBe(200)
    const again = await browser.send('POST', `${both.site}/api/auth/password`, { new_password: PASSWORD })
    expect(again.status).toBe(400)
  })
})
