import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { type Service, startService } from '#test/support/service.ts'

const PASSWORD = 'correct horse'
const NEW = 'staple 9 correct'
const DAY = 24 * 60 * 60 * 1000

describe('a link to set a new password', () => {
  const clock = new TestClock()
  let service: Service
  let owner: Client
  let names = 0
  beforeAll(async () => {
    service = await startService({ clock: clock.now })
    owner = await service.user('owner@example.org', PASSWORD)
  })
  afterAll(() => service.close())

  const prove = () => owner.ok('POST', '/api/auth/confirm', { password: PASSWORD })
  async function member() {
    const email = `member${++names}@example.org`
    const client = await service.user(email, PASSWORD)
    const { user_id } = await client.ok('GET', '/api/auth/me')
    return { email, client, user_id, path: `/api/users/${user_id}/reset-link` }
  }
  const link = async (path: string): Promise<string> =>
    new URL((await owner.ok('POST', path)).url).hash.slice(1)
  const use = (token: string, new_password = NEW) =>
    service.client().post('/api/auth/reset', { token, new_password })
  const logIn = (email: string, password: string) =>
    service.client().post('/api/auth/login', { email, password })

  /** As it leaves. */
  const answerTo = (token: string) =>
    service.client().exchange('POST', '/api/auth/reset', {
      headers: new Headers({ 'content-type': 'application/json' }),
      body: JSON.stringify({ token, new_password: NEW }),
    })

  async function expectEnded(token: string) {
    const [ended, unknown] = [await answerTo(token), await answerTo('never made')]
    expect(ended.status).toBe(403)
    expect(ended.text).toBe(unknown.text)
  }

  it('sets it once, ends all sessions and signs nobody in', async () => {
    const { client, email, path, user_id } = await member()
    const made = await owner.post(path)
    expect(made).toMatchObject({
      status: 200,
      body: { expires_at: new Date(clock.now() + DAY).toISOString() },
    })
    expect(Object.keys(made.body)).toEqual(['url', 'expires_at'])
    const token = new URL(made.body.url).hash.slice(1)
    expect(made.body.url.split('#')[0]).not.toContain(token)
    const done = await use(token)
    expect(done.status).toBe(200)
    expect(done.headers.get('set-cookie')).toBeNull()
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect((await logIn(email, PASSWORD)).status).toBe(401)
    expect((await logIn(email, NEW)).status).toBe(200)
    await expectEnded(token)
    const log: { event_type: string; user_id: string; details: object }[] = await owner.ok(
      'GET',
      '/api/security-log?limit=20',
    )
    const own = log.filter((each) => each.user_id === user_id)
    expect(own.map(({ event_type }) => event_type)).toEqual(
      expect.arrayContaining(['reset_link_created', 'password_changed']),
    )
    expect(own.find((each) => each.event_type === 'password_changed')?.details).toEqual({ by: 'reset_link' })
  })

  it('stays good where the password is refused', async () => {
    const { path } = await member()
    const token = await link(path)
    expect((await use(token, 'short')).status).toBe(400)
    expect((await use(token, '')).status).toBe(400)
    expect((await use(token)).status).toBe(200)
  })

  it('ends after a day', async () => {
    const { path } = await member()
    const token = await link(path)
    clock.move({ hours: 24 })
    await expectEnded(token)
    await prove()
  })

  it('ends with a newer one, another address, another role, a new password, and disabling', async () => {
    const { client, path, user_id, email } = await member()
    const endings: (() => Promise<unknown>)[] = [
      () => link(path),
      () => client.ok('PUT', '/api/auth/email', { email: `new-${email}`, current_password: PASSWORD }),
      () => owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader' }),
      () => client.ok('POST', '/api/auth/password', { current_password: PASSWORD, new_password: PASSWORD }),
      async () => {
        await owner.ok('PUT', `/api/users/${user_id}`, { disabled: true })
        await owner.ok('PUT', `/api/users/${user_id}`, { disabled: false })
      },
    ]
    for (const end of endings) {
      const token = await link(path)
      await end()
      await expectEnded(token)
    }
  })

  it('ends when whoever made it is no owner any more', async () => {
    const second = await member()
    await owner.ok('PUT', `/api/users/${second.user_id}`, { role: 'owner' })
    const { path } = await member()
    const { url } = await second.client.ok('POST', path)
    await owner.ok('PUT', `/api/users/${second.user_id}`, { role: 'editor' })
    await expectEnded(new URL(url).hash.slice(1))
  })

  it('is made neither for owners nor for disabled accounts, by owners with a fresh proof alone', async () => {
    const { client, path, user_id } = await member()
    const { user_id: own } = await owner.ok('GET', '/api/auth/me')
    expect((await owner.post(`/api/users/${own}/reset-link`)).status).toBe(409)
    expect((await client.post(path)).status).toBe(403)
    expect((await service.client().post(path)).status).toBe(401)
    expect((await owner.post('/api/users/01JJXZ5T7GQ3M8K4B9R2C6D0EF/reset-link')).status).toBe(404)
    clock.move({ minutes: 11 })
    expect(await owner.post(path)).toMatchObject({
      status: 403,
      body: { details: { confirm: ['password'] } },
    })
    await prove()
    await owner.ok('PUT', `/api/users/${user_id}`, { disabled: true })
    expect((await owner.post(path)).status).toBe(409)
  })

  it('is used by one of two at once', async () => {
    const { path } = await member()
    const token = await link(path)
    const statuses = (await Promise.all([use(token), use(token, `${NEW}!`)])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403])
  })

  it('is kept as a hash, and a password of the command line ends it', async () => {
    const { path, email } = await member()
    const token = await link(path)
    expect(JSON.stringify(await queryDatabase(service, 'select * from reset_link'))).not.toContain(token)
    await facet(service.database_url, 'user', 'reset-password', email)
    await expectEnded(token)
  })
})
