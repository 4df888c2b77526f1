import { URI } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { readQrCode } from '#test/support/read-qr-code.ts'
import { startService, type Service } from '#test/support/service.ts'
import { totpCode, wrongCode } from '#test/support/totp-codes.ts'

const PASSWORD = 'correct horse'
const PATH = '/api/auth/2fa/totp'

describe('TOTP', () => {
  const clock = new TestClock('2026-01-31T09:30:10.000Z')
  let service: Service
  let seq = 0
  beforeAll(async () => {
    service = await startService({ clock: clock.now })
  })
  afterAll(() => service.close())

  const code = (secret: string, step = 0) => totpCode(secret, clock.now(), step)
  const wrong = (secret: string) => wrongCode(secret, clock.now())
  const newUser = async () => {
    const email = `totp-${++seq}@example.org`
    return { email, client: await service.user(email, PASSWORD) }
  }
  /** An account with active TOTP; its client has a full session. */
  const withTotp = async () => {
    const { email, client } = await newUser()
    const { secret } = await client.ok('POST', `${PATH}/setup`)
    await client.ok('POST', `${PATH}/confirm`, { code: code(secret) })
    return { email, client, secret: secret as string }
  }
  const logIn = async (email: string): Promise<Client> => {
    const client = service.client()
    const body = await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })
    expect(body).toEqual({ needs_2fa: true })
    return client
  }
  const verify = (client: Client, given: string) => client.post(`${PATH}/verify`, { code: given })

  it('gives a base32 secret and a QR code whose pixels say the same', async () => {
    const { client, email } = await newUser()
    const { secret, qr_code } = await client.ok('POST', `${PATH}/setup`)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(qr_code).toMatch(/^data:image\/png;base64,/)
    const uri = readQrCode(qr_code)
    expect(uri).toMatch(/^otpauth:\/\/totp\//)
    expect(URI.parse(uri!)).toMatchObject({ issuer: 'Facet', label: email, secret: { base32: secret } })
  })

  it('stays pending until a code confirms it', async () => {
    const { client, email } = await newUser()
    const { secret } = await client.ok('POST', `${PATH}/setup`)
    expect((await client.get('/api/auth/me')).body.has_totp).toBe(false)
    const login = await service.client().post('/api/auth/login', { email, password: PASSWORD })
    expect(login).toMatchObject({ status: 200, body: { email } })
    expect(await client.post(`${PATH}/confirm`, { code: wrong(secret) })).toMatchObject({
      status: 400,
      body: { suggestion: expect.stringContaining('your authenticator shows now') },
    })
    expect((await client.get('/api/auth/me')).body.has_totp).toBe(false)
    const answer = await client.post(`${PATH}/confirm`, { code: code(secret) })
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect((await client.get('/api/auth/me')).body.has_totp).toBe(true)
  })

  it('takes a new secret while it is pending, and none while it is active', async () => {
    const { client } = await newUser()
    const first = await client.ok('POST', `${PATH}/setup`)
    const second = await client.ok('POST', `${PATH}/setup`)
    expect(second.secret).not.toBe(first.secret)
    expect((await client.post(`${PATH}/confirm`, { code: code(first.secret) })).status).toBe(400)
    await client.ok('POST', `${PATH}/confirm`, { code: code(second.secret) })
    expect(await client.post(`${PATH}/setup`)).toMatchObject({ status: 400, body: { error: 'BadRequest' } })
    expect((await client.post(`${PATH}/confirm`, { code: code(second.secret) })).status).toBe(400)
  })

  it('asks for a code after the password, and upgrades that session in place', async () => {
    const { email, secret } = await withTotp()
    const client = await logIn(email)
    const partial = client.cookies.get('__Host-session')
    const answer = await verify(client, code(secret))
    expect(answer).toMatchObject({ status: 200, body: { email, has_totp: true } })
    expect(answer.headers.getSetCookie()).toEqual([
      `__Host-session=${partial}; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
    expect((await client.get('/api/auth/me')).status).toBe(200)
    clock.move({ days: 6 })
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  describe('a code', () => {
    for (const step of [-1, 0, 1])
      it(`${step} steps away is taken`, async () => {
        const { email, secret } = await withTotp()
        expect((await verify(await logIn(email), code(secret, step))).status).toBe(200)
      })
    for (const step of [-2, 2])
      it(`${step} steps away is refused`, async () => {
        const { email, secret } = await withTotp()
        expect(await verify(await logIn(email), code(secret, step))).toMatchObject({ status: 400 })
      })

    it('signs in once, but does not spoil its neighbours', async () => {
      const { email, secret } = await withTotp()
      expect((await verify(await logIn(email), code(secret))).status).toBe(200)
      const again = await logIn(email)
      expect(await verify(again, code(secret))).toMatchObject({
        status: 400,
        body: { message: 'Invalid code', suggestion: expect.stringContaining('each is good once') },
      })
      expect((await verify(again, code(secret, -1))).status).toBe(200)
      expect((await verify(await logIn(email), code(secret, 1))).status).toBe(200)
    })

    it('has one winner when two sessions use it at once', async () => {
      const { email, secret } = await withTotp()
      const clients = await Promise.all([logIn(email), logIn(email), logIn(email)])
      const answers = await Promise.all(clients.map((client) => verify(client, code(secret))))
      expect(statusesOf(answers)).toEqual([200, 400, 400])
    })

    it('of a confirmation signs in, and of a sign-in disables', async () => {
      const { email, secret } = await withTotp()
      const client = await logIn(email)
      expect((await verify(client, code(secret))).status).toBe(200)
      expect((await client.post(`${PATH}/disable`, { code: code(secret) })).status).toBe(200)
    })

    const malformed = ['12345', '1234567', 'abcdef', ' 123456', '', '１２３４５６', 123_456, null]
    for (const text of malformed)
      it(`${JSON.stringify(text)} is refused as malformed, and does not count`, async () => {
        const { email, secret } = await withTotp()
        const client = await logIn(email)
        for (let i = 0; i < 6; i++)
          expect(await client.post(`${PATH}/verify`, { code: text })).toMatchObject({
            status: 400,
            body: { details: { errors: [{ path: 'code' }] } },
          })
        expect((await verify(client, code(secret))).status).toBe(200)
      })
  })

  describe('a partial session', () => {
    it('ends after ten minutes, whatever is asked of it', async () => {
      const { email, secret } = await withTotp()
      const client = await logIn(email)
      clock.move({ minutes: 9, seconds: 59 })
      expect((await client.get('/api/auth/me')).status).toBe(401)
      clock.move({ seconds: 1 })
      expect(await verify(client, code(secret))).toMatchObject({ status: 401 })
    })

    it('ends with the fifth wrong code', async () => {
      const { email, secret } = await withTotp()
      const client = await logIn(email)
      for (let i = 0; i < 5; i++) expect((await verify(client, wrong(secret))).status).toBe(400)
      expect((await verify(client, code(secret))).status).toBe(401)
    })

    it('hands its wrong codes to the count of failed logins', async () => {
      const { email, secret } = await withTotp()
      for (let round = 0; round < 2; round++) {
        const client = await logIn(email)
        for (let i = 0; i < 5; i++) expect((await verify(client, wrong(secret))).status).toBe(400)
      }
      const refused = await service.client().post('/api/auth/login', { email, password: PASSWORD })
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      clock.move({ minutes: 15 })
      expect((await verify(await logIn(email), code(secret))).status).toBe(200)
    })

    it('of a browser that has signed in before is not stopped by wrong passwords of others', async () => {
      const { email, client, secret } = await withTotp()
      await client.ok('GET', '/api/service')
      for (let i = 0; i < 10; i++)
        await service.client().post('/api/auth/login', { email, password: 'wrong password' })
      expect(await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })).toEqual({
        needs_2fa: true,
      })
      expect(await verify(client, code(secret))).toMatchObject({ status: 200 })
    })

    it('takes twenty wrong codes of an account in an hour, from wherever they come', async () => {
      const { email, secret } = await withTotp()
      for (let round = 0; round < 4; round++) {
        if (round === 2) clock.move({ minutes: 16 }) // no address is refused any more
        const client = await logIn(email)
        for (let i = 0; i < 5; i++) expect((await verify(client, wrong(secret))).status).toBe(400)
      }
      clock.move({ minutes: 16 })
      const refused = await verify(await logIn(email), code(secret))
      expect(refused).toMatchObject({ status: 429, body: { error: 'TooManyRequests' } })
      const seconds = Number(refused.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(25 * 60)
      expect(seconds).toBeLessThanOrEqual(28 * 60)
      clock.move({ seconds })
      expect((await verify(await logIn(email), code(secret))).status).toBe(200)
    })

    it('does not reset that count by its right password', async () => {
      const { email, secret } = await withTotp()
      for (let i = 0; i < 9; i++)
        await service.client().post('/api/auth/login', { email, password: 'wrong password' })
      const client = await logIn(email)
      expect((await verify(client, wrong(secret))).status).toBe(400)
      expect((await verify(client, code(secret))).status).toBe(429)
    })

    it('is needed: verify answers 401 to none and to a full session', async () => {
      const { client, secret } = await withTotp()
      expect((await verify(service.client(), code(secret))).status).toBe(401)
      expect((await verify(client, code(secret))).status).toBe(401)
    })

    it('is worth nothing when TOTP has been disabled meanwhile', async () => {
      const { email, client, secret } = await withTotp()
      const partial = await logIn(email)
      await client.ok('POST', `${PATH}/disable`, { code: code(secret) })
      expect((await verify(partial, code(secret, 1))).status).toBe(401)
    })
  })

  describe('disable', () => {
    const disable = (client: Client, body?: object) => client.post(`${PATH}/disable`, body)

    it('gives a pending setup up without a code', async () => {
      const { client } = await newUser()
      const { secret } = await client.ok('POST', `${PATH}/setup`)
      expect(await disable(client)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
      expect((await client.post(`${PATH}/confirm`, { code: code(secret) })).status).toBe(400)
    })

    it('needs a valid code while TOTP is active; then the password is enough again', async () => {
      const { email, client, secret } = await withTotp()
      expect(await disable(client)).toMatchObject({
        status: 400,
        body: { details: { errors: [{ path: 'code' }] } },
      })
      expect((await disable(client, { code: wrong(secret) })).status).toBe(400)
      expect((await client.get('/api/auth/me')).body.has_totp).toBe(true)
      expect((await disable(client, { code: code(secret) })).status).toBe(200)
      expect((await client.get('/api/auth/me')).body.has_totp).toBe(false)
      expect(await service.client().post('/api/auth/login', { email, password: PASSWORD })).toMatchObject({
        status: 200,
        body: { email },
      })
      expect((await disable(client, { code: code(secret) })).status).toBe(400)
    })

    it('answers 400 where nothing is set up', async () => {
      const { client } = await newUser()
      expect(await disable(client, {})).toMatchObject({
        status: 400,
        body: { message: 'TOTP is not set up' },
      })
    })

    it('cannot be guessed', async () => {
      const { client, secret } = await withTotp()
      for (let i = 0; i < 10; i++) expect((await disable(client, { code: wrong(secret) })).status).toBe(400)
      expect((await disable(client, { code: code(secret) })).status).toBe(429)
    })

    it('takes no more than twenty guesses in an hour', async () => {
      const { client, secret } = await withTotp()
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 10; i++) expect((await disable(client, { code: wrong(secret) })).status).toBe(400)
        clock.move({ minutes: 16 })
      }
      expect((await disable(client, { code: code(secret) })).status).toBe(429)
    })

    it('makes room for a new secret, to which the old codes mean nothing', async () => {
      const { email, client, secret } = await withTotp()
      await client.ok('POST', `${PATH}/disable`, { code: code(secret) })
      const next = await client.ok('POST', `${PATH}/setup`)
      await client.ok('POST', `${PATH}/confirm`, { code: code(next.secret) })
      const partial = await logIn(email)
      expect((await verify(partial, code(secret))).status).toBe(400)
      expect((await verify(partial, code(next.secret))).status).toBe(200)
    })
  })

  it('confirm without a setup is 400', async () => {
    const { client } = await newUser()
    expect(await client.post(`${PATH}/confirm`, { code: '123456' })).toMatchObject({
      status: 400,
      body: { error: 'BadRequest' },
    })
  })
})

const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)
