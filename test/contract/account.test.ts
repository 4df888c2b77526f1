import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Passwords } from '#src/auth/password.ts'
import { startService, type Service } from '#test/support/service.ts'
import { TestClock } from '#test/support/clock.ts'
import type { Client } from '#test/support/client.ts'

const ATTRIBUTES = '; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax'
const PASSWORD = 'correct horse'

describe('accounts', () => {
  const clock = new TestClock('2026-01-31T09:30:00.000Z')
  let service: Service
  let seq = 0
  const newEmail = () => `person-${++seq}@example.org`
  beforeAll(async () => {
    // As they are hashed in production: what a sign-in takes says nothing of whether there is an account.
    service = await startService({ clock: clock.now, passwords: new Passwords() })
  })
  afterAll(() => service.close())

  const sessionOf = (client: Client) => client.cookies.get('__Host-session')
  const register = async (email = newEmail(), password = PASSWORD) => {
    const client = await service.user(email, password)
    return { client, email }
  }

  describe('register', () => {
    it('answers both forms of the user and sets the session cookie with exactly its attributes', async () => {
      const answer = await service.client().post('/api/auth/register', {
        email: ' Grace@Example.ORG ',
        password: PASSWORD,
        display_name: 'Grace',
      })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        user_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        email: 'Grace@Example.ORG',
        display_name: 'Grace',
        has_totp: false,
        has_passkey: false,
        linked_idp_a: false,
        linked_idp_b: false,
        created_at: '2026-01-31T09:30:00.000Z',
        oauth_providers: [],
        has_password: true,
        role: 'owner',
      })
      const cookies = answer.headers.getSetCookie()
      expect(cookies).toEqual([expect.stringMatching(/^__Host-session=[\w-]{43}; /)])
      expect(cookies[0]!.slice('__Host-session='.length + 43)).toBe(ATTRIBUTES)
    })

    const refused: [input: object, errors: object[]][] = [
      [{ email: 'no address', password: PASSWORD }, [{ path: 'email' }]],
      [
        { email: 'a@b', password: '1234567' },
        [{ path: 'password', message: 'must have at least 8 characters' }],
      ],
      [{ email: 'a@b', password: 'x'.repeat(1025) }, [{ path: 'password' }]],
      [{ email: 'x', password: 'y' }, [{ path: 'email' }, { path: 'password' }]],
      [
        {},
        [
          { path: 'email', message: 'is required' },
          { path: 'password', message: 'is required' },
        ],
      ],
      [{ email: 1, password: null }, [{ path: 'email' }, { path: 'password' }]],
      [{ email: 'a@b', password: PASSWORD, admin: true }, [{ path: 'admin' }]],
    ]
    for (const [input, errors] of refused)
      it(`refuses ${JSON.stringify(input).slice(0, 60)} with every fault`, async () => {
        const answer = await service.client().post('/api/auth/register', input)
        expect(answer).toMatchObject({
          status: 400,
          body: { error: 'BadRequest', path: '/api/auth/register' },
        })
        for (const error of errors)
          expect(answer.body.details.errors).toContainEqual(expect.objectContaining(error))
        expect(answer.headers.getSetCookie()).toEqual([])
      })

    it('takes passwords of 8 and of 1,024 characters, whatever they are', async () => {
      for (const password of ['12345678', 'ü'.repeat(1024), '😀'.repeat(8)]) {
        const { email } = await register(newEmail(), password)
        expect(await service.client().post('/api/auth/login', { email, password })).toMatchObject({
          status: 200,
        })
      }
    })

    it('refuses an address that is taken, in any case', async () => {
      const { email } = await register()
      const again = { email: email.toUpperCase(), password: PASSWORD }
      const answer = await service.client().post('/api/auth/register', again)
      expect(answer).toMatchObject({ status: 400, body: { error: 'BadRequest' } })
      expect(answer.body.message).toMatch(/already registered/)
    })

    it('has one winner when an address is registered twice at once', async () => {
      const input = { email: newEmail(), password: PASSWORD }
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => service.client().post('/api/auth/register', input)),
      )
      expect(statusesOf(answers)).toEqual([200, 400, 400, 400])
    })
  })

  it('registers fifty an hour from one address, and anyone who is invited', async () => {
    const guarded = await startService({ env: { TRUST_PROXY: 'true' }, clock: clock.now })
    try {
      const owner = await guarded.user('owner@example.org')
      const ask = (email: string, address: string, invitation?: string) =>
        guarded
          .client()
          .post(
            '/api/auth/register',
            { email, password: PASSWORD, ...(invitation && { invitation }) },
            { 'x-forwarded-for': address },
          )
      const from = (i: number) => `2001:db8:0:1::${i.toString(16)}`
      for (let i = 0; i < 50; i++)
        expect((await ask(i % 10 ? 'owner@example.org' : `r${i}@example.org`, from(i))).status).toBe(
          i % 10 ? 400 : 200,
        )
      const refused = await ask('late@example.org', from(99))
      expect(refused).toMatchObject({ status: 429, body: { error: 'TooManyRequests' } })
      expect(Number(refused.headers.get('retry-after'))).toBe(3600)
      expect((await ask('other@example.org', '2001:db8:0:2::1')).status).toBe(200)
      const { url } = await owner.ok('POST', '/api/invitations', { email: 'late@example.org' })
      const token = new URL(url).searchParams.get('invitation')!
      expect((await ask('late@example.org', from(99), token)).status).toBe(200)
      clock.move({ hours: 1 })
      expect((await ask('later@example.org', from(99))).status).toBe(200)
    } finally {
      await guarded.close()
    }
  })

  describe('login', () => {
    it('answers the user and a fresh session each time', async () => {
      const { client, email } = await register()
      const other = service.client()
      const answer = await other.post('/api/auth/login', { email: email.toUpperCase(), password: PASSWORD })
      expect(answer).toMatchObject({ status: 200, body: { email } })
      expect(sessionOf(other)).not.toBe(sessionOf(client))
      expect((await client.get('/api/auth/me')).status).toBe(200)
    })

    it('replaces the session of the browser that logs in again', async () => {
      const { client, email } = await register()
      const before = sessionOf(client)!
      await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })
      expect(sessionOf(client)).not.toBe(before)
      const old = await service.client().get('/api/auth/me', { cookie: `__Host-session=${before}` })
      expect(old.status).toBe(401)
    })

    it('says the same of a wrong password and an unknown address, byte for byte', async () => {
      const { email } = await register()
      const attempts = [
        { email, password: 'wrong password' },
        { email: 'nobody@example.org', password: 'wrong password' },
        { email: 'no address at all', password: 'wrong password' },
        { email, password: 'x'.repeat(60_000) },
        { email, password: '' },
      ]
      const answers = await Promise.all(
        attempts.map(async (attempt) => {
          const response = await service.client().fetch('/api/auth/login', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(attempt),
          })
          const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(response.headers)
          return { status: response.status, headers, body: await response.text() }
        }),
      )
      expect(answers[0]).toMatchObject({ status: 401 })
      expect(JSON.parse(answers[0]!.body)).toMatchObject({ error: 'Unauthorized', path: '/api/auth/login' })
      for (const answer of answers) expect(answer).toEqual(answers[0])
    })

    it('takes as long for an unknown address as for a wrong password', async () => {
      const { email } = await register()
      const time = async (who: string) => {
        const start = performance.now()
        await service.client().post('/api/auth/login', { email: who, password: 'wrong password' })
        return performance.now() - start
      }
      const known: number[] = []
      const unknown: number[] = []
      for (let i = 0; i < 8; i++) {
        known.push(await time(email))
        unknown.push(await time('nobody-at-all@example.org'))
      }
      // A missing hash would make it ten times faster.
      expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) * 0.4)
      expect(Math.min(...unknown)).toBeLessThan(Math.min(...known) * 2.5)
    })

    const missing: [input: object, paths: string[]][] = [
      [{ email: 'a@b' }, ['password']],
      [{ password: 'x' }, ['email']],
      [{ email: 'a@b', password: 5 }, ['password']],
    ]
    for (const [input, paths] of missing)
      it(`refuses ${JSON.stringify(input)}`, async () => {
        const { status, body } = await service.client().post('/api/auth/login', input)
        expect(status).toBe(400)
        expect(body.details.errors.map(({ path }: { path: string }) => path)).toEqual(paths)
      })
  })

  it('says why a client that keeps the cookie back is not signed in', async () => {
    const { client } = await register()
    const lost = await service.client().get('/api/auth/me')
    expect(lost).toMatchObject({ status: 401, body: { message: 'Not signed in' } })
    expect(lost.body.suggestion).toContain('over http many clients keep it back, because it is Secure')
    const old = await service.client().get('/api/auth/me', { cookie: `__Host-session=${'x'.repeat(43)}` })
    expect(old.body.suggestion).not.toContain('keep it back')
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  describe('failed logins', () => {
    const attempt = (email: string, password = 'wrong password') =>
      service.client().post('/api/auth/login', { email, password })

    it('are refused from the tenth on with 429, also with the right password, until the window has passed', async () => {
      const { email } = await register()
      for (let i = 0; i < 10; i++) expect((await attempt(email)).status).toBe(401)
      const refused = await attempt(email, PASSWORD)
      expect(refused).toMatchObject({ status: 429, body: { error: 'TooManyRequests' } })
      expect(Number(refused.headers.get('retry-after'))).toBe(900)
      clock.move({ minutes: 14, seconds: 59 })
      const later = await attempt(email, PASSWORD)
      expect(later.status).toBe(429)
      expect(later.headers.get('retry-after')).toBe('1')
      clock.move({ seconds: 1 })
      expect((await attempt(email, PASSWORD)).status).toBe(200)
    })

    it('are counted for unknown addresses too, so that a count says nothing', async () => {
      const email = newEmail()
      for (let i = 0; i < 10; i++) expect((await attempt(email)).status).toBe(401)
      expect((await attempt(email)).status).toBe(429)
    })

    it('count exactly ten however many come at once', async () => {
      const { email } = await register()
      const answers = await Promise.all(Array.from({ length: 25 }, () => attempt(email)))
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
    })

    it('are forgotten after a sign-in', async () => {
      const { email } = await register()
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 9; i++) expect((await attempt(email)).status).toBe(401)
        expect((await attempt(email, PASSWORD)).status).toBe(200)
      }
    })

    it('lock no browser out that has signed in before, but its own do', async () => {
      const { client, email } = await register()
      await client.ok('GET', '/api/service')
      for (let i = 0; i < 10; i++) expect((await attempt(email)).status).toBe(401)
      expect((await attempt(email, PASSWORD)).status).toBe(429)
      await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })
      const again = (password: string) => client.post('/api/auth/login', { email, password })
      for (let i = 0; i < 10; i++) expect((await again('wrong password')).status).toBe(401)
      expect((await again(PASSWORD)).status).toBe(429)
      // Its address has failed too.
      expect((await attempt(email, PASSWORD)).status).toBe(429)
    })

    it('are not distinguished by the cookie of another account, nor by one that is made up', async () => {
      const [{ email }, { client: other }] = [await register(), await register()]
      await other.ok('GET', '/api/service')
      const theirs = other.cookies.get('__Secure-device')!
      for (let i = 0; i < 10; i++) expect((await attempt(email)).status).toBe(401)
      for (const device of [theirs, theirs.slice(0, -2), 'sealed1:x:y', 'x'.repeat(5000)]) {
        const headers = { cookie: `__Secure-device=${device}` }
        const body = { email, password: PASSWORD }
        expect((await service.client().post('/api/auth/login', body, headers)).status).toBe(429)
      }
    })

    it('are not distinguished by the cookie of who had the address before', async () => {
      const { client, email } = await register()
      await client.ok('GET', '/api/service')
      await client.ok('PUT', '/api/auth/email', { email: newEmail(), current_password: PASSWORD })
      await service.user(email, 'the password of another')
      for (let i = 0; i < 10; i++) expect((await attempt(email)).status).toBe(401)
      const body = { email, password: 'a guess' }
      expect((await client.post('/api/auth/login', body)).status).toBe(429)
    })

    it('know a browser by a cookie that goes to sign-ins alone', async () => {
      const { client } = await register()
      expect((await service.client().get('/api/service')).headers.getSetCookie()).toEqual([])
      expect((await client.get('/api/service')).headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Secure-device=sealed1:[\w:-]+; Max-Age=15552000; Path=\/api\/auth; HttpOnly; Secure; SameSite=Strict$/,
        ),
      ])
    })

    it('of one account refuse no other', async () => {
      const [{ email }, { email: other }] = [await register(), await register()]
      for (let i = 0; i < 11; i++) await attempt(email)
      expect((await attempt(other, PASSWORD)).status).toBe(200)
    })
  })

  describe('profile', () => {
    it('changes the display name, clears it with null and leaves it without one', async () => {
      const { client } = await register()
      const steps: [body: object, name: string | null][] = [
        [{ display_name: 'Ada' }, 'Ada'],
        [{}, 'Ada'],
        [{ display_name: 'Ada 😀 Lovelace' }, 'Ada 😀 Lovelace'],
        [{ display_name: null }, null],
      ]
      for (const [body, display_name] of steps) {
        expect(await client.put('/api/auth/profile', body)).toMatchObject({
          status: 200,
          body: { display_name },
        })
        expect((await client.get('/api/auth/me')).body.display_name).toBe(display_name)
      }
    })

    it('takes what was read, changed', async () => {
      const { client } = await register()
      const me = await client.ok('GET', '/api/auth/me')
      const answer = await client.put('/api/auth/profile', {
        ...me,
        display_name: 'Ada',
        email: 'other@example.org',
      })
      expect(answer).toMatchObject({ status: 200, body: { ...me, display_name: 'Ada' } })
    })

    for (const body of [{ display_name: 7 }, { display_name: 'x'.repeat(1001) }, { display_nam: 'Ada' }])
      it(`refuses ${JSON.stringify(body).slice(0, 40)}`, async () => {
        const { client } = await register()
        expect((await client.put('/api/auth/profile', body)).status).toBe(400)
      })
  })

  describe('password', () => {
    const change = (client: Client, body: object) => client.post('/api/auth/password', body)

    it('is changed with the current one; the other sessions end, this one stays', async () => {
      const { client, email } = await register()
      const other = service.client()
      await other.ok('POST', '/api/auth/login', { email, password: PASSWORD })
      const answer = await change(client, { current_password: PASSWORD, new_password: 'another password' })
      expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } })
      expect((await client.get('/api/auth/me')).status).toBe(200)
      expect((await other.get('/api/auth/me')).status).toBe(401)
      const login = (password: string) => service.client().post('/api/auth/login', { email, password })
      expect((await login(PASSWORD)).status).toBe(401)
      expect((await login('another password')).status).toBe(200)
    })

    const refused: [body: object, status: number, error: string][] = [
      [{ current_password: 'wrong password', new_password: 'another password' }, 401, 'Unauthorized'],
      [{ current_password: PASSWORD, new_password: 'short' }, 400, 'BadRequest'],
      [{ current_password: 'wrong password', new_password: 'short' }, 400, 'BadRequest'],
      [{ new_password: 'another password' }, 400, 'BadRequest'],
      [{ current_password: null, new_password: 'another password' }, 400, 'BadRequest'],
      [{ current_password: PASSWORD }, 400, 'BadRequest'],
      [{}, 400, 'BadRequest'],
    ]
    for (const [body, status, error] of refused)
      it(`answers ${status} to ${JSON.stringify(body)}`, async () => {
        const { client, email } = await register()
        expect(await change(client, body)).toMatchObject({ status, body: { error } })
        const login = await service.client().post('/api/auth/login', { email, password: PASSWORD })
        expect(login.status).toBe(200)
      })

    it('cannot be guessed through a session that was left open', async () => {
      const { client } = await register()
      const guess = { current_password: 'wrong password', new_password: 'another password' }
      for (let i = 0; i < 10; i++) expect((await change(client, guess)).status).toBe(401)
      expect((await change(client, { ...guess, current_password: PASSWORD })).status).toBe(429)
    })

    it('has one winner when it is changed twice at once', async () => {
      const { client } = await register()
      const answers = await Promise.all(
        ['first password', 'second password'].map((new_password) =>
          change(client, { current_password: PASSWORD, new_password }),
        ),
      )
      expect(statusesOf(answers)).toEqual([200, 401])
    })
  })

  describe('sessions', () => {
    it('end with logout, in the database too', async () => {
      const { client } = await register()
      const cookie = `__Host-session=${sessionOf(client)}`
      const answer = await client.post('/api/auth/logout')
      expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } })
      expect(answer.headers.getSetCookie()).toEqual([
        '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
      ])
      expect((await client.get('/api/auth/me', { cookie })).status).toBe(401)
      expect((await client.post('/api/auth/logout', undefined, { cookie })).status).toBe(401)
    })

    it('live seven days after the last request and not longer', async () => {
      const { client } = await register()
      clock.move({ days: 6, hours: 23, minutes: 59, seconds: 59 })
      expect((await client.get('/api/auth/me')).status).toBe(200)
      clock.move({ days: 6, hours: 23, minutes: 59, seconds: 59 })
      expect((await client.get('/api/auth/me')).status).toBe(200)
      clock.move({ days: 7, minutes: 1 })
      expect(await client.get('/api/auth/me')).toMatchObject({ status: 401, body: { error: 'Unauthorized' } })
    })

    it('never end early, although the timer is written once a minute', async () => {
      const { client } = await register()
      clock.move({ seconds: 59 })
      const unwritten = await client.get('/api/auth/me')
      expect(unwritten.headers.getSetCookie()).toEqual([])
      clock.move({ days: 7, ms: -1 })
      expect((await client.get('/api/auth/me')).status).toBe(200)
    })

    it('send the cookie again whenever the timer is written', async () => {
      const { client } = await register()
      expect((await client.get('/api/auth/me')).headers.getSetCookie()).toEqual([])
      clock.move({ seconds: 61 })
      const answer = await client.get('/api/auth/me')
      expect(answer.headers.getSetCookie()).toEqual([`__Host-session=${sessionOf(client)}${ATTRIBUTES}`])
      expect((await client.get('/api/auth/me')).headers.getSetCookie()).toEqual([])
    })

    const foreign: [what: string, cookie: string][] = [
      ['a token that was never given', `__Host-session=${'A'.repeat(43)}`],
      ['an empty token', '__Host-session='],
      ['text that is no token', '__Host-session=%00"<script>'],
      ['a session under another name', 'session=x; __Host-sessio=y'],
      ['no cookie', 'theme=dark'],
    ]
    for (const [what, cookie] of foreign)
      it(`do not open with ${what}`, async () => {
        expect(await service.client().get('/api/auth/me', { cookie })).toMatchObject({
          status: 401,
          body: { error: 'Unauthorized', path: '/api/auth/me' },
        })
      })

    it('are found among other cookies', async () => {
      const { client } = await register()
      const cookie = `a=b; x="__Host-session=no";__Host-session=${sessionOf(client)} ; c=d`
      expect((await service.client().get('/api/auth/me', { cookie })).status).toBe(200)
    })
  })

  describe('X-Expected-User', () => {
    it('lets a session do nothing for a page of another account', async () => {
      const { client } = await register()
      const { client: other } = await register()
      const { user_id } = await client.ok('GET', '/api/auth/me')
      const { user_id: expected } = await other.ok('GET', '/api/auth/me')
      const as = { 'x-expected-user': expected }
      const refused = await client.post('/api/items', { name: 'Typed by somebody else' }, as)
      expect([refused.status, refused.body.error]).toEqual([401, 'Unauthorized'])
      expect((await client.get('/api/items', as)).status).toBe(401)
      expect((await client.get('/api/service', as)).body.signed_in).toBe(false)
      expect((await client.post('/api/auth/logout', {}, as)).status).toBe(401)
      // An EventSource cannot send a header.
      const stream = (user: string) =>
        client.fetch(`/api/changes/stream?notifications=true&expected_user=${user}`)
      expect((await stream(expected)).status).toBe(401)
      const opened = await stream(user_id)
      expect(opened.status).toBe(200)
      await opened.body!.cancel()
      const own = await client.post('/api/items', { name: 'Mine' }, { 'x-expected-user': user_id })
      expect(own.status).toBe(200)
      expect(await client.ok('POST', '/api/items/search', { filter: { name: 'Typed by somebody else' } })).toEqual([]) // prettier-ignore
    })
  })
})

describe('registration', () => {
  const cases: [REGISTRATION: string, email: string, status: number][] = [
    ['closed', 'ada@example.org', 403],
    ['domain:example.org,example.net', 'ada@example.net', 403],
    ['domain:example.org', 'ada@elsewhere.test', 403],
  ]
  for (const [REGISTRATION, email, status] of cases)
    it(`${REGISTRATION} answers ${status} to ${email}`, async () => {
      const service = await startService({ env: { REGISTRATION } })
      try {
        const answer = await service.client().post('/api/auth/register', { email, password: PASSWORD })
        expect(answer.status).toBe(status)
        if (status === 403) expect(answer.body).toMatchObject({ error: 'Forbidden' })
      } finally {
        await service.close()
      }
    })
})

const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)
