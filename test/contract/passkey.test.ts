import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator, type AuthenticatorOptions } from '#test/support/authenticator.ts'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { startService, type Service } from '#test/support/service.ts'
import { totpCode } from '#test/support/totp-codes.ts'

type Credential = ReturnType<Authenticator['create']>
type RequestOptions = { challenge: string; allowCredentials: { id: string }[] }

const PASSWORD = 'correct horse'
const PATH = '/api/auth/passkey'

describe('passkeys', () => {
  const clock = new TestClock('2026-01-31T09:30:10.000Z')
  let service: Service
  let origin: string
  let seq = 0
  beforeAll(async () => {
    service = await startService({ clock: clock.now })
    origin = service.url.replace('127.0.0.1', 'localhost')
  })
  afterAll(() => service.close())

  const newUser = async () => {
    const email = `passkey-${++seq}@example.org`
    return { email, client: await service.user(email, PASSWORD) }
  }
  const authenticator = (options: Partial<AuthenticatorOptions> = {}) =>
    new Authenticator({ origin, ...options })
  const beginRegistration = async (client: Client) =>
    (await client.ok('POST', `${PATH}/register/begin`)).publicKey
  const completeRegistration = (client: Client, credential: unknown, name: unknown = 'Key') =>
    client.post(`${PATH}/register/complete`, { name, credential })
  const beginLogin = async (email: string) =>
    (await service.client().ok('POST', `${PATH}/auth/begin`, { email })).publicKey
  const completeLogin = (assertion: unknown, client = service.client()) =>
    client.post(`${PATH}/auth/complete`, assertion)
  /** An account with one passkey. */
  const withPasskey = async (options: Partial<AuthenticatorOptions> = {}) => {
    const { email, client } = await newUser()
    const device = authenticator(options)
    const answer = await completeRegistration(client, device.create(await beginRegistration(client)))
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    return { email, client, device }
  }
  const activateTotp = async (client: Client): Promise<string> => {
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, clock.now()) })
    return secret
  }

  it('are a hundred of an account: 409', async () => {
    const { client, device } = await withPasskey()
    const [row] = await queryDatabase(
      service,
      `select * from passkey where credential_id = '${device.credential_id}'`,
    )
    const copies = Array.from({ length: 99 }, (_, i) =>
      Object.values({ ...row, credential_id: `copy${seq}x${i}` }).map((value) =>
        value === null ? 'null' : `'${value}'`,
      ),
    )
    await queryDatabase(
      service,
      `insert into passkey (${Object.keys(row!).join()}) values ${copies.map((each) => `(${each.join()})`).join()}`,
    )
    const credential = authenticator().create(await beginRegistration(client))
    expect(await completeRegistration(client, credential)).toMatchObject({
      status: 409,
      body: { message: 'An account has at most 100 passkeys', suggestion: expect.stringContaining('DELETE') },
    })
  })

  it('are registered, listed and used to sign in', async () => {
    const { email, client, device } = await withPasskey()
    expect((await client.get('/api/auth/me')).body.has_passkey).toBe(true)
    expect((await client.get('/api/auth/passkeys')).body).toEqual([
      { credential_id: device.credential_id, name: 'Key', created_at: clock.date.toISOString() },
    ])
    const other = service.client()
    const answer = await completeLogin(device.get(await beginLogin(email.toUpperCase())), other)
    expect(answer).toMatchObject({ status: 200, body: { email, has_passkey: true } })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    expect((await other.get('/api/auth/me')).body.email).toBe(email)
  })

  it('begin with options of their own for each ceremony', async () => {
    const { email, client, device } = await withPasskey()
    expect(await beginRegistration(client)).toMatchObject({
      rp: { id: 'localhost', name: 'Facet' },
      user: { name: email },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: expect.arrayContaining([{ type: 'public-key', alg: -7 }]),
      excludeCredentials: [{ id: device.credential_id, type: 'public-key' }],
      authenticatorSelection: { userVerification: 'preferred' },
      attestation: 'none',
    })
    expect(await beginLogin(email)).toEqual({
      rpId: 'localhost',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      allowCredentials: [{ id: device.credential_id, type: 'public-key', transports: ['internal'] }],
      userVerification: 'preferred',
      timeout: 300_000,
    })
  })

  it('need no TOTP code, but a verified user where TOTP is active', async () => {
    const { email, client, device } = await withPasskey()
    await activateTotp(client)
    expect(await completeLogin(device.get(await beginLogin(email)))).toMatchObject({
      status: 200,
      body: { has_totp: true },
    })
    device.verifies = false
    expect(await completeLogin(device.get(await beginLogin(email)))).toMatchObject({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })

  it('need no verified user without TOTP', async () => {
    const { email, device } = await withPasskey({ verifies: false })
    expect((await completeLogin(device.get(await beginLogin(email)))).status).toBe(200)
  })

  it('that do not count sign in again and again', async () => {
    const { email, device } = await withPasskey({ counts: false })
    for (let i = 0; i < 3; i++)
      expect((await completeLogin(device.get(await beginLogin(email)))).status).toBe(200)
  })

  it('whose counter stands still or steps back are refused: they have been copied', async () => {
    const { email, device } = await withPasskey()
    expect((await completeLogin(device.get(await beginLogin(email)))).status).toBe(200)
    const { counter } = device
    for (const back of [1, 2]) {
      device.counter = counter - back
      expect((await completeLogin(device.get(await beginLogin(email)))).status).toBe(401)
    }
    device.counter = counter
    expect((await completeLogin(device.get(await beginLogin(email)))).status).toBe(200)
  })

  describe('a challenge', () => {
    it('of a sign-in is used once, also by an answer that fails', async () => {
      const { email, device } = await withPasskey()
      const assertion = device.get(await beginLogin(email))
      expect((await completeLogin(assertion)).status).toBe(200)
      expect(await completeLogin(assertion)).toMatchObject({ status: 400, body: { error: 'BadRequest' } })
      const options = await beginLogin(email)
      expect((await completeLogin(authenticator().get(options))).status).toBe(401)
      expect((await completeLogin(device.get(options))).status).toBe(400)
    })

    it('has one winner when it is answered twice at once', async () => {
      const { email, device } = await withPasskey({ counts: false })
      const assertion = device.get(await beginLogin(email))
      const answers = await Promise.all([1, 2, 3].map(() => completeLogin(assertion)))
      expect(statusesOf(answers)).toEqual([200, 400, 400])
    })

    it('lives five minutes', async () => {
      const { email, client, device } = await withPasskey()
      const [login, registration] = [await beginLogin(email), await beginRegistration(client)]
      clock.move({ minutes: 4, seconds: 59 })
      expect((await completeLogin(device.get(login))).status).toBe(200)
      const late = await beginLogin(email)
      clock.move({ seconds: 1 })
      expect((await completeRegistration(client, authenticator().create(registration))).status).toBe(400)
      clock.move({ minutes: 5 })
      expect((await completeLogin(device.get(late))).status).toBe(400)
    })

    it('of a registration belongs to the one who began it', async () => {
      const [{ client }, { client: other }] = [await newUser(), await newUser()]
      const options = await beginRegistration(client)
      expect((await completeRegistration(other, authenticator().create(options))).status).toBe(400)
    })

    it('of one ceremony is none of the other', async () => {
      const { email, client, device } = await withPasskey()
      const registration = await beginRegistration(client)
      expect((await completeLogin(device.get({ ...registration, rpId: 'localhost' }))).status).toBe(400)
      const login = await beginLogin(email)
      const credential = authenticator().create({ ...login, rp: { id: 'localhost' } })
      expect((await completeRegistration(client, credential)).status).toBe(400)
    })

    it('needs no cookie', async () => {
      const { email, device } = await withPasskey()
      const begun = service.client()
      const { publicKey } = await begun.ok('POST', `${PATH}/auth/begin`, { email })
      expect(begun.cookies.size).toBe(0)
      expect((await completeLogin(device.get(publicKey))).status).toBe(200)
    })
  })

  describe('a sign-in', () => {
    type Assertion = ReturnType<Authenticator['get']>
    const flip = (text: string, at: number) => {
      const bytes = Buffer.from(text, 'base64url')
      bytes[at]! ^= 1
      return bytes.toString('base64url')
    }
    const withResponse = (assertion: Assertion, response: object) => ({
      ...assertion,
      response: { ...assertion.response, ...response },
    })
    const forged: [what: string, forge: (assertion: Assertion) => object, status: number][] = [
      ['signature', (a) => withResponse(a, { signature: flip(a.response.signature, 12) }), 401],
      [
        'authenticator data',
        (a) => withResponse(a, { authenticatorData: flip(a.response.authenticatorData, 33) }),
        401,
      ],
      ['signature that is no base64url', (a) => withResponse(a, { signature: '***' }), 401],
      ['user handle', (a) => withResponse(a, { userHandle: 'AAAA' }), 401],
      ['type', (a) => ({ ...a, type: 'password' }), 401],
      ['raw id', (a) => ({ ...a, rawId: 'AAAA' }), 401],
      ['client data', (a) => withResponse(a, { clientDataJSON: 'AAAA' }), 400],
      ['client data of another type', (a) => withResponse(a, { clientDataJSON: 7 }), 400],
      ['missing response', ({ response: _response, ...a }) => a, 400],
      ['empty body', () => ({}), 400],
    ]
    for (const [what, forge, status] of forged)
      it(`with a forged ${what} answers ${status}`, async () => {
        const { email, device } = await withPasskey()
        const answer = await completeLogin(forge(device.get(await beginLogin(email))))
        expect(answer).toMatchObject({
          status,
          body: { error: status === 400 ? 'BadRequest' : 'Unauthorized' },
        })
        expect(answer.headers.getSetCookie()).toEqual([])
      })

    it('made on another origin is refused', async () => {
      const { email, device } = await withPasskey()
      device.origin = 'https://evil.test'
      expect((await completeLogin(device.get(await beginLogin(email)))).status).toBe(401)
    })

    it('made for another site is refused', async () => {
      const { email, device } = await withPasskey()
      const options = await beginLogin(email)
      expect((await completeLogin(device.get({ ...options, rpId: 'evil.test' }))).status).toBe(401)
    })

    it("with somebody's challenge and somebody else's passkey is refused", async () => {
      const [{ email }, { device: other }] = [await withPasskey(), await withPasskey()]
      expect((await completeLogin(other.get(await beginLogin(email)))).status).toBe(401)
    })

    it('with a challenge that was never given is refused', async () => {
      const { device } = await withPasskey()
      const answer = await completeLogin(device.get({ challenge: 'A'.repeat(43), rpId: 'localhost' }))
      expect(answer.status).toBe(400)
    })
  })

  describe('begin tells nobody who has an account', () => {
    it('but answers the same for good to one address, in the form of a real one', async () => {
      const { email: withoutPasskey } = await newUser()
      const { email: real } = await withPasskey()
      const shape = ({ challenge: _challenge, allowCredentials, ...rest }: RequestOptions) => ({
        ...rest,
        credentials: allowCredentials.map((each: object) => Object.keys(each).toSorted()),
      })
      const expected = shape(await beginLogin(real))
      for (const email of [withoutPasskey, 'nobody@example.org', 'no address at all']) {
        const [first, second] = [await beginLogin(email), await beginLogin(` ${email.toUpperCase()}`)]
        expect({ ...shape(first), credentials: undefined }).toEqual({ ...expected, credentials: undefined })
        for (const each of shape(first).credentials) expect(each).toEqual(expected.credentials[0])
        expect(first.allowCredentials).toEqual(second.allowCredentials)
        expect(first.challenge).not.toBe(second.challenge)
        expect(Buffer.from(first.allowCredentials[0].id, 'base64url').length).toBeGreaterThanOrEqual(16)
      }
      const counts = new Set<number>()
      for (let i = 0; i < 60; i++)
        counts.add((await beginLogin(`many-${i}@example.org`)).allowCredentials.length)
      expect(counts).toEqual(new Set([1, 2]))
      const [a, b] = [await beginLogin('a@example.org'), await beginLogin('b@example.org')]
      expect(a.allowCredentials[0].id).not.toBe(b.allowCredentials[0].id)
    })

    it('and refuses the answer to such a challenge like any other', async () => {
      const { email, device } = await withPasskey()
      const wrong = await completeLogin(authenticator().get(await beginLogin(email)))
      const nobody = await completeLogin(device.get(await beginLogin('nobody@example.org')))
      expect(nobody).toMatchObject({ status: 401 })
      expect(nobody.body).toEqual(wrong.body)
    })

    for (const body of [{}, { email: 5 }, { email: 'a@b', more: 1 }])
      it(`and refuses ${JSON.stringify(body)}`, async () => {
        expect((await service.client().post(`${PATH}/auth/begin`, body)).status).toBe(400)
      })
  })

  describe('a registration', () => {
    const refused: [what: string, name: unknown, change: (credential: Credential) => unknown][] = [
      ['without a name', undefined, (credential) => credential],
      ['with a blank name', '  ', (credential) => credential],
      ['without a credential', 'Key', () => undefined],
      ['with half a credential', 'Key', ({ id }) => ({ id })],
      [
        'of another origin',
        'Key',
        (credential) => ({
          ...credential,
          response: {
            ...credential.response,
            clientDataJSON: Buffer.from(
              Buffer.from(credential.response.clientDataJSON, 'base64url')
                .toString()
                .replace('localhost', 'evil.test'),
            ).toString('base64url'),
          },
        }),
      ],
      [
        'with broken attestation',
        'Key',
        (credential) => ({ ...credential, response: { ...credential.response, attestationObject: 'AAAA' } }),
      ],
    ]
    for (const [what, name, change] of refused)
      it(`${what} answers 400`, async () => {
        const { client } = await newUser()
        const credential = change(authenticator().create(await beginRegistration(client)))
        const answer = await client.post(`${PATH}/register/complete`, { name, credential })
        expect(answer).toMatchObject({ status: 400, body: { error: 'BadRequest' } })
        expect((await client.get('/api/auth/passkeys')).body).toEqual([])
      })

    it('takes a credential with properties that newer browsers add', async () => {
      const { client } = await newUser()
      const credential = {
        ...authenticator().create(await beginRegistration(client)),
        authenticatorAttachment: 'platform',
        future: { x: 1 },
      }
      expect((await completeRegistration(client, credential)).status).toBe(200)
    })

    it('of a credential that is known already is refused, whoever has it', async () => {
      const { client, device } = await withPasskey()
      const { client: other } = await newUser()
      for (const each of [client, other])
        expect((await completeRegistration(each, device.create(await beginRegistration(each)))).status).toBe(
          400,
        )
    })
  })

  describe('deleting', () => {
    it('takes a passkey away for good', async () => {
      const { email, client, device } = await withPasskey()
      const answer = await client.delete(`/api/auth/passkeys/${device.credential_id}`)
      expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } })
      expect((await client.get('/api/auth/passkeys')).body).toEqual([])
      expect((await client.get('/api/auth/me')).body.has_passkey).toBe(false)
      expect((await completeLogin(device.get(await beginLogin(email)))).status).toBe(401)
      expect((await client.delete(`/api/auth/passkeys/${device.credential_id}`)).status).toBe(404)
    })

    it("answers the same 404 for nobody's and for somebody else's", async () => {
      const [{ client }, { client: owner, device }] = [await newUser(), await withPasskey()]
      const foreign = await client.delete(`/api/auth/passkeys/${device.credential_id}`)
      const absent = await client.delete(`/api/auth/passkeys/${'A'.repeat(43)}`)
      expect(foreign.status).toBe(404)
      const blank = (answer: typeof foreign, id: string) => JSON.stringify(answer.body).replaceAll(id, 'ID')
      expect(blank(foreign, device.credential_id)).toBe(blank(absent, 'A'.repeat(43)))
      expect((await owner.get('/api/auth/passkeys')).body).toHaveLength(1)
    })
  })
})

const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)
