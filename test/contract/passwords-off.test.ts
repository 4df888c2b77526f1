import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '#test/support/authenticator.ts'
import { type Both, PASSWORD, person, emailOf, signIn, startBoth } from '#test/support/both-providers.ts'
import type { Browser } from '#test/support/browser.ts'
import { runFacet } from '#test/support/facet-command.ts'
import { startService } from '#test/support/service.ts'
import { testDatabase } from '#test/support/test-database.ts'
import { totpCode } from '#test/support/totp-codes.ts'

const OFF = { PASSWORDS: 'off' }

describe('with PASSWORDS=off', () => {
  let both: Both
  let owner: Browser
  const first = person()
  const send = async (browser: Browser, method: string, path: string, body?: object) =>
    browser.send(method, both.site + path, body)
  beforeAll(async () => {
    both = await startBoth({ env: { ...OFF, REGISTRATION: 'closed', DEFAULT_ROLE: 'reader' } })
    // Nobody is let in by a closed registration: an operator makes the owner, whom a provider lets in.
    const made = await runFacet(both.service.database_url, ['user', 'create', emailOf(first), '--json'], OFF)
    expect(JSON.parse(made.out)).toMatchObject({ role: 'owner' })
    expect(JSON.parse(made.out)).not.toHaveProperty('password')
    const { browser, me } = await signIn(both, 'idp_a', first)
    expect(me.body).toMatchObject({ role: 'owner', has_password: false })
    owner = browser
  })
  afterAll(() => both.close())

  it('nobody registers, signs in, sets or resets a password', async () => {
    const nobody = both.service.client()
    const given = { email: emailOf(first), password: PASSWORD }
    const refused = { status: 403, body: { message: 'Passwords are off here' } }
    expect(await nobody.post('/api/auth/register', given)).toMatchObject(refused)
    expect(await nobody.post('/api/auth/login', given)).toMatchObject(refused)
    expect(await nobody.post('/api/auth/reset', { token: 'x', new_password: PASSWORD })).toMatchObject(
      refused,
    )
    expect(await send(owner, 'POST', '/api/auth/password', { new_password: PASSWORD })).toMatchObject(refused)
    expect(await send(owner, 'POST', '/api/auth/confirm', { password: PASSWORD })).toMatchObject(refused)
    const { body } = await send(owner, 'GET', '/api/auth/me')
    expect(await send(owner, 'POST', `/api/users/${body.user_id}/reset-link`)).toMatchObject(refused)
    expect((await nobody.get('/api/service')).body).toMatchObject({ passwords: false })
    const reset = await runFacet(both.service.database_url, ['user', 'reset-password', emailOf(first)], OFF)
    expect(reset).toMatchObject({ code: 1, err: expect.stringContaining('Passwords are off') })
  })

  it('an invitation is used by signing in with a provider of its address, which must vouch for it', async () => {
    const guest = person()
    const invite = (body: object) => send(owner, 'POST', '/api/invitations', body)
    expect((await signIn(both, 'idp_b', guest)).path).toBe('/?auth_error=registration_refused')
    expect(await invite({ role: 'editor' })).toMatchObject({
      status: 400,
      body: { details: { errors: [{ path: 'email' }] } },
    })
    expect((await invite({ role: 'editor', email: emailOf(guest).toUpperCase() })).status).toBe(200)
    const other = person({ email: emailOf(guest), email_verified: false })
    expect((await signIn(both, 'idp_b', other)).path).toBe('/?auth_error=registration_refused')
    expect((await signIn(both, 'idp_b', guest)).me.body).toMatchObject({ role: 'editor' })
    expect((await send(owner, 'GET', '/api/invitations')).body).toEqual([])
    const again = person({ email: emailOf(guest).replace('@', '+2@') })
    expect((await signIn(both, 'idp_b', again)).path).toBe('/?auth_error=registration_refused')
  })

  it('the last way of the last owner stays, and an owner without one is none that stays', async () => {
    const { body: me } = await send(owner, 'GET', '/api/auth/me')
    expect((await send(owner, 'DELETE', '/api/auth/link/idp_a')).status).toBe(400)
    const second = person()
    const made = ['user', 'create', emailOf(second), '--role', 'owner']
    expect((await runFacet(both.service.database_url, made, OFF)).code).toBe(0)
    const lower = () => send(owner, 'PUT', `/api/users/${me.user_id}`, { role: 'editor' })
    expect((await lower()).status).toBe(409)
    const unlink = () =>
      runFacet(both.service.database_url, ['user', 'unlink', emailOf(first)], {
        ...OFF,
        ...both.idps.idp_a.env('IDP_A'),
      })
    expect(await unlink()).toMatchObject({ code: 1, err: expect.stringContaining('last owner') })
    await signIn(both, 'idp_b', second)
    expect((await lower()).status).toBe(200)
  })
})

describe('a start with PASSWORDS=off', () => {
  const folder = mkdtempSync(`${tmpdir()}/facet-passwords-`)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is refused without a provider or a passkey of an owner, and counts what passwords had begun as nothing', async () => {
    const database = await testDatabase(folder)
    const env = { DATABASE_URL: database.url }
    const refused = { message: expect.stringContaining('no owner has a passkey') }
    await expect(startService({ env: { ...env, ...OFF } })).rejects.toMatchObject(refused)
    const before = await startService({ env })
    const client = await before.user('owner@example.org', PASSWORD)
    const editor = await before.user('editor@example.org', PASSWORD)
    const device = new Authenticator({ origin: before.url.replace('127.0.0.1', 'localhost') })
    const addPasskey = async (to: typeof client, name: string) => {
      const { publicKey } = await to.ok('POST', '/api/auth/passkey/register/begin')
      await to.ok('POST', '/api/auth/passkey/register/complete', {
        name,
        credential: device.create(publicKey),
      })
    }
    await addPasskey(editor, "An editor's")
    const { secret } = await editor.ok('POST', '/api/auth/2fa/totp/setup')
    await editor.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, Date.now() - 30_000) })
    const half = before.client()
    await half.ok('POST', '/api/auth/login', { email: 'editor@example.org', password: PASSWORD })
    await before.close()
    await expect(startService({ env: { ...env, ...OFF } })).rejects.toMatchObject(refused)
    const between = await startService({ env })
    const again = between.client()
    await again.ok('POST', '/api/auth/login', { email: 'owner@example.org', password: PASSWORD })
    const key = new Authenticator({ origin: between.url.replace('127.0.0.1', 'localhost') })
    const { publicKey } = await again.ok('POST', '/api/auth/passkey/register/begin')
    const credential = key.create(publicKey)
    await again.ok('POST', '/api/auth/passkey/register/complete', { name: 'Key', credential })
    await between.close()
    const after = await startService({ env: { ...env, ...OFF } })
    const send = async (cookies: Map<string, string>, method: string, path: string, body?: object) => {
      const now = after.client()
      for (const [name, value] of cookies) now.cookies.set(name, value)
      return now.send(method, path, body)
    }
    const code = { code: totpCode(secret, Date.now()) }
    expect((await send(half.cookies, 'POST', '/api/auth/2fa/totp/verify', code)).status).toBe(403)
    const [passkey] = (await send(again.cookies, 'GET', '/api/auth/passkeys')).body
    const removed = await send(again.cookies, 'DELETE', `/api/auth/passkeys/${passkey.credential_id}`)
    expect(removed).toMatchObject({ status: 400, body: { message: expect.stringContaining('only way') } })
    await after.close()
    await database.drop()
  })
})
