import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { openMcpStream } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'
import { testDatabase } from '#test/support/test-database.ts'

const PASSWORD = 'correct horse'
const idOf = async (client: Client): Promise<string> => (await client.ok('GET', '/api/auth/me')).user_id

describe('users', () => {
  const clock = new TestClock()
  let service: Service
  let owner: Client
  let bob: Client
  let bobId: string
  const EMAIL = 'bob@example.org'
  beforeAll(async () => {
    service = await startService({ clock: clock.now })
    owner = await service.user('ann@example.org')
    bob = await service.user(EMAIL)
    bobId = await idOf(bob)
  })
  afterAll(() => service.close())
  const logIn = (email = EMAIL, password = PASSWORD) =>
    service.client().post('/api/auth/login', { email, password })
  const logOf = async (): Promise<{ event_type: string; user_id: string }[]> =>
    owner.ok('GET', '/api/security-log?limit=1000')

  it('are listed for everybody, with more for owners', async () => {
    expect(await bob.ok('GET', '/api/users')).toEqual([
      { user_id: await idOf(owner), display_name: null, disabled: false },
      { user_id: bobId, display_name: null, disabled: false },
    ])
    expect((await owner.ok('GET', '/api/users'))[1]).toEqual({
      user_id: bobId,
      display_name: null,
      disabled: false,
      email: EMAIL,
      role: 'editor',
      has_totp: false,
      has_passkey: false,
      created_at: expect.any(String),
      last_used_at: expect.stringMatching(/:00\.000Z$/),
    })
  })

  const owned = [
    ['PUT', '/api/users/x'],
    ['DELETE', '/api/users/x'],
    ['GET', '/api/invitations'],
    ['POST', '/api/invitations'],
    ['DELETE', '/api/invitations/x'],
    ['GET', '/api/security-log'],
  ] as const
  for (const [method, path] of owned)
    it(`${method} ${path} is for owners`, async () => {
      const answer = await bob.send(method, path, method === 'GET' ? undefined : {})
      expect(answer).toMatchObject({ status: 403, body: { error: 'Forbidden' } })
    })

  it('a lowered one may no longer, in the next request', async () => {
    expect((await owner.ok('PUT', `/api/users/${bobId}`, { role: 'reader' })).role).toBe('reader')
    expect((await bob.post('/api/items', { name: 'X' })).status).toBe(403)
    await owner.ok('PUT', `/api/users/${bobId}`, { role: 'editor' })
    expect((await bob.post('/api/items', { name: 'X' })).status).toBe(200)
  })

  it('a disabled one is out at once, and what ended stays ended', async () => {
    const { key } = await bob.ok('POST', '/api/keys', { name: 'k', scope: 'read' })
    const stream = await openMcpStream(bob)
    await owner.ok('PUT', `/api/users/${bobId}`, { disabled: true })
    expect(await stream.next!()).toBeUndefined()
    const byKey = () => service.client().get('/api/items', { authorization: `Bearer ${key}` })
    expect((await bob.get('/api/items')).status).toBe(401)
    expect((await byKey()).status).toBe(401)
    const [refused, unknown] = [await logIn(), await logIn('nobody@example.org')]
    expect(refused.status).toBe(401)
    expect(refused.body).toEqual(unknown.body)
    await owner.ok('PUT', `/api/users/${bobId}`, { disabled: false })
    expect((await bob.get('/api/items')).status).toBe(401)
    expect((await byKey()).status).toBe(401)
    expect((await bob.post('/api/auth/login', { email: EMAIL, password: PASSWORD })).status).toBe(200)
  })

  it('the last owner can be neither lowered nor disabled, nor two of them at once', async () => {
    const ownerId = await idOf(owner)
    for (const change of [{ role: 'editor' }, { disabled: true }, { role: 'reader', disabled: true }])
      expect((await owner.put(`/api/users/${ownerId}`, change)).status).toBe(409)
    await owner.ok('PUT', `/api/users/${bobId}`, { role: 'owner' })
    const answers = await Promise.all([
      owner.put(`/api/users/${bobId}`, { role: 'editor' }),
      bob.put(`/api/users/${ownerId}`, { role: 'editor' }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const rows = await queryDatabase(service, "select user_id from account where role = 'owner'")
    expect(rows).toHaveLength(1)
    if (rows[0]!.user_id === bobId) {
      await bob.ok('PUT', `/api/users/${ownerId}`, { role: 'owner' })
      await owner.ok('PUT', `/api/users/${bobId}`, { role: 'editor' })
    }
  })

  it('asks for a fresh proof', async () => {
    clock.move({ minutes: 11 })
    expect(await owner.put(`/api/users/${bobId}`, { role: 'reader' })).toMatchObject({
      status: 403,
      body: { details: { confirm: ['password'] } },
    })
    await owner.ok('POST', '/api/auth/login', { email: 'ann@example.org', password: PASSWORD })
  })

  it('a deleted one leaves its id, and its address is free', async () => {
    const eve = await service.user('eve@example.org')
    const eveId = await idOf(eve)
    await eve.ok('POST', '/api/views', { name: 'V', filter: { search: '' } })
    expect((await owner.delete(`/api/users/${eveId}`)).status).toBe(409)
    await owner.ok('PUT', `/api/users/${eveId}`, { disabled: true })
    await owner.ok('DELETE', `/api/users/${eveId}`)
    expect((await owner.delete(`/api/users/${eveId}`)).status).toBe(404)
    expect(await owner.ok('GET', '/api/users')).toContainEqual({
      user_id: eveId,
      display_name: '(deleted)',
      disabled: true,
    })
    expect(await queryDatabase(service, `select 1 from view where user_id = '${eveId}'`)).toEqual([])
    expect((await logOf()).find((event) => event.event_type === 'account_deleted')!.user_id).toBe(eveId)
    expect(await idOf(await service.user('eve@example.org'))).not.toBe(eveId)
  })

  it('unknown and wrong input is reported', async () => {
    expect((await owner.put('/api/users/x', { role: 'reader' })).status).toBe(404)
    expect((await owner.put(`/api/users/${bobId}`, { role: 'king' })).status).toBe(400)
  })

  describe('invitations', () => {
    let closed: Service
    let ann: Client
    beforeAll(async () => {
      closed = await startService({ clock: clock.now, env: { REGISTRATION: 'closed' } })
      ann = closed.client()
      const account = { email: 'ann@example.org', password: PASSWORD, invitation: closed.setup_token }
      await ann.ok('POST', '/api/auth/register', account)
    })
    afterAll(() => closed.close())
    const register = (email: string, invitation: unknown, password = PASSWORD) =>
      closed.client().post('/api/auth/register', { email, password, invitation })
    const invite = async (input: object) => {
      const made = await ann.ok('POST', '/api/invitations', input)
      return { ...made, token: new URL(made.url).searchParams.get('invitation') }
    }

    it('let one account in where registration is closed, with their role', async () => {
      const { token, url: _, ...listed } = await invite({ role: 'reader' })
      expect(listed).toMatchObject({ role: 'reader', email: null })
      expect(await ann.ok('GET', '/api/invitations')).toEqual([listed])
      expect(
        (await closed.client().post('/api/auth/register', { email: 'a@b.org', password: PASSWORD })).status,
      ).toBe(403)
      expect((await register('short@example.org', token, 'short')).status).toBe(400)
      expect((await register('ann@example.org', token)).status).toBe(400)
      const statuses = (
        await Promise.all(['b', 'c', 'd'].map((name) => register(`${name}@example.org`, token)))
      ).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403])
      expect(await ann.ok('GET', '/api/invitations')).toEqual([])
      expect((await ann.ok('GET', '/api/users')).at(-1).role).toBe('reader')
    })

    it('with an address are for it alone', async () => {
      const { token, email } = await invite({ email: ' Guest@example.org' })
      expect(email).toBe('Guest@example.org')
      expect((await register('other@example.org', token)).status).toBe(403)
      expect((await register('guest@EXAMPLE.org', token)).status).toBe(200)
    })

    it('expire, and can be taken back', async () => {
      const [late, revoked] = [await invite({ expires_in_days: 1 }), await invite({})]
      await ann.ok('DELETE', `/api/invitations/${revoked.invitation_id}`)
      expect((await ann.delete(`/api/invitations/${revoked.invitation_id}`)).status).toBe(404)
      expect((await register('r@example.org', revoked.token)).status).toBe(403)
      clock.move({ days: 1 })
      expect((await register('l@example.org', late.token)).status).toBe(403)
      expect(await ann.ok('GET', '/api/invitations')).toEqual([])
    })

    for (const body of [{ role: 'king' }, { expires_in_days: 0 }, { expires_in_days: 91 }, { email: 'x' }])
      it(`are not made of ${JSON.stringify(body)}`, async () => {
        await ann.ok('POST', '/api/auth/login', { email: 'ann@example.org', password: PASSWORD })
        expect((await ann.post('/api/invitations', body)).status).toBe(400)
      })
  })

  describe('sessions', () => {
    it('are listed and ended, one and all others', async () => {
      const carl = await service.user('carl@example.org')
      const others = [service.client(), service.client(), service.client()]
      for (const other of others) {
        clock.move({ minutes: 1 })
        await other.post(
          '/api/auth/login',
          { email: 'carl@example.org', password: PASSWORD },
          { 'user-agent': 'Test/1' },
        )
      }
      const listed = await carl.ok('GET', '/api/auth/sessions')
      expect(listed).toHaveLength(4)
      expect(listed.map((each: { current: boolean }) => each.current)).toEqual([false, false, false, true])
      expect(listed[0]).toMatchObject({ user_agent: 'Test/1', address: '127.0.0.1' })
      const stream = await openMcpStream(others[2]!)
      await carl.ok('DELETE', `/api/auth/sessions/${listed[0].session_id}`)
      expect(await stream.next!()).toBeUndefined()
      expect((await others[2]!.get('/api/items')).status).toBe(401)
      expect((await bob.delete(`/api/auth/sessions/${listed[1].session_id}`)).status).toBe(404)
      expect(await carl.ok('DELETE', '/api/auth/sessions')).toEqual({ ended: 2 })
      expect((await others[0]!.get('/api/items')).status).toBe(401)
      const [own] = await carl.ok('GET', '/api/auth/sessions')
      await carl.ok('DELETE', `/api/auth/sessions/${own.session_id}`)
      expect((await carl.get('/api/items')).status).toBe(401)
    })
  })

  describe('the security log', () => {
    it('tells each what happened to them, and owners everything', async () => {
      const dora = await service.user('dora@example.org')
      await logIn('dora@example.org', 'wrong horse')
      await dora.ok('POST', '/api/auth/login', { email: 'dora@example.org', password: PASSWORD })
      await logIn('a secret typed here', 'wrong horse')
      const own = await dora.ok('GET', '/api/auth/activity')
      expect(own.map((each: { event_type: string }) => each.event_type)).toEqual([
        'signed_in',
        'sign_in_failed',
        'registered',
      ])
      expect(own[0]).toEqual({
        event_id: expect.any(String),
        event_type: 'signed_in',
        user_id: await idOf(dora),
        actor_id: await idOf(dora),
        address: '127.0.0.1',
        user_agent: expect.any(String),
        client: expect.anything(),
        details: { by: 'password' },
        created_at: expect.any(String),
      })
      expect(JSON.stringify(await logOf())).not.toContain('a secret typed here')
      expect((await logOf())[0]).toMatchObject({ event_type: 'sign_in_failed', user_id: null })
    })

    it('comes in pages', async () => {
      const all = await logOf()
      const first = await owner.get('/api/security-log?limit=3')
      const after = first.headers.get('x-next-cursor')!
      const second = await owner.ok('GET', `/api/security-log?limit=3&after=${after}`)
      expect([...first.body, ...second]).toEqual(all.slice(0, 6))
      expect(await owner.ok('GET', '/api/security-log')).toEqual(all)
      expect((await owner.get('/api/security-log?limit=3&after=x')).status).toBe(400)
    })

    it('cannot be changed in the database', async () => {
      for (const sql of ['update security_event set user_id = null', 'delete from security_event'])
        await expect(queryDatabase(service, sql)).rejects.toThrow(/append-only/)
    })
  })

  describe('the command line', () => {
    const run = (...words: string[]) => facet(service.database_url, 'user', ...words)
    it('makes, lowers, disables and deletes accounts, and it is in the log', async () => {
      const made = await run('create', 'op@example.org', '--role', 'reader', '--json')
      expect(made.code).toBe(0)
      const { password, user_id } = JSON.parse(made.out)
      const op = service.client()
      expect((await op.ok('POST', '/api/auth/login', { email: 'op@example.org', password })).role).toBe(
        'reader',
      )
      expect(await run('role', 'op@example.org', 'editor')).toMatchObject({ code: 0 })
      expect((await op.ok('GET', '/api/auth/me')).role).toBe('editor')
      expect(await run('delete', 'op@example.org')).toMatchObject({ code: 1 })
      const stream = await openMcpStream(op)
      expect(await run('disable', 'op@example.org')).toMatchObject({ code: 0 })
      expect(await stream.next!()).toBeUndefined()
      expect((await op.get('/api/auth/me')).status).toBe(401)
      expect(await run('enable', 'op@example.org')).toMatchObject({ code: 0 })
      expect(await run('disable', 'op@example.org')).toMatchObject({ code: 0 })
      expect(await run('delete', 'op@example.org')).toMatchObject({ code: 0 })
      const own = (await logOf()).filter((event) => event.user_id === user_id)
      // The test's clock is another than the command's, so the order is not looked at.
      expect(own.map(({ event_type }) => event_type).toSorted((a, b) => a.localeCompare(b))).toEqual([
        'account_deleted',
        'account_disabled',
        'account_disabled',
        'account_enabled',
        'registered',
        'role_changed',
        'signed_in',
      ])
      expect(own.find(({ event_type }) => event_type === 'account_deleted')).toMatchObject({
        actor_id: null,
        client: { kind: 'cli', id: null, name: null },
      })
    })

    it('minds the last owner, and says what it does not understand', async () => {
      expect(await run('disable', 'ann@example.org')).toMatchObject({ code: 1 })
      expect(await run('role', 'ann@example.org', 'reader')).toMatchObject({ code: 1 })
      for (const words of [
        ['role', 'ann@example.org'],
        ['role', 'ann@example.org', 'king'],
        ['create'],
        ['create', 'x'],
      ])
        expect((await run(...words)).code, words.join(' ')).toBe(2)
      expect((await run('create', 'ann@example.org')).code).toBe(1)
    })
  })
})

it('a security log that has grown old is swept at the start, of what is old alone, and still holds', async () => {
  const clock = new TestClock()
  const folder = mkdtempSync(join(tmpdir(), 'facet-users-'))
  const { url, drop } = await testDatabase(folder)
  const env = { DATABASE_URL: url, SECURITY_LOG_DAYS: '30' }
  const first = await startService({ clock: clock.now, env })
  const ann = await first.user('ann@example.org')
  clock.move({ days: 20 })
  const account = { email: 'ann@example.org', password: PASSWORD }
  await ann.post('/api/auth/login', account)
  await first.close()
  clock.move({ days: 15 })
  const second = await startService({ clock: clock.now, env })
  const owner = second.client()
  await owner.ok('POST', '/api/auth/login', account)
  const types = async () =>
    (await owner.ok('GET', '/api/security-log')).map((each: { event_type: string }) => each.event_type)
  await expect.poll(types).toEqual(['signed_in', 'signed_in'])
  await second.close()
  const held = async () => JSON.parse((await facet(url, 'audit', 'verify', '--json')).out).security
  expect(await held()).toMatchObject({ count: 2 })
  const { hash } = await held()
  clock.move({ days: 60 })
  const third = await startService({ clock: clock.now, env })
  await expect.poll(async () => (await held()).count).toBe(0)
  expect(await held()).toMatchObject({ hash })
  await third.client().ok('POST', '/api/auth/login', account)
  expect(await held()).toMatchObject({ count: 1 })
  await third.close()
  await drop()
  rmSync(folder, { recursive: true, force: true })
})
