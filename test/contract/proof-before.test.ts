import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '#test/support/authenticator.ts'
import { Browser } from '#test/support/browser.ts'
import {
  person,
  register as registerAtBoth,
  signIn as signInAtProvider,
  startBoth,
} from '#test/support/both-providers.ts'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { registeredApp } from '#test/support/oauth-app.ts'
import { type Service, startService } from '#test/support/service.ts'
import { totpCode, wrongCode } from '#test/support/totp-codes.ts'

const PASSWORD = 'correct horse'
const KEY = { name: 'k', scope: 'read' }
const refused = (confirm: string[]) => ({ status: 403, body: { error: 'Forbidden', details: { confirm } } })

let names = 0
const newEmail = () => `before${++names}@example.org`
const PROVEN = { password: PASSWORD }

describe('what a session added that had not proved itself', () => {
  const clock = new TestClock()
  let service: Service
  beforeAll(async () => {
    service = await startService({ clock: clock.now })
    await service.user('owner@example.org')
  })
  afterAll(() => service.close())

  const code = (secret: string, step = 0) => totpCode(secret, clock.now(), step)
  const signIn = async (email: string) => {
    const client = service.client()
    const answer = await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })
    return { client, answer }
  }
  /** Two sessions of an account that were open 11 minutes ago: of the owner, and the one that was stolen. */
  async function stolen() {
    const email = newEmail()
    const owner = await service.user(email, PASSWORD)
    const { client: thief } = await signIn(email)
    clock.move({ minutes: 11 })
    return { email, owner, thief }
  }
  async function addTotp(client: Client) {
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: code(secret) })
    return secret as string
  }
  async function addPasskey(client: Client) {
    const { publicKey } = await client.ok('POST', '/api/auth/passkey/register/begin')
    const device = new Authenticator({ origin: service.url.replace('127.0.0.1', 'localhost') })
    const credential = device.create(publicKey)
    await client.ok('POST', '/api/auth/passkey/register/complete', { name: 'Mine', credential })
    return device
  }
  const assertion = async (device: Authenticator) => {
    const { publicKey } = await service.client().ok('POST', '/api/auth/passkey/auth/begin', {
      discoverable: true,
    })
    return device.get(publicKey)
  }
  const newest = async (client: Client, type: string) =>
    (await client.ok('GET', '/api/auth/activity')).find(
      (each: { event_type: string }) => each.event_type === type,
    )

  it('a code generator proves nothing, anywhere, until somebody has signed in with it', async () => {
    const { email, owner, thief } = await stolen()
    const secret = await addTotp(thief)
    for (const client of [thief, owner]) {
      expect(await client.post('/api/auth/confirm', { code: code(secret) })).toMatchObject(
        refused(['password']),
      )
      const next = { email: newEmail(), code: code(secret) }
      expect(await client.put('/api/auth/email', next)).toMatchObject(refused(['password']))
      expect(await client.delete('/api/auth/me', { code: code(secret) })).toMatchObject(refused(['password']))
      expect(await client.post('/api/keys', KEY)).toMatchObject(refused(['password']))
    }
    expect(await newest(owner, 'totp_enabled')).toMatchObject({ details: { unproven: true } })
    const { client, answer } = await signIn(email)
    expect(answer).toEqual({ needs_2fa: true })
    await client.ok('POST', '/api/auth/2fa/totp/verify', { code: code(secret) })
    clock.move({ minutes: 11 })
    for (const each of [client, owner]) {
      await each.ok('POST', '/api/auth/confirm', { code: code(secret) })
      await each.ok('POST', '/api/keys', KEY)
      clock.move({ minutes: 2 })
    }
  })

  it('a session that signed in later by other means is none of those that were open', async () => {
    const { email, owner, thief } = await stolen()
    const device = await addPasskey(owner)
    clock.move({ minutes: 1 })
    const { client: later } = await signIn(email)
    clock.move({ minutes: 11 })
    expect(await thief.post('/api/keys', KEY)).toMatchObject(refused(['password']))
    expect(await later.post('/api/keys', KEY)).toMatchObject(refused(['password', 'passkey']))
    await later.ok('POST', '/api/auth/confirm', await assertion(device))
  })

  it('what was begun by such a session and ended once it had proved itself proves nothing either', async () => {
    const { owner, thief } = await stolen()
    const { secret } = await thief.ok('POST', '/api/auth/2fa/totp/setup')
    const { publicKey } = await thief.ok('POST', '/api/auth/passkey/register/begin')
    const device = new Authenticator({ origin: service.url.replace('127.0.0.1', 'localhost') })
    const credential = device.create(publicKey)
    await thief.ok('POST', '/api/auth/confirm', PROVEN) // which its owner does in the browser that it was taken from
    await thief.ok('POST', '/api/auth/2fa/totp/confirm', { code: code(secret) })
    await thief.ok('POST', '/api/auth/passkey/register/complete', { name: 'Mine', credential })
    for (const type of ['totp_enabled', 'passkey_added'])
      expect(await newest(owner, type)).toMatchObject({ details: { unproven: true } })
    clock.move({ minutes: 11 })
    for (const client of [thief, owner]) {
      for (const proof of [{ code: code(secret) }, await assertion(device)])
        expect(await client.post('/api/auth/confirm', proof)).toMatchObject(refused(['password']))
      expect(await client.post('/api/keys', KEY)).toMatchObject(refused(['password']))
    }
  })

  it('a passkey proves nothing until somebody has signed in with it', async () => {
    const { owner, thief } = await stolen()
    const device = await addPasskey(thief)
    for (const client of [thief, owner]) {
      expect(await client.post('/api/auth/confirm', await assertion(device))).toMatchObject(
        refused(['password']),
      )
      expect(await client.post('/api/keys', KEY)).toMatchObject(refused(['password']))
    }
    expect(await newest(owner, 'passkey_added')).toMatchObject({ details: { name: 'Mine', unproven: true } })
    await service.client().ok('POST', '/api/auth/passkey/auth/complete', await assertion(device))
    await owner.ok('POST', '/api/auth/confirm', await assertion(device))
  })

  it('a first password proves nothing until somebody has signed in with it, nor does one that follows it', async () => {
    const { email, owner, thief } = await stolen()
    await queryDatabase(service, `update account set password_hash = null where email = '${email}'`)
    expect(await thief.post('/api/auth/confirm', PROVEN)).toMatchObject({
      status: 401,
      body: { message: 'The account has no password' },
    })
    // Where it is signed in, a provider would link.
    expect(await thief.delete('/api/auth/me', {})).toMatchObject({
      status: 403,
      body: { suggestion: 'Sign out and in again, then do it again', details: { confirm: [] } },
    })
    await thief.ok('POST', '/api/auth/password', { new_password: 'first horse' })
    await thief.ok('POST', '/api/auth/password', { current_password: 'first horse', new_password: PASSWORD })
    expect(await thief.post('/api/auth/confirm', PROVEN)).toMatchObject(refused([]))
    const next = { email: newEmail(), current_password: PASSWORD }
    expect(await thief.put('/api/auth/email', next)).toMatchObject(refused([]))
    expect(await thief.delete('/api/auth/me', { current_password: PASSWORD })).toMatchObject(refused([]))
    expect(await thief.delete('/api/auth/me', {})).toMatchObject(refused([]))
    expect(await newest(thief, 'password_changed')).toMatchObject({ details: { unproven: true } })
    expect((await owner.get('/api/auth/me')).status).toBe(401)
    await signIn(email)
    await thief.ok('POST', '/api/auth/confirm', PROVEN)
  })

  it('does not count on the page that lets an app in', async () => {
    const { thief } = await stolen()
    const secret = await addTotp(thief)
    const app = await registeredApp(service.url)
    const { location } = await app.ask(thief)
    const { status, html, text } = await app.answer(thief, location!, { code: code(secret) })
    expect(status).toBe(403)
    expect(html).not.toContain('name="code"')
    expect(text).toContain('proves nothing until somebody has signed in with it')
    const allowed = await app.answer(thief, location!, PROVEN)
    expect(allowed.to?.searchParams.has('code')).toBe(true)
  })

  it('counts at once where the session had proved itself, or gave the password that it replaced', async () => {
    const { owner } = await stolen()
    await owner.ok('POST', '/api/auth/confirm', PROVEN)
    const secret = await addTotp(owner)
    const device = await addPasskey(owner)
    clock.move({ minutes: 11 })
    await owner.ok('POST', '/api/auth/password', {
      current_password: PASSWORD,
      new_password: 'another horse',
    })
    expect(await owner.post('/api/keys', KEY)).toMatchObject(refused(['password', 'totp', 'passkey']))
    await owner.ok('POST', '/api/auth/confirm', { password: 'another horse' })
    await owner.ok('POST', '/api/auth/confirm', { code: code(secret) })
    await owner.ok('POST', '/api/auth/confirm', await assertion(device))
  })

  it('in a session that is fresh by other means it may go with a change, and proves nothing', async () => {
    const { owner } = await stolen()
    const secret = await addTotp(owner)
    await owner.ok('POST', '/api/auth/confirm', PROVEN)
    clock.move({ minutes: 9 })
    await owner.ok('PUT', '/api/auth/email', { email: newEmail(), code: code(secret) })
    clock.move({ minutes: 2 })
    expect(await owner.post('/api/keys', KEY)).toMatchObject(refused(['password']))
  })

  it('a code is used up by confirming, and one that signed in does not confirm', async () => {
    const { email, owner } = await stolen()
    await owner.ok('POST', '/api/auth/confirm', PROVEN)
    const secret = await addTotp(owner)
    const given = { code: code(secret) }
    await owner.ok('POST', '/api/auth/confirm', given)
    expect((await owner.post('/api/auth/confirm', given)).status).toBe(400)
    expect((await owner.put('/api/auth/email', { email: newEmail(), ...given })).status).toBe(400)
    const { client } = await signIn(email)
    expect((await client.post('/api/auth/2fa/totp/verify', given)).status).toBe(400)
    const next = { code: code(secret, 1) }
    await client.ok('POST', '/api/auth/2fa/totp/verify', next)
    expect((await owner.post('/api/auth/confirm', next)).status).toBe(400)
  })

  it('confirm takes one thing, and nothing that it does not know', async () => {
    const { owner } = await stolen()
    for (const body of [
      { ...PROVEN, remember: true },
      { code: '123456', x: 1 },
      { ...PROVEN, rawId: 'x' },
    ]) {
      const answer = await owner.post('/api/auth/confirm', body)
      expect(answer).toMatchObject({ status: 400, body: { error: 'BadRequest' } })
      expect(JSON.stringify(answer.body.details)).toContain(Object.keys(body)[1])
    }
    const device = await addPasskey(owner)
    await service.client().ok('POST', '/api/auth/passkey/auth/complete', await assertion(device))
    await owner.ok('POST', '/api/auth/confirm', { ...(await assertion(device)), clientExtensionResults: {} })
  })
})

