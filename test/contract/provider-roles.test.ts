import { afterEach, describe, expect, it } from 'vitest'
import {
  type Both,
  emailOf,
  person,
  register,
  signIn,
  startBoth,
  upToCallback,
} from '#test/support/both-providers.ts'
import { Browser } from '#test/support/browser.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'

const ROLES = {
  IDP_A_ROLE_CLAIM: 'groups',
  IDP_A_ROLE_MAP: '{"admins": "owner", "staff": "editor"}',
  IDP_B_ROLE_CLAIM: 'groups',
  IDP_B_ROLE_MAP: '{"admins": "owner", "*": "reader"}',
}

describe('a provider that says the role', () => {
  const clock = new TestClock()
  let both: Both
  const open = async (options: Parameters<typeof startBoth>[0] = {}) =>
    (both = await startBoth({ clock, ...options, env: { ...ROLES, ...options.env } }))
  afterEach(() => both.close())
  const roleOf = async (name: 'idp_a' | 'idp_b', who: ReturnType<typeof person>, groups: unknown) => {
    const { me, path } = await signIn(both, name, { ...who, claims: { ...who.claims, groups } })
    return me.status === 200 ? me.body.role : path
  }
  const owner = () => both.service.user('owner@example.org')

  it.each(['id_token', 'userinfo'] as const)('gives it at each sign-in (%s)', async (emailIn) => {
    await open({ idp: { emailIn } })
    await owner()
    const who = person()
    expect(await roleOf('idp_a', who, ['others', 'staff'])).toBe('editor')
    expect(await roleOf('idp_a', who, ['staff', 'admins'])).toBe('owner')
    expect(await roleOf('idp_a', who, 'staff')).toBe('editor')
    expect(await roleOf('idp_a', who, ['others'])).toBe('/?auth_error=no_role')
    expect(await roleOf('idp_b', person(), undefined)).toBe('reader')
  })

  it('lets nobody in whom no role fits, and makes no account', async () => {
    await open()
    const client = await owner()
    const who = person()
    expect(await roleOf('idp_a', who, undefined)).toBe('/?auth_error=no_role')
    const browser = new Browser()
    const callback = await upToCallback(both, browser, who)
    const answer = await browser.send('GET', callback.href)
    expect(answer).toMatchObject({ status: 403, body: { details: { auth_error: 'no_role' } } })
    expect(await client.ok('GET', '/api/users')).toHaveLength(1)
  })

  it('leaves the last owner one, and lowers another with what that ends', async () => {
    await open()
    const [first, second] = [person(), person()]
    expect(await roleOf('idp_a', first, 'staff')).toBe('owner')
    expect(await roleOf('idp_a', first, 'staff')).toBe('owner')
    expect(await roleOf('idp_a', second, 'admins')).toBe('owner')
    const { browser } = await signIn(both, 'idp_a', {
      ...first,
      claims: { ...first.claims, groups: 'admins' },
    })
    await browser.send('POST', `${both.site}/api/invitations`, {})
    expect(await roleOf('idp_a', first, 'staff')).toBe('editor')
    const { browser: left } = await signIn(both, 'idp_a', {
      ...second,
      claims: { ...second.claims, groups: 'admins' },
    })
    expect((await left.send('GET', `${both.site}/api/invitations`)).body).toEqual([])
    const log = (await left.send('GET', `${both.site}/api/security-log`)).body as { event_type: string }[]
    expect(log.filter(({ event_type }) => event_type === 'role_changed')).toHaveLength(1)
  })

  it('says it of accounts that were there, by whatever else they sign in; their sessions last a day', async () => {
    await open()
    await owner()
    const who = person()
    const client = await both.service.user(emailOf(who), 'correct horse')
    expect(await client.ok('GET', '/api/auth/me')).toMatchObject({ role: 'editor' })
    const groups = { ...who, claims: { ...who.claims, groups: 'admins' } }
    const { browser, me } = await signIn(both, 'idp_a', groups)
    expect(me.body).toMatchObject({ role: 'owner', has_password: true })
    clock.move({ hours: 12 })
    await client.ok('POST', '/api/auth/login', { email: emailOf(who), password: 'correct horse' })
    const status = async () => (await browser.send('GET', `${both.site}/api/auth/me`)).status
    clock.move({ hours: 11, minutes: 59 })
    expect(await status()).toBe(200)
    clock.move({ minutes: 1 })
    expect(await status()).toBe(401)
    expect(await client.ok('GET', '/api/auth/sessions')).toHaveLength(1)
    clock.move({ hours: 12 })
    expect((await client.get('/api/auth/me')).status).toBe(401)
  })

  it('no longer ends the sessions of an account that has unlinked it', async () => {
    await open()
    await owner()
    const who = person()
    const client = await both.service.user(emailOf(who), 'correct horse')
    const { browser } = await signIn(both, 'idp_a', { ...who, claims: { ...who.claims, groups: 'staff' } })
    await browser.send('DELETE', `${both.site}/api/auth/link/idp_a`)
    await client.ok('POST', '/api/auth/login', { email: emailOf(who), password: 'correct horse' })
    clock.move({ days: 2 })
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  it('no longer ends the sessions of an account from which an operator has unlinked it', async () => {
    await open()
    await owner()
    const who = person()
    const client = await both.service.user(emailOf(who), 'correct horse')
    await signIn(both, 'idp_a', { ...who, claims: { ...who.claims, groups: 'staff' } })
    expect((await facet(both.service.database_url, 'user', 'unlink', emailOf(who))).code).toBe(0)
    await client.ok('POST', '/api/auth/login', { email: emailOf(who), password: 'correct horse' })
    clock.move({ days: 2 })
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  it('is linked by a session of any age, which lasts a day from then on, and proves no more than it did', async () => {
    await open()
    await owner()
    const who = person()
    const { client, browser } = await register(both, emailOf(who))
    const other = both.service.client()
    await other.ok('POST', '/api/auth/login', { email: emailOf(who), password: 'correct horse' })
    clock.move({ hours: 25 })
    expect((await client.get('/api/auth/me')).status).toBe(200)
    const groups = { ...who, claims: { ...who.claims, groups: 'staff' } }
    const { me, path } = await signIn(both, 'idp_a', groups, browser)
    expect({ path, status: me.status }).toEqual({ path: '/', status: 200 })
    expect((await other.get('/api/auth/me')).status).toBe(401)
    const key = { name: 'k', scope: 'read' }
    expect((await browser.send('POST', `${both.site}/api/keys`, key)).status).toBe(403)
    const status = async () => (await browser.send('GET', `${both.site}/api/auth/me`)).status
    clock.move({ hours: 23, minutes: 59 })
    expect(await status()).toBe(200)
    clock.move({ minutes: 1 })
    expect(await status()).toBe(401)
  })

  it('lets nobody in by an identity of another issuer, which had its name before', async () => {
    await open({
      env: { IDP_A_ROLE_CLAIM: '', IDP_A_ROLE_MAP: '', IDP_B_ROLE_CLAIM: '', IDP_B_ROLE_MAP: '' },
    })
    const { browser } = await signIn(both, 'idp_a', person())
    expect((await signIn(both, 'idp_b', person(), browser)).path).toBe('/')
    await queryDatabase(
      both.service,
      "update identity set issuer = 'https://former.example' where provider = 'idp_a'",
    )
    const unlink = async (name: string) =>
      (await browser.send('DELETE', `${both.site}/api/auth/link/${name}`)).status
    expect(await unlink('idp_b')).toBe(400)
    expect(await unlink('idp_a')).toBe(200)
  })
})
