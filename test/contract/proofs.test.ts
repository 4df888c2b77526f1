import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '#test/support/authenticator.ts'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { type Service, startService } from '#test/support/service.ts'
import { totpCode } from '#test/support/totp-codes.ts'

const PASSWORD = 'correct horse'
const KEY = { name: 'k', scope: 'read' }

describe('proofs', () => {
  const clock = new TestClock()
  let service: Service
  let names = 0
  beforeAll(async () => {
    service = await startService({ clock: clock.now })
    await service.user('owner@example.org')
  })
  afterAll(() => service.close())

  async function account() {
    const email = `p${++names}@example.org`
    return { email, client: await service.user(email, PASSWORD) }
  }
  const code = (secret: string) => totpCode(secret, clock.now())
  async function withTotp() {
    const { email, client } = await account()
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: code(secret) })
    return { email, client, secret }
  }
  async function withPasskey(client: Client) {
    const { publicKey } = await client.ok('POST', '/api/auth/passkey/register/begin')
    const device = new Authenticator({ origin: service.url.replace('127.0.0.1', 'localhost') })
    await client.ok('POST', '/api/auth/passkey/register/complete', {
      name: 'Mine',
      credential: device.create(publicKey),
    })
    return device
  }
  const discover = async (client: Client) =>
    (await client.ok('POST', '/api/auth/passkey/auth/begin', { discoverable: true })).publicKey
  const types = async (client: Client) =>
    (await client.ok('GET', '/api/auth/activity')).map((each: { event_type: string }) => each.event_type)

  describe('confirm', () => {
    it('makes a session fresh again, by password, code or passkey', async () => {
      const { client, secret } = await withTotp()
      const device = await withPasskey(client)
      const proofs = [
        async () => ({ password: PASSWORD }),
        async () => ({ code: code(secret) }),
        async () => device.get(await discover(client)),
      ]
      for (const proof of proofs) {
        clock.move({ minutes: 11 })
        expect(await client.post('/api/keys', KEY)).toMatchObject({
          status: 403,
          body: { error: 'Forbidden', details: { confirm: ['password', 'totp', 'passkey'] } },
        })
        await client.ok('POST', '/api/auth/confirm', await proof())
        await client.ok('POST', '/api/keys', KEY)
      }
      expect((await types(client)).filter((each: string) => each === 'confirmed')).toHaveLength(3)
    })

    it('refuses what is wrong, and counts it as a failed sign-in', async () => {
      const { email, client } = await account()
      expect((await client.post('/api/auth/confirm', {})).status).toBe(400)
      expect((await client.post('/api/auth/confirm', { password: PASSWORD, code: '123456' })).status).toBe(
        400,
      )
      expect((await client.post('/api/auth/confirm', { code: '123456' })).status).toBe(400)
      expect((await client.post('/api/auth/confirm', { id: 'x' })).status).toBe(400)
      for (let i = 0; i < 10; i++)
        expect((await client.post('/api/auth/confirm', { password: 'wrong horse' })).status).toBe(401)
      expect((await client.post('/api/auth/confirm', { password: PASSWORD })).status).toBe(429)
      expect((await service.client().post('/api/auth/login', { email, password: PASSWORD })).status).toBe(429)
      expect((await types(client))[0]).toBe('confirm_failed')
    })

    it('refuses a passkey of somebody else', async () => {
      const [ann, bob] = [await account(), await account()]
      const device = await withPasskey(bob.client)
      const answer = await ann.client.post('/api/auth/confirm', device.get(await discover(ann.client)))
      expect(answer.status).toBe(401)
    })
  })

  it('a passkey that the browser offers by itself signs in', async () => {
    const { email, client } = await account()
    const device = await withPasskey(client)
    const other = service.client()
    const options = await discover(other)
    expect(options).not.toHaveProperty('allowCredentials')
    const user = await other.ok('POST', '/api/auth/passkey/auth/complete', device.get(options))
    expect(user.email).toBe(email)
    for (const body of [{}, { discoverable: false }, { email, discoverable: true }])
      expect((await other.post('/api/auth/passkey/auth/begin', body)).status).toBe(400)
  })

  describe('recovery codes', () => {
    it('ten, each good once, also for two at once', async () => {
      const { email, client, secret } = await withTotp()
      expect((await client.post('/api/auth/2fa/recovery-codes', { code: '000000' })).status).toBe(400)
      const { codes } = await client.ok('POST', '/api/auth/2fa/recovery-codes', { code: code(secret) })
      expect(new Set(codes).size).toBe(10)
      for (const each of codes) expect(each).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
      const stored = JSON.stringify(await queryDatabase(service, 'select * from recovery_code'))
      expect(stored).not.toContain(codes[0])
      const enter = async (given: string) => {
        const other = service.client()
        await other.ok('POST', '/api/auth/login', { email, password: PASSWORD })
        return (await other.post('/api/auth/2fa/totp/verify', { code: given })).status
      }
      const at_once = await Promise.all([enter(codes[0]), enter(codes[0]), enter(codes[0])])
      expect(at_once.toSorted((a, b) => a - b)).toEqual([200, 400, 400])
      expect(await enter(codes[1].toLowerCase().replaceAll('-', ''))).toBe(200)
      expect(await enter(` ${codes[3].replaceAll('-', ' - ')} `)).toBe(200)
      expect(await client.ok('GET', '/api/auth/2fa/recovery-codes')).toEqual({ left: 7 })
      clock.move({ minutes: 1 })
      const again = await client.ok('POST', '/api/auth/2fa/recovery-codes', { code: code(secret) })
      expect(await enter(codes[2])).toBe(400)
      expect(await enter(again.codes[2])).toBe(200)
      expect(await types(client)).toEqual(
        expect.arrayContaining(['recovery_codes_made', 'recovery_code_used']),
      )
      clock.move({ minutes: 1 })
      await client.ok('POST', '/api/auth/2fa/totp/disable', { code: code(secret) })
      expect(await client.ok('GET', '/api/auth/2fa/recovery-codes')).toEqual({ left: 0 })
      expect((await client.post('/api/auth/2fa/recovery-codes', { code: '123456' })).status).toBe(400)
    })
  })

  describe('the e-mail address', () => {
    it('changes with the password, is a fresh proof, and ends the other sessions', async () => {
      const { email, client } = await account()
      const other = service.client()
      await other.ok('POST', '/api/auth/login', { email, password: PASSWORD })
      clock.move({ minutes: 11 })
      const next = `New-${email}`
      expect((await client.put('/api/auth/email', { email: next })).status).toBe(400)
      expect((await client.put('/api/auth/email', { email: next, current_password: 'wrong' })).status).toBe(
        401,
      )
      expect(
        (await client.put('/api/auth/email', { email: 'owner@example.org', current_password: PASSWORD }))
          .status,
      ).toBe(400)
      const user = await client.ok('PUT', '/api/auth/email', { email: next, current_password: PASSWORD })
      expect(user.email).toBe(next)
      await client.ok('POST', '/api/keys', KEY)
      expect((await other.get('/api/auth/me')).status).toBe(401)
      expect((await other.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(401)
      expect((await other.post('/api/auth/login', { email: next, password: PASSWORD })).status).toBe(200)
      expect((await types(client)).includes('email_changed')).toBe(true)
    })

    it('changes with a code', async () => {
      const { email, client, secret } = await withTotp()
      expect((await client.put('/api/auth/email', { email: `x${email}`, code: '000000' })).status).toBe(400)
      await client.ok('PUT', '/api/auth/email', { email: `x${email}`, code: code(secret) })
    })
  })

  describe('deleting one’s own account', () => {
    it('takes the password, and all that is one’s own goes', async () => {
      const { email, client } = await account()
      const { key } = await client.ok('POST', '/api/keys', KEY)
      expect((await client.delete('/api/auth/me', {})).status).toBe(400)
      expect((await client.delete('/api/auth/me', { current_password: 'wrong' })).status).toBe(401)
      await client.ok('DELETE', '/api/auth/me', { current_password: PASSWORD })
      expect((await client.get('/api/auth/me')).status).toBe(401)
      expect((await client.get('/api/items', { authorization: `Bearer ${key}` })).status).toBe(401)
      expect((await client.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(401)
      await service.user(email, PASSWORD)
    })

    it('is not for the last owner', async () => {
      const owner = service.client()
      await owner.ok('POST', '/api/auth/login', { email: 'owner@example.org', password: PASSWORD })
      expect((await owner.delete('/api/auth/me', { current_password: PASSWORD })).status).toBe(409)
    })
  })

  describe('somebody else’s view', () => {
    it('is shared no more after a fresh proof alone, and not by a key', async () => {
      const { email, client: other } = await account()
      const owner = service.client()
      await owner.ok('POST', '/api/auth/login', { email: 'owner@example.org', password: PASSWORD })
      const { key } = await owner.ok('POST', '/api/keys', { name: 'k', scope: 'write' })
      const share = (client: Client) =>
        client.ok('POST', '/api/views', { name: 'Ours', filter: { has_tag: null }, shared: true })
      const { view_id, name, icon, filter } = await share(other)
      const own = await share(owner)
      const ended = { name, icon, filter, shared: false }
      const path = `/api/views/${view_id}`
      clock.move({ minutes: 11 })
      const refused = await owner.put(path, ended)
      expect(refused).toMatchObject({ status: 403, body: { details: { confirm: ['password'] } } })
      expect((await owner.put(`/api/views/${own.view_id}`, ended)).status).toBe(200)
      expect((await other.put(path, { ...ended, shared: true })).status).toBe(200)
      const byKey = await owner.send('PUT', path, ended, { authorization: `Bearer ${key}` })
      expect(byKey).toMatchObject({ status: 403, body: { message: 'A key does not reach this' } })
      const call = { name: 'update_view', arguments: { view_id, ...ended } }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
      const { result } = await owner.ok('POST', '/api/mcp/message', message)
      expect(result).toMatchObject({ isError: true })
      expect(await owner.ok('GET', path)).toMatchObject({ shared: true })
      await owner.ok('POST', '/api/auth/confirm', { password: PASSWORD })
      expect(await owner.ok('PUT', path, ended)).toMatchObject({ shared: false })
      expect((await owner.put(path, ended)).status, email).toBe(404)
    })
  })

  describe('preferences', () => {
    it('are a JSON object of the account’s own', async () => {
      const [ann, bob] = [await account(), await account()]
      expect(await ann.client.ok('GET', '/api/preferences')).toEqual({})
      const wanted = { theme: 'dark', list: [1, null, { a: null }], none: null, 'a b': 'ü' }
      expect(await ann.client.ok('PUT', '/api/preferences', wanted)).toEqual(wanted)
      expect(await ann.client.ok('GET', '/api/preferences')).toEqual(wanted)
      expect(await bob.client.ok('GET', '/api/preferences')).toEqual({})
      expect((await ann.client.put('/api/preferences', { text: 'x'.repeat(65_530) })).status).toBe(400)
      expect((await ann.client.put('/api/preferences', [1])).status).toBe(400)
      expect((await ann.client.put('/api/preferences', { text: 'x'.repeat(65_000) })).status).toBe(200)
    })
  })
})

describe('FRESH_PROOF=all', () => {
  it('asks for a proof where ways to sign in change', async () => {
    const clock = new TestClock()
    const service = await startService({ clock: clock.now, env: { FRESH_PROOF: 'all' } })
    const ann = await service.user()
    clock.move({ minutes: 11 })
    for (const path of ['2fa/totp/setup', 'passkey/register/begin'])
      expect((await ann.post(`/api/auth/${path}`)).status, path).toBe(403)
    await ann.ok('POST', '/api/auth/confirm', { password: PASSWORD })
    for (const path of ['2fa/totp/setup', 'passkey/register/begin'])
      expect((await ann.post(`/api/auth/${path}`)).status, path).toBe(200)
    await service.close()
  })

  it('asks for it at each of them, and not where the way is only used', async () => {
    const clock = new TestClock()
    const env = {
      FRESH_PROOF: 'all',
      IDP_A_ISSUER: 'http://localhost:9',
      IDP_A_CLIENT_ID: 'x',
      IDP_A_CLIENT_SECRET: 'x',
    }
    const service = await startService({ clock: clock.now, env })
    const ann = await service.user('ann@example.org', PASSWORD)
    const { secret } = await ann.ok('POST', '/api/auth/2fa/totp/setup')
    const { publicKey } = await ann.ok('POST', '/api/auth/passkey/register/begin')
    const device = new Authenticator({ origin: service.url.replace('127.0.0.1', 'localhost') })
    const credential = { name: 'Mine', credential: device.create(publicKey) }
    const code = () => ({ code: totpCode(secret, clock.now()) })
    const wantsProof = { status: 403, body: { details: { confirm: expect.any(Array) } } }
    clock.move({ minutes: 3 })
    await ann.ok('POST', '/api/auth/passkey/register/complete', credential)
    clock.move({ minutes: 8 })
    expect(await ann.post('/api/auth/passkey/register/complete', credential)).toMatchObject(wantsProof)
    expect(await ann.post('/api/auth/2fa/totp/confirm', code())).toMatchObject(wantsProof)
    expect(await ann.get('/api/auth/oauth/idp_a')).toMatchObject(wantsProof)
    const inBrowser = await ann.fetch('/api/auth/oauth/idp_a', { headers: { accept: 'text/html' } })
    expect([inBrowser.status, inBrowser.headers.get('location')]).toEqual([302, '/?auth_error=proof_needed'])
    await ann.ok('POST', '/api/auth/confirm', { password: PASSWORD })
    await ann.ok('POST', '/api/auth/2fa/totp/confirm', code())
    clock.move({ minutes: 11 })
    expect(await ann.post('/api/auth/2fa/totp/disable', code())).toMatchObject(wantsProof)
    await ann.ok('POST', '/api/auth/confirm', code())
    await ann.ok('POST', '/api/auth/2fa/totp/disable', code())
    // A first password, of whom a provider has let in.
    await queryDatabase(service, "update account set password_hash = null where email = 'ann@example.org'")
    clock.move({ minutes: 11 })
    const first = { new_password: 'another horse' }
    expect(await ann.post('/api/auth/password', first)).toMatchObject({
      status: 403,
      body: { details: { confirm: ['passkey'] } },
    })
    const asked = await ann.ok('POST', '/api/auth/passkey/auth/begin', { discoverable: true })
    await ann.ok('POST', '/api/auth/confirm', device.get(asked.publicKey))
    await ann.ok('POST', '/api/auth/password', first)
    // A password that is known is a proof by itself.
    clock.move({ minutes: 11 })
    await ann.ok('POST', '/api/auth/password', { current_password: 'another horse', new_password: PASSWORD })
    await service.close()
  })
})
