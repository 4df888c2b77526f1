import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type Both,
  callbackOf,
  person,
  PROVIDERS,
  startBoth,
  upToCallback,
} from '#test/support/both-providers.ts'
import { Browser } from '#test/support/browser.ts'
import { TestClock } from '#test/support/clock.ts'

describe('a sign-in with a provider', () => {
  const clock = new TestClock()
  let both: Both
  beforeAll(async () => {
    both = await startBoth({ clock })
  })
  afterAll(() => both.close())
  afterEach(() => {
    for (const name of PROVIDERS) both.idps[name].state.intercept = undefined
  })

  describe('refuses', () => {
    /** As JSON: 400. As a browser: home, with the reason. Neither has a session then. */
    const expectRefusal = async (browser: Browser, url: URL, auth_error: string) => {
      const headers = {
        cookie: `__Host-oauth-idp_a=${browser.cookie(both.site, '__Host-oauth-idp_a') ?? ''}`,
      }
      const json = await fetch(url, { headers, redirect: 'manual' })
      expect(json.status).toBe(400)
      expect(await json.json()).toMatchObject({
        error: 'BadRequest',
        path: url.pathname,
        details: { auth_error },
      })
      expect(json.headers.getSetCookie().join()).not.toContain('__Host-session=')
    }

    it('a state of another browser', async () => {
      const url = await upToCallback(both, new Browser(), person())
      const stranger = new Browser()
      await stranger.visit(`${both.site}/api/auth/oauth/idp_a`, {
        stop: (at) => at.startsWith(both.idps.idp_a.issuer),
      })
      await expectRefusal(stranger, url, 'invalid_state')
    })

    it('a state that a browser brings that never began', async () => {
      await expectRefusal(new Browser(), await upToCallback(both, new Browser(), person()), 'invalid_state')
    })

    it('a changed, a missing and a doubled state', async () => {
      for (const change of [
        (url: URL) => url.searchParams.set('state', 'A'.repeat(43)),
        (url: URL) => url.searchParams.delete('state'),
        (url: URL) => url.searchParams.append('state', url.searchParams.get('state')!),
      ]) {
        const browser = new Browser()
        const url = await upToCallback(both, browser, person())
        change(url)
        await expectRefusal(browser, url, 'invalid_state')
      }
    })

    it("a state that was swapped with the other provider's", async () => {
      const browser = new Browser()
      const stop = (at: string) => at.startsWith(both.idps.idp_b.issuer)
      const { url: other } = await browser.visit(`${both.site}/api/auth/oauth/idp_b`, { stop })
      const url = await upToCallback(both, browser, person())
      url.searchParams.set('state', new URL(other).searchParams.get('state')!)
      await expectRefusal(browser, url, 'invalid_state')
    })

    it('a callback that is sent twice', async () => {
      const browser = new Browser()
      const url = await upToCallback(both, browser, person())
      const secret = browser.cookie(both.site, '__Host-oauth-idp_a')!
      expect((await browser.visit(url.href)).url).toBe(`${both.site}/`)
      browser.setCookie(both.site, '__Host-oauth-idp_a', secret)
      await expectRefusal(browser, url, 'invalid_state')
    })

    it('a code that was used already', async () => {
      const who = person()
      const browser = new Browser()
      const url = await upToCallback(both, browser, who)
      const code = url.searchParams.get('code')!
      expect((await browser.visit(url.href)).url).toBe(`${both.site}/`)
      const again = await upToCallback(both, browser, who)
      again.searchParams.set('code', code)
      await expectRefusal(browser, again, 'exchange_failed')
    })

    it("a code of somebody else's sign-in", async () => {
      const stolen = (await upToCallback(both, new Browser(), person())).searchParams.get('code')!
      const browser = new Browser()
      const url = await upToCallback(both, browser, person())
      url.searchParams.set('code', stolen)
      await expectRefusal(browser, url, 'exchange_failed') // PKCE: another verifier
    })

    it('a callback without a code', async () => {
      const browser = new Browser()
      const url = await upToCallback(both, browser, person())
      url.searchParams.delete('code')
      await expectRefusal(browser, url, 'exchange_failed')
    })

    it('an answer in the name of another issuer', async () => {
      const browser = new Browser()
      const url = await upToCallback(both, browser, person())
      url.searchParams.set('iss', 'https://evil.test')
      await expectRefusal(browser, url, 'exchange_failed')
    })

    it('a sign-in that took longer than ten minutes', async () => {
      const browser = new Browser()
      const url = await upToCallback(both, browser, person())
      clock.move({ minutes: 10 })
      await expectRefusal(browser, url, 'invalid_state')
    })

    it('a provider that fails while the code is redeemed', async () => {
      const browser = new Browser()
      const url = await upToCallback(both, browser, person())
      both.idps.idp_a.state.intercept = (request, response) => {
        if (!request.url?.startsWith('/token')) return false
        response.writeHead(500).end('down')
        return true
      }
      await expectRefusal(browser, url, 'exchange_failed')
    })

    it('an ID token that somebody has changed', async () => {
      const browser = new Browser()
      const url = await upToCallback(both, browser, person())
      both.idps.idp_a.state.intercept = (request, response) => {
        if (!request.url?.startsWith('/token')) return false
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
        const claims = { iss: both.idps.idp_a.issuer, sub: 'root', aud: 'facet', exp: 9_999_999_999, iat: 1 }
        const id_token = `${part({ alg: 'ES256' })}.${part(claims)}.${'A'.repeat(86)}`
        const body = JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token })
        response.writeHead(200, { 'content-type': 'application/json' }).end(body)
        return true
      }
      await expectRefusal(browser, url, 'exchange_failed')
    })

    it('an ID token that fits, but was signed by no key of the provider', async () => {
      const { issuer, client_id, state } = both.idps.idp_a
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string }[] }
      for (const kid of [keys[0]!.kid, 'unknown', undefined]) {
        let nonce = ''
        const forged = async () => {
          const claims = { nonce, email: 'root@example.org', email_verified: true }
          const token = new SignJWT(claims).setIssuer(issuer).setSubject('root').setAudience(client_id)
          token.setProtectedHeader({ alg: 'ES256', ...(kid && { kid }) })
          return token.setIssuedAt().setExpirationTime('5m').sign(privateKey)
        }
        state.intercept = ({ url = '' }, response) => {
          nonce = new URL(url, issuer).searchParams.get('nonce') ?? nonce
          if (!url.startsWith('/token')) return false
          void forged().then((id_token) =>
            response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token })),
          )
          return true
        }
        const browser = new Browser()
        const url = await upToCallback(both, browser, person())
        await expectRefusal(browser, url, 'exchange_failed')
      }
    })

    it('a GET on the form-post callback and a POST on the other', async () => {
      expect((await fetch(callbackOf(both, 'idp_b'))).status).toBe(405)
      expect((await fetch(callbackOf(both, 'idp_a'), { method: 'POST' })).status).toBe(405)
    })

    it('an empty form, and JSON where a form belongs', async () => {
      for (const init of [{}, { body: '{"state":"x"}', headers: { 'content-type': 'application/json' } }]) {
        const response = await fetch(callbackOf(both, 'idp_b'), { method: 'POST', ...init })
        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject({ details: { auth_error: 'invalid_state' } })
      }
    })

    it('for a browser by sending it home with the reason', async () => {
      const { url } = await new Browser().visit(`${callbackOf(both, 'idp_a')}?code=x&state=y`)
      expect(url).toBe(`${both.site}/?auth_error=invalid_state`)
    })
  })
})
