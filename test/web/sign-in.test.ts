import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { plainRecoveryCode } from '#src/auth/recovery-code.ts'
import { hashToken } from '#src/auth/session.ts'
import { type Both, person, signIn as signInBy, startBoth } from '#test/support/both-providers.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { REDIRECT, registeredApp } from '#test/support/oauth-app.ts'
import { startService } from '#test/support/service.ts'
import { totpCode } from '#test/support/totp-codes.ts'
import { type Flow, flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { focused } from '#test/web/support/type-into.ts'

const PASSWORD = 'correct horse'
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const
/** Milliseconds by which the service’s clock is ahead; a test moves it. */
let ahead = 0

const folder = mkdtempSync(join(tmpdir(), 'facet-sign-in-'))
const OF_BOTH = { DATABASE_URL: `file:${join(folder, 'facet.db')}` }

const ROLES = {
  IDP_A_ROLE_CLAIM: 'groups',
  IDP_A_ROLE_MAP: '{"admins": "owner", "staff": "editor", "guests": "reader"}',
}

/** A flow of a service with both providers: to the one that the page belongs to it is another host. */
function flowOfBoth(
  name: string,
  options: Parameters<typeof startBoth>[0],
  run: (given: Flow, both: Both) => Promise<void>,
): void {
  const among = async (given: Flow) => {
    const both = await startBoth(options)
    try {
      await run(given, both)
      await given.page.goto('about:blank')
      await given.page.close()
    } finally {
      await both.close()
    }
  }
  flow(name, among, { provoked: /^other host: http:\/\/(?:localhost|127\.0\.0\.1):/ })
}

describe('signing in', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  flow('makes an account, signs out and in again', async ({ page, axe }) => {
    await page.goto('/tags/x?f=1')
    await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
    await axe()
    await picture(page, 'sign-in')
    const make = page.getByRole('link', { name: 'Make an account' })
    const enter = page.getByRole('link', { name: 'Sign in' })
    // To and fro, and where one was going is not forgotten.
    for (const link of [make, enter, make]) await link.click()
    await page.getByLabel('E-mail').fill('ada@example.org')
    await page.getByLabel('Password').fill('short')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await picture(page, 'register')
    await axe()
    await page.getByRole('button', { name: 'Make an account' }).click()
    await page.waitForURL('/tags/x?f=1')
    await page.goto('/')
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await picture(page, 'home-empty')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
    await page.getByLabel('E-mail').fill('ada@example.org')
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'Wrong e-mail or password' }).waitFor()
    await axe()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
  })

  flow('asks for the second factor', async ({ page, service, axe }) => {
    const client = await service.user('totp@example.org', PASSWORD)
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, Date.now() - 30_000) })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill('totp@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const code = page.getByLabel('Code from your authenticator app')
    await code.fill('000000')
    await page.getByRole('alert').waitFor()
    await picture(page, 'second-factor')
    await axe()
    await code.fill(totpCode(secret, Date.now()))
    await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
  })

  flow('takes a recovery code in place of the app’s, typed, pasted or by its button', async (given) => {
    const { page, service, axe } = given
    const client = await service.user('recovery@example.org', PASSWORD)
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, Date.now() - 30_000) })
    const { codes } = await client.ok('POST', '/api/auth/2fa/recovery-codes', {
      code: totpCode(secret, Date.now()),
    })
    const app = page.getByLabel('Code from your authenticator app')
    const recovery = page.getByLabel('Recovery code')
    const empty = page.getByRole('heading', { name: 'This base is empty' })
    const enters = async () => {
      await page.context().clearCookies()
      await page.goto('/sign-in')
      await page.getByLabel('E-mail').fill('recovery@example.org')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await app.waitFor()
    }
    await enters()
    await page.keyboard.type('1234-5678-9012-345Z')
    expect(await recovery.inputValue()).toBe('1234-5678-9012-345Z')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Invalid code' }).waitFor()
    await focused(recovery)
    await recovery.fill('1234')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'a recovery code' }).waitFor()
    await picture(page, 'recovery-code', { widths: ['wide', 'phone'] })
    await axe()
    await recovery.fill(codes[0])
    await page.keyboard.press('Enter')
    await page.getByText('You used a recovery code: 9 are left').first().waitFor()
    await empty.waitFor()

    await enters()
    await page.keyboard.type(codes[1].toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByText('8 are left').first().waitFor()

    await enters()
    await app.evaluate((input, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', text)
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, ` ${codes[2]}\n`)
    await expect.poll(() => recovery.inputValue()).toBe(codes[2])
    await page.keyboard.press('Enter')
    await page.getByText('7 are left').first().waitFor()

    // The dialog of a session that has ended, which the end of its stream brings, has the same form.
    await empty.waitFor()
    await client.ok('DELETE', '/api/auth/sessions')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
    await axe()
    await page.keyboard.type(codes[3])
    await page.keyboard.press('Enter')
    await page.getByText('6 are left').first().waitFor()
    await dialog.waitFor({ state: 'detached' })

    const last = hashToken(plainRecoveryCode(codes[9]))
    await queryDatabase(service, `delete from recovery_code where code_hash <> '${last}'`)
    await enters()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await focused(recovery)
    await page.keyboard.type(codes[9].replaceAll('-', ' '))
    await page.keyboard.press('Enter')
    await page.getByText('That was your last recovery code').first().waitFor()
    await axe()
  })

  flow('signs in with a passkey', async ({ page, service, site }) => {
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
    await service.user('key@example.org', PASSWORD)
    await page.goto(`${site}/sign-in`)
    await page.evaluate(registerPasskey, { email: 'key@example.org', password: PASSWORD })
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByLabel('E-mail').fill('key@example.org')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
  })

  flow(
    'goes on to where an app asks, for anyone who is signed in already',
    async ({ page, service, site, signIn, axe }) => {
      await signIn()
      const app = await registeredApp(service.url)
      await page.goto(site + app.authorizePath())
      await page.getByRole('heading', { name: 'Let An <app> use Facet?' }).waitFor()
      await picture(page, 'consent')
      await axe()
      await page.getByLabel('and change nothing').check()
      await axe()
      const { pathname } = new URL(page.url())
      for (const way of ['sign-in', 'register']) {
        await page.goto(`/${way}?next=${encodeURIComponent(pathname)}`)
        await page.getByRole('heading', { name: 'Let An <app> use Facet?' }).waitFor()
      }
      for (const next of [
        'https://elsewhere.example/',
        '/..//elsewhere.example/',
        '/authorize/..//x.example',
      ]) {
        await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
        await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
      }
    },
  )

  flow(
    'lets an app in by a passkey where the sign-in is a while ago',
    async ({ page, service, site, signIn, axe }) => {
      const client = await signIn()
      const { email } = await client.ok('GET', '/api/auth/me')
      const device = await page.context().newCDPSession(page)
      await device.send('WebAuthn.enable')
      await device.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
      await page.goto(`${site}/settings/account`)
      await page.evaluate(registerPasskey, { email, password: PASSWORD })
      await page.evaluate(
        async (body) => {
          const headers = { 'content-type': 'application/json' }
          await fetch('/api/auth/login', { method: 'POST', headers, body: JSON.stringify(body) })
        },
        { email, password: PASSWORD },
      )
      ahead = 11 * 60_000
      const app = await registeredApp(service.url)
      await page.goto(site + app.authorizePath())
      await page.getByLabel('Your password').waitFor()
      await page.getByRole('button', { name: 'Allow with a passkey' }).waitFor()
      await picture(page, 'consent-proof', { widths: ['wide', 'phone'] })
      await axe()
      // The app itself is not there: that the browser goes to it with a code is enough.
      const gone = page.waitForRequest((request) => request.url().startsWith(REDIRECT))
      await page.getByRole('button', { name: 'Allow with a passkey' }).click()
      expect(new URL((await gone).url()).searchParams.get('code')).toBeTruthy()
      await page.close()
      ahead = 0
    },
    { clock: () => Date.now() + ahead, provoked: /127\.0\.0\.1:8912|ERR_CONNECTION_REFUSED/ },
  )

  flow(
    'asks for the proof in place, where the sign-in became old while the page of an app was read',
    async ({ page, service, site, signIn, axe }) => {
      await signIn()
      const app = await registeredApp(service.url)
      await page.goto(site + app.authorizePath())
      await page.getByLabel('and change nothing').check()
      ahead = 11 * 60_000
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      const proof = page.getByRole('group', { name: 'Prove that it is you' })
      await proof.getByText(/more than ten minutes since you signed in/).waitFor()
      await focused(page.getByLabel('Your password'))
      // What was chosen stays chosen.
      expect(await page.getByLabel('and change nothing').isChecked()).toBe(true)
      await picture(page, 'consent-again', { widths: ['wide', 'phone'] })
      await axe()
      await page.keyboard.type('not it')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Your password').fill(PASSWORD)
      const gone = page.waitForRequest((request) => request.url().startsWith(REDIRECT))
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      expect(new URL((await gone).url()).searchParams.get('code')).toBeTruthy()
      await page.close()
      ahead = 0
    },
    { clock: () => Date.now() + ahead, provoked: /127\.0\.0\.1:8912|ERR_CONNECTION_REFUSED/ },
  )

  flow('makes an account by the address of an invitation', async ({ page, service }) => {
    const owner = await service.user()
    const { url } = await owner.ok('POST', '/api/invitations', { role: 'reader' })
    const { pathname, search } = new URL(url)
    await page.goto(pathname + search)
    await page.getByText('You have been invited.').waitFor()
    await page.getByLabel('E-mail').fill('guest@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Name').fill('Guest')
    await page.getByRole('button', { name: 'Make an account' }).click()
    await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
    const guest = await service
      .client()
      .post('/api/auth/login', { email: 'guest@example.org', password: PASSWORD })
    expect(guest.body).toMatchObject({ role: 'reader' })
  })

  flow(
    'lets anyone who is signed in leave for an invitation, or stay',
    async ({ page, signIn, service, axe }) => {
      const owner = await service.user()
      const { url } = await owner.ok('POST', '/api/invitations', { role: 'reader' })
      const { pathname, search, searchParams } = new URL(url)
      const client = await signIn()
      const { email } = await client.ok('GET', '/api/auth/me')
      const says = page.getByText(`You are signed in as ${email}.`)
      await page.goto(pathname + search)
      await says.waitFor()
      await picture(page, 'invited-signed-in', { widths: ['wide', 'phone'] })
      await axe()
      await page.getByRole('link', { name: 'Stay signed in' }).click()
      await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
      expect((await client.get('/api/auth/me')).status).toBe(200)

      await page.goto(`/invite/${searchParams.get('invitation')}`)
      await says.waitFor()
      await page.getByRole('button', { name: 'Sign out and use the invitation' }).click()
      await page.getByLabel('E-mail').fill('guest@example.org')
      expect((await client.get('/api/auth/me')).status).toBe(401)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
      const guest = await service
        .client()
        .post('/api/auth/login', { email: 'guest@example.org', password: PASSWORD })
      expect(guest.body).toMatchObject({ role: 'reader' })
    },
  )

  flow('sets a new password by the link that an owner made', async ({ page, service, signIn, open, axe }) => {
    await signIn()
    const grace = await service.user('grace@example.org', PASSWORD)
    await page.goto('/settings/members')
    await page.getByRole('button', { name: 'Password link for grace@example.org' }).click()
    const link = new URL(await page.getByRole('dialog').locator('code').innerText())
    await axe()
    const theirs = await open()
    await theirs.goto(link.pathname + link.hash)
    await theirs.getByRole('heading', { name: 'Set a new password' }).waitFor()
    await picture(theirs, 'reset')
    await theirs.getByLabel('New password').fill('staple 9 correct')
    await theirs.getByRole('button', { name: 'Set the password' }).click()
    await theirs.getByRole('status').filter({ hasText: 'It is set' }).waitFor()
    expect((await grace.get('/api/auth/me')).status).toBe(401)
    await theirs.getByRole('link', { name: 'Sign in' }).click()
    await theirs.getByLabel('E-mail').fill('grace@example.org')
    await theirs.getByLabel('Password').fill('staple 9 correct')
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click()
    await theirs.getByRole('heading', { name: 'This base is empty' }).waitFor()
    await theirs.goto('/reset#used')
    await theirs.getByLabel('New password').fill('staple 9 correct')
    await theirs.keyboard.press('Enter')
    await theirs.getByRole('alert').filter({ hasText: 'unknown, was used, or has ended' }).waitFor()
  })

  flow(
    'is without passwords where PASSWORDS=off: neither the sign-in nor the settings speak of them',
    async ({ page, service, site, axe }) => {
      const device = await page.context().newCDPSession(page)
      await device.send('WebAuthn.enable')
      await device.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
      await service.user('owner@example.org', PASSWORD)
      const grace = await service.user('grace@example.org', PASSWORD)
      const { user_id } = await grace.ok('GET', '/api/auth/me')
      const owner = service.client()
      await owner.ok('POST', '/api/auth/login', { email: 'owner@example.org', password: PASSWORD })
      const { url } = await owner.ok('POST', `/api/users/${user_id}/reset-link`)
      await page.goto(`${site}/sign-in`)
      await page.evaluate(registerPasskey, { email: 'owner@example.org', password: PASSWORD })
      await page.goto('about:blank')
      await service.close()

      const off = await startService({ env: { ...OF_BOTH, PASSWORDS: 'off' } })
      const at = off.url.replace('127.0.0.1', 'localhost')
      await page.goto(`${at}/sign-in`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
      const [password, register] = [page.getByLabel('Password'), page.getByText('Make an account')]
      expect([await password.count(), await register.count()]).toEqual([0, 0])
      await picture(page, 'sign-in-without-passwords')
      await axe()
      await page.goto(`${at}/register`)
      await page
        .getByText(/signing in with a provider|Sign in with/i)
        .first()
        .waitFor()
      expect(await password.count()).toBe(0)
      await axe()
      // A link of before sets nothing any more.
      await page.goto(`${at}/reset${new URL(url).hash}`)
      await picture(page, 'reset-without-passwords', { widths: ['wide'] })
      await page.getByText('Passwords are off here').waitFor()
      await axe()

      await page.goto(`${at}/sign-in`)
      await page.getByLabel('E-mail').fill('owner@example.org')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
      await page.goto(`${at}/settings/account`)
      await page.getByRole('heading', { name: 'E-mail' }).first().waitFor()
      expect(await page.getByText(/password/i).count()).toBe(0)
      await picture(page, 'account-without-passwords')
      await axe()
      await page.goto(`${at}/settings/members`)
      await page.getByLabel('E-mail', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: /^Password link/ }).count()).toBe(0)
      await axe()
      await page.goto('about:blank')
      await off.close()
      await page.close()
    },
    { env: OF_BOTH, provoked: /^other host: http:\/\/localhost/ },
  )

  flowOfBoth(
    'takes the role that the provider says, at each sign-in',
    { env: ROLES },
    async ({ page, axe }, both) => {
      const somebody = person()
      const enters = async (...groups: string[]) => {
        both.idps.idp_a.state.person = { ...somebody, claims: { ...somebody.claims, groups } }
        await page.goto(`${both.site}/sign-in`)
        await page
          .getByRole('link', { name: /^Sign in with/ })
          .first()
          .click()
      }
      const account = page.getByRole('button', { name: /^Account of person-/ })
      const leaves = async () => {
        await account.click()
        await page.getByRole('menuitem', { name: 'Sign out' }).click()
        await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
      }
      const add = page.getByRole('button', { name: 'New item' })
      const owner = await both.service.user('owner@example.org', PASSWORD)
      await owner.ok('POST', '/api/items', { name: 'There' })

      await enters('guests')
      await account.waitFor()
      await page.goto(`${both.site}/items`)
      await page.getByText('There').first().waitFor()
      expect(await add.count()).toBe(0)
      await page.goto(`${both.site}/settings/members`)
      await page.getByText('Only owners see who is here').waitFor()
      await axe()

      await leaves()
      await enters('guests', 'admins')
      await account.waitFor()
      await page.goto(`${both.site}/settings/members`)
      await page
        .getByRole('combobox', { name: /^Role of person-/ })
        .filter({ hasText: 'Owner' })
        .waitFor()
      await picture(page, 'members-by-provider')

      await leaves()
      await enters('staff')
      await account.waitFor()
      await page.goto(`${both.site}/items`)
      await add.waitFor()
      await page.goto(`${both.site}/settings/members`)
      await page.getByText('Only owners see who is here').waitFor()

      await leaves()
      await enters('strangers')
      await page.getByRole('alert').filter({ hasText: 'nothing of you that lets you in here' }).waitFor()
      await picture(page, 'no-role')
      await axe()
    },
  )

  flowOfBoth(
    'makes accounts by a provider, or an invitation, where a password proves no address',
    { env: { REGISTRATION: 'domain:example.org' } },
    async ({ page, axe }, both) => {
      const empty = page.getByRole('heading', { name: 'This base is empty' })
      both.idps.idp_a.state.person = person()
      await page.goto(`${both.site}/register`)
      await page.getByText('open to addresses of certain domains').waitFor()
      expect(await page.getByLabel('Password').count()).toBe(0)
      await picture(page, 'register-by-domain')
      await axe()
      await page
        .getByRole('link', { name: /^Sign in with/ })
        .first()
        .click()
      await empty.waitFor()

      const url = await page.evaluate(async () => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch('/api/invitations', { method: 'POST', headers, body: '{}' })
        return ((await response.json()) as { url: string }).url
      })
      await page.context().clearCookies()
      await page.goto(`${both.site}/register`)
      await page.getByRole('button', { name: 'I have an invitation' }).click()
      await page.getByLabel('E-mail').fill('guest@example.net')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByLabel('Invitation').fill(new URL(url).searchParams.get('invitation')!)
      await axe()
      await page.getByRole('button', { name: 'Make an account' }).click()
      await empty.waitFor()
    },
  )

  const clock = new TestClock()
  flowOfBoth(
    'links a provider from the settings, after a fresh proof, and says there what failed',
    { env: { FRESH_PROOF: 'all' }, clock },
    async ({ page, axe }, both) => {
      const settings = `${both.site}/settings/security`
      const link = page.getByRole('button', { name: /^Link / })
      const unlink = page.getByRole('button', { name: /^Unlink / })
      const owner = await both.service.user('owner@example.org', PASSWORD)
      const { user_id } = await owner.ok('GET', '/api/auth/me')
      const other = person()
      await signInBy(both, 'idp_b', other)
      await page.goto(`${both.site}/sign-in?next=/settings/security`)
      await page.getByLabel('E-mail').fill('owner@example.org')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      both.idps.idp_a.state.person = person()
      await link.first().click()
      await page.waitForURL(`${settings}?linked=idp_a`)
      const linked = page.getByRole('status').filter({ hasText: 'is linked' })
      await linked.waitFor()
      await picture(page, 'linked', { widths: ['wide', 'phone'] })
      await axe()
      expect([await link.count(), await unlink.count()]).toEqual([1, 1])
      // It is said once; a start page that is gone to later is one.
      await page.goto(`${both.site}/`)
      await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
      await page.goto(settings)
      await unlink.waitFor()
      expect(await linked.count()).toBe(0)
      // Anyone who comes back from the provider by themselves has linked nothing.
      await page.evaluate((who) => sessionStorage.setItem('facet.left_to_link', `${who} idp_b`), user_id)
      await page.goto(`${both.site}/`)
      await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
      await page.goto(settings)

      clock.move({ minutes: 11 })
      both.idps.idp_b.state.person = other
      await link.click()
      const proof = page.getByRole('dialog', { name: 'Is it you?' })
      await proof.getByLabel('Password').fill(PASSWORD)
      await proof.getByRole('button', { name: 'Go on' }).click()
      await page.waitForURL(`${settings}?auth_error=identity_in_use`)
      await page.getByRole('alert').filter({ hasText: 'linked to another account' }).waitFor()
      await picture(page, 'link-in-use', { widths: ['wide'] })
      await axe()

      clock.move({ minutes: 11 })
      await page.goto(`${both.site}/api/auth/oauth/idp_b`)
      await page.waitForURL(`${settings}?auth_error=proof_needed`)
      await page.getByRole('alert').filter({ hasText: 'asks for a proof' }).waitFor()
    },
  )

  flow('says in words why a provider failed', async ({ page }) => {
    await page.goto('/?auth_error=email_missing')
    await page.getByRole('alert').filter({ hasText: 'gave no e-mail address' }).waitFor()
    await page.goto('/?auth_error=%3Cscript%3E')
    await page
      .getByRole('alert')
      .filter({ hasText: /^Signing in with the provider did not work\.$/ })
      .waitFor()
  })

  flow('counts down after too many attempts', async ({ page, service }) => {
    await service.user('tries@example.org', PASSWORD)
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill('tries@example.org')
    const anybody = service.client()
    for (let i = 0; i < 10; i++)
      await anybody.post('/api/auth/login', { email: 'tries@example.org', password: 'wrong' })
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText(/Try again in \d+:\d\d/).waitFor()
    expect(await page.getByRole('button', { name: 'Sign in', exact: true }).isDisabled()).toBe(true)
    await picture(page, 'too-often', { widths: ['wide'] })
  })

  flow(
    'shows the sign-in to anyone who comes back after the session ended',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { email } = await client.ok('GET', '/api/auth/me')
      await page.goto('/')
      await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
      await client.ok('POST', '/api/auth/logout')
      await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
      await page.reload()
      await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
      await axe()
      expect(email).toMatch(/^person-/)
    },
  )
})

async function registerPasskey({ email, password }: { email: string; password: string }): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as { publicKey: PublicKeyCredentialCreationOptionsJSON }
  }
  await post('/api/auth/login', { email, password })
  const begun = await post('/api/auth/passkey/register/begin', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(begun.publicKey)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  await post('/api/auth/passkey/register/complete', { name: 'Laptop', credential: credential.toJSON() })
  await post('/api/auth/logout', {})
}