it('linking a provider leaves a session as fresh, and as old, as it was', async () => {
  const clock = new TestClock()
  const both = await startBoth({ clock })
  try {
    const post = (browser: Browser, path: string, body: object) =>
      browser.send('POST', `${both.site}${path}`, body)
    const { browser } = await registerAtBoth(both, newEmail())
    clock.move({ minutes: 11 })
    const me = person()
    await signInAtProvider(both, 'idp_a', me, browser)
    expect(await post(browser, '/api/keys', KEY)).toMatchObject(refused(['password']))
    const activity = await browser.send('GET', `${both.site}/api/auth/activity`)
    expect(
      activity.body.find((each: { event_type: string }) => each.event_type === 'provider_linked'),
    ).toMatchObject({ details: { provider: 'idp_a', unproven: true } })
    await signInAtProvider(both, 'idp_a', me, browser)
    expect((await post(browser, '/api/keys', KEY)).status).toBe(200)
  } finally {
    await both.close()
  }
})

describe('wrong codes count by account', () => {
  const clock = new TestClock()
  let service: Service
  beforeAll(async () => {
    service = await startService({ clock: clock.now, env: { TRUST_PROXY: 'true' } })
    await service.user('owner@example.org')
  })
  afterAll(() => service.close())

  let networks = 0
  const elsewhere = () => ({ 'x-forwarded-for': `2001:db8:${(++networks).toString(16)}::1` })
  async function withTotp() {
    const email = newEmail()
    const client = await service.user(email, PASSWORD)
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, clock.now()) })
    clock.move({ minutes: 2 })
    return { email, client, secret: secret as string }
  }
  const places: [method: string, path: string, more: object][] = [
    ['POST', '/api/auth/confirm', {}],
    ['PUT', '/api/auth/email', { email: 'other@example.org' }],
    ['DELETE', '/api/auth/me', {}],
    ['POST', '/api/auth/2fa/recovery-codes', {}],
    ['POST', '/api/auth/2fa/totp/disable', {}],
  ]

  it('at every place that takes one, from however many addresses', async () => {
    const { email, client, secret } = await withTotp()
    const wrong = { code: wrongCode(secret, clock.now()) }
    for (let i = 0; i < 20; i++) {
      const [method, path, more] = places[i % places.length]!
      expect((await client.send(method, path, { ...more, ...wrong }, elsewhere())).status, path).toBe(400)
    }
    for (const [method, path, more] of places)
      for (const code of [wrong.code, totpCode(secret, clock.now())]) {
        const { status, headers } = await client.send(method, path, { ...more, code }, elsewhere())
        expect(status, path).toBe(429)
        expect(Number(headers.get('retry-after')), path).toBeGreaterThan(3000)
      }
    // Whoever has the password and a code is not locked out, also of what takes the password.
    const home = service.client()
    await home.ok('POST', '/api/auth/login', { email, password: PASSWORD })
    await home.ok('POST', '/api/auth/2fa/totp/verify', { code: totpCode(secret, clock.now()) })
    await home.ok('POST', '/api/auth/confirm', PROVEN)
    clock.move({ minutes: 61 })
    await home.ok('POST', '/api/auth/confirm', { code: totpCode(secret, clock.now()) })
  })

  it('whatever its address is by now', async () => {
    const { client, secret } = await withTotp()
    const code = wrongCode(secret, clock.now())
    const disable = () => client.post('/api/auth/2fa/totp/disable', { code }, elsewhere())
    for (let i = 0; i < 20; i++) {
      if (i % 9 === 8)
        await client.ok('PUT', '/api/auth/email', { email: newEmail(), current_password: PASSWORD })
      expect((await disable()).status).toBe(400)
    }
    expect((await disable()).status).toBe(429)
  })

  it('also where they come all at once, the right one among them', async () => {
    const { client, secret } = await withTotp()
    const wrong = Number(wrongCode(secret, clock.now()))
    const codes = Array.from({ length: 60 }, (_, i) => String(wrong).slice(0, 5) + String(i % 10))
    const sent = codes.map((code) => client.post('/api/auth/confirm', { code }, elsewhere()))
    const last = client.post('/api/auth/confirm', { code: totpCode(secret, clock.now()) }, elsewhere())
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
    expect((await last).status).toBe(429)
  })
})
