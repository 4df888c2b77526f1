import { describe, expect, it } from 'vitest'
import { Authenticator } from '#test/support/authenticator.ts'
import { PASSWORD, emailOf, person, register, signIn, startBoth } from '#test/support/both-providers.ts'
import { TestClock } from '#test/support/clock.ts'
import { registeredApp } from '#test/support/oauth-app.ts'

describe('an account that somebody made with an address that is not his', () => {
  const cases = [
    { ACCOUNT_LINKING: 'merge', keeps: true },
    { ACCOUNT_LINKING: 'strict', keeps: false },
  ]
  for (const { ACCOUNT_LINKING, keeps } of cases)
    it(`${keeps ? 'keeps' : 'loses'} what he can sign in with when ACCOUNT_LINKING is ${ACCOUNT_LINKING}`, async () => {
      const both = await startBoth({ env: { ACCOUNT_LINKING } })
      try {
        const owner = person()
        const email = emailOf(owner)
        const { client, browser } = await register(both, email)
        const { publicKey } = await client.ok('POST', '/api/auth/passkey/register/begin')
        const device = new Authenticator({ origin: both.site })
        await client.ok('POST', '/api/auth/passkey/register/complete', {
          name: 'Key',
          credential: device.create(publicKey),
        })
        const attacker = person()
        await signIn(both, 'idp_b', attacker, browser)

        const { me } = await signIn(both, 'idp_a', owner)
        expect(me.body).toMatchObject({ email, has_password: keeps, has_passkey: keeps })
        expect(me.body.oauth_providers).toEqual(keeps ? ['idp_a', 'idp_b'] : ['idp_a'])
        const login = await client.post('/api/auth/login', { email, password: PASSWORD })
        expect(login.status).toBe(keeps ? 200 : 401)
        const begun = await client.ok('POST', '/api/auth/passkey/auth/begin', { email })
        const assertion = await client.post('/api/auth/passkey/auth/complete', device.get(begun.publicKey))
        expect(assertion.status).toBe(keeps ? 200 : 401)
        const back = await signIn(both, 'idp_b', attacker)
        expect(back.me.body.user_id === me.body.user_id).toBe(keeps)
      } finally {
        await both.close()
      }
    })

  for (const { ACCOUNT_LINKING, keeps } of cases)
    it(`${keeps ? 'keeps' : 'loses'} his keys, apps and invitations when ACCOUNT_LINKING is ${ACCOUNT_LINKING}`, async () => {
      const both = await startBoth({ env: { ACCOUNT_LINKING } })
      try {
        const owner = person()
        // The first account of the base is its owner, who can invite.
        const { client } = await register(both, emailOf(owner))
        const { key } = await client.ok('POST', '/api/keys', { name: 'Key', scope: 'write' })
        const app = await registeredApp(both.service.url)
        const { access_token, refresh_token } = await app.tokens(client)
        await client.ok('POST', '/api/invitations', {})

        const { browser, me } = await signIn(both, 'idp_a', owner)
        expect(me.status).toBe(200)
        const stranger = both.service.client()
        for (const token of [key, access_token]) {
          const { status } = await stranger.get('/api/auth/me', { authorization: `Bearer ${token}` })
          expect(status).toBe(keeps ? 200 : 401)
        }
        expect((await app.refresh(refresh_token)).status).toBe(keeps ? 200 : 400)
        for (const path of ['/api/keys', '/api/auth/apps', '/api/invitations'])
          expect((await browser.send('GET', both.site + path)).body, path).toHaveLength(keeps ? 1 : 0)
        const activity = await browser.send('GET', `${both.site}/api/auth/activity`)
        const linked = activity.body.find(
          ({ event_type }: { event_type: string }) => event_type === 'provider_linked',
        )
        expect(linked.details.locked_out).toBe(keeps ? undefined : true)
      } finally {
        await both.close()
      }
    })

  it('is not bound any more by the roles of his provider when linking is strict', async () => {
    const clock = new TestClock()
    const both = await startBoth({
      clock,
      env: {
        ACCOUNT_LINKING: 'strict',
        IDP_B_ROLE_CLAIM: 'groups',
        IDP_B_ROLE_MAP: '{"staff": "editor"}',
      },
    })
    try {
      await both.service.user('first@example.org')
      const owner = person()
      const { browser } = await register(both, emailOf(owner))
      const linked = await signIn(both, 'idp_b', person({ groups: ['staff'] }), browser)
      expect(linked.me.body.oauth_providers).toEqual(['idp_b'])
      const own = await signIn(both, 'idp_a', owner)
      expect(own.me.body.oauth_providers).toEqual(['idp_a'])
      clock.move({ hours: 25 })
      expect((await own.browser.send('GET', `${both.site}/api/auth/me`)).status).toBe(200)
    } finally {
      await both.close()
    }
  })

  it('keeps a password that was set after the address was proven, also when linking is strict', async () => {
    const both = await startBoth({ env: { ACCOUNT_LINKING: 'strict' } })
    try {
      const owner = person()
      const { browser } = await signIn(both, 'idp_a', owner)
      await browser.send('POST', `${both.site}/api/auth/password`, { new_password: PASSWORD })
      const { me } = await signIn(both, 'idp_b', owner)
      expect(me.body).toMatchObject({ has_password: true, oauth_providers: ['idp_a', 'idp_b'] })
    } finally {
      await both.close()
    }
  })
})

describe('an address that is given again', () => {
  const cases = [
    { name: 'as it is', spell: (email: string) => email, logged: 0 },
    { name: 'in upper case', spell: (email: string) => email.toUpperCase(), logged: 1 },
  ]
  for (const { name, spell, logged } of cases)
    it(`${name} stays proven and ends no session`, async () => {
      const both = await startBoth()
      try {
        await both.service.user('first@example.org')
        const owner = person()
        const { browser } = await signIn(both, 'idp_a', owner)
        const other = (await signIn(both, 'idp_a', owner)).browser
        const email = spell(emailOf(owner))
        const changed = await browser.send('PUT', `${both.site}/api/auth/email`, { email })
        expect(changed).toMatchObject({ status: 200, body: { email } })
        expect((await other.send('GET', `${both.site}/api/auth/me`)).status).toBe(200)
        const { body } = await browser.send('GET', `${both.site}/api/auth/activity`)
        const changes = body.filter(
          ({ event_type }: { event_type: string }) => event_type === 'email_changed',
        )
        expect(changes).toHaveLength(logged)
        const linked = await signIn(both, 'idp_b', person({ email: emailOf(owner) }))
        expect(linked.path).toBe('/')
        expect(linked.me.body.oauth_providers).toEqual(['idp_a', 'idp_b'])
      } finally {
        await both.close()
      }
    })
})
