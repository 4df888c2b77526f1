import { describe, expect, it } from 'vitest'
import { Authenticator } from '#test/support/authenticator.ts'
import { PASSWORD, emailOf, person, register, signIn, startBoth } from '#test/support/both-providers.ts'

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
