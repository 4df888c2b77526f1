import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect } from 'vitest'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { totpCode } from '#test/support/totp-codes.ts'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { focused, typeInto } from '#test/web/support/type-into.ts'

const PASSWORD = 'correct horse'
/** Milliseconds by which the service’s clock is ahead; a test moves it. */
let ahead = 0
const clock = () => Date.now() + ahead

const folder = mkdtempSync(join(tmpdir(), 'facet-settings-'))
const copies = join(folder, 'copies')

describe('settings', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  flow('of the look follow the account', async ({ page, open, signIn, service }) => {
    const client = await signIn()
    await client.ok('PUT', '/api/preferences', { other_client: { kept: true } })
    await page.goto('/settings/appearance')
    await page.getByLabel('Dark').check()
    await page.getByLabel('Compact').check()
    await expect
      .poll(() => client.ok('GET', '/api/preferences'))
      .toEqual({
        other_client: { kept: true },
        web: { theme: 'dark', density: 'compact' },
      })
    const second = await open()
    const [[name, value] = ['', '']] = client.cookies
    const url = service.url.replace('http://127.0.0.1', 'https://localhost')
    await second.context().addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Lax' }])
    await second.goto('/settings/appearance')
    await expect.poll(() => second.getByLabel('Dark').isChecked()).toBe(true)
    await expect.poll(() => second.locator('html').getAttribute('data-density')).toBe('compact')
    // What another browser has chosen meanwhile stays: what is pinned, too.
    const [one, two] = await Promise.all(
      ['One', 'Two'].map((name) => client.ok('POST', '/api/tags', { name, fields: {} })),
    )
    await page.goto(`/tags/${one.tag_id}`)
    await page.getByRole('button', { name: 'Pin', exact: true }).waitFor()
    await second.goto(`/tags/${two.tag_id}`)
    await second.getByRole('button', { name: 'Pin', exact: true }).click()
    const ours = async () => (await client.ok('GET', '/api/preferences')).web
    await expect.poll(ours).toMatchObject({ pins: two.tag_id })
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    await expect.poll(ours).toMatchObject({ pins: `${one.tag_id} ${two.tag_id}`, theme: 'dark' })
    await page.getByRole('navigation').getByRole('link', { name: 'Two' }).first().waitFor()
    await second.goto('/settings/appearance')
    await second.getByLabel('Light').check()
    await expect
      .poll(ours)
      .toMatchObject({ pins: `${one.tag_id} ${two.tag_id}`, theme: 'light', density: 'compact' })
  })

  flow('change one’s name, address and password', async ({ page, signIn, axe }) => {
    const client = await signIn()
    await page.goto('/settings/account')
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByText('Saved your name').first().waitFor()
    expect((await client.ok('GET', '/api/auth/me')).display_name).toBe('Ada')
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill('another horse')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('alert').first().waitFor()
    await picture(page, 'settings-account')
    await axe()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Changed your password').first().waitFor()
    await page.getByRole('link', { name: 'Appearance' }).click()
    await page.getByLabel('Dark').check()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await page.getByLabel('Do nothing').check()
    await picture(page, 'settings-appearance', { widths: ['wide', 'phone'] })
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    expect(new URL(page.url()).pathname).toBe('/settings/appearance')
  })

  flow('switch on a second factor and a passkey, and end other sessions', async (given) => {
    const { page, service, signIn, axe } = given
    const client = await signIn()
    const { email } = await client.ok('GET', '/api/auth/me')
    await service.client().ok('POST', '/api/auth/login', { email, password: PASSWORD })
    await page.goto('/settings/security')
    await page.getByRole('button', { name: 'Set it up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    await picture(page, 'settings-totp', { widths: ['wide', 'phone'] })
    await axe()
    const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '')
    await dialog.getByLabel('Code that the app shows').fill('000000')
    await dialog.getByRole('button', { name: 'Switch it on' }).click()
    await dialog.getByText('Invalid code. Give the code that your authenticator shows now').waitFor()
    await dialog.getByLabel('Code that the app shows').fill('12 34')
    await dialog.getByRole('button', { name: 'Switch it on' }).click()
    await dialog.getByText('must be 6 digits').waitFor()
    expect(await dialog.getByText('code:').count()).toBe(0)
    const code = totpCode(secret, Date.now())
    await dialog.getByLabel('Code that the app shows').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await dialog.getByRole('button', { name: 'Switch it on' }).click()
    await dialog.getByLabel('Code from your authenticator app').fill(totpCode(secret, Date.now()))
    await dialog.getByRole('button', { name: 'Make ten codes' }).click()
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBe(10)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 recovery codes are left').waitFor()

    await addPasskey(page)
    // Enter goes on, too; the device has one already, which is said in words.
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('What you call it').fill('Again')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'This device already has a passkey' }).waitFor()
    await picture(page, 'passkey-again', { widths: ['wide'] })
    await axe()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByText('Ended all other sessions').first().waitFor()
    expect(await client.ok('GET', '/api/auth/sessions')).toHaveLength(1)
    await page.getByText('Totp enabled').or(page.getByText('Second factor enabled')).first().waitFor()
    await picture(page, 'settings-security')
    await axe()
  })

  flow(
    'take a passkey for the proof, of an account that has nothing else',
    async ({ page, service, signIn, axe }) => {
      await service.user('owner@example.org', PASSWORD)
      await signIn()
      await page.goto('/settings/security')
      await addPasskey(page)
      const proof = page.getByRole('dialog', { name: 'Is it you?' })
      const proves = async (button: string) => {
        await queryDatabase(
          service,
          "update account set password_hash = null where email <> 'owner@example.org'",
        )
        ahead += 11 * 60_000
        await page.goto('/settings/account')
        await page.getByLabel('New e-mail address').fill('new@example.org')
        await page.getByLabel('New password').fill('another horse')
        await page.getByRole('button', { name: button }).click()
        if (button.endsWith('…')) await page.getByRole('button', { name: 'Delete it for good' }).click()
        await proof.getByRole('button', { name: 'Use a passkey' }).waitFor()
        await axe()
        await proof.getByRole('button', { name: 'Use a passkey' }).click()
      }
      await proves('Change address')
      await page.getByText('You sign in as new@example.org.').waitFor()
      await proves('Set a password')
      await page.getByText('Changed your password').first().waitFor()
      await proves('Delete my account…')
      await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
      ahead = 0
    },
    { clock, env: { FRESH_PROOF: 'all' } },
  )

  flow(
    'make a key after a fresh proof, and see the agent come',
    async ({ page, signIn, service, axe }) => {
      await signIn()
      ahead = 11 * 60_000
      await page.goto('/settings/agents')
      await page.getByLabel('What it is for').fill('Night shift')
      await page.getByRole('button', { name: 'Make a key' }).click()
      const proof = page.getByRole('dialog', { name: 'Is it you?' })
      await picture(page, 'settings-confirm', { widths: ['wide'] })
      await axe()
      await proof.getByLabel('Password').fill('wrong')
      await proof.getByRole('button', { name: 'Go on' }).click()
      await proof.getByRole('alert').waitFor()
      await proof.getByLabel('Password').fill(PASSWORD)
      await proof.getByRole('button', { name: 'Go on' }).click()
      await page.getByText('This is the key of Night shift').waitFor()
      const key = (
        await page
          .locator('code')
          .filter({ hasText: /^facet_/ })
          .innerText()
      ).trim()
      await page.getByRole('button', { name: 'Cursor' }).click()
      await expect.poll(() => page.locator('code').first().innerText()).toContain(`Bearer ${key}`)
      await page.getByText('Waiting for its first call').waitFor()
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      await fetch(`${service.url}/api/items`, { method: 'POST', headers, body: '{"name":"By night"}' })
      await page.getByText('Night shift is connected').waitFor()
      await picture(page, 'settings-agents')
      await axe()
      await page.getByRole('button', { name: 'Revoke Night shift' }).click()
      await page.getByText('Night shift lets nobody in any more').first().waitFor()
      expect((await fetch(`${service.url}/api/items`, { headers })).status).toBe(401)
      ahead = 0
    },
    { clock },
  )

  flow('keep what is too long for a field, and say so', async ({ page, signIn, axe }) => {
    await signIn()
    await page.goto('/settings/agents')
    const name = page.getByLabel('What it is for')
    await name.focus()
    await page.keyboard.insertText('n'.repeat(250))
    await page.getByText('At most 200 characters: it has 250').waitFor()
    expect(await name.inputValue()).toHaveLength(250)
    await axe()
    await page.keyboard.press('Enter')
    await focused(name)
    for (let i = 0; i < 50; i++) await page.keyboard.press('Backspace')
    await page.getByText('At most 200').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('This is the key of').waitFor()
  })

  flow('make a key that sees a part: tags, and a filter by chips', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 2)
    await page.goto('/settings/agents')
    await page.getByLabel('What it is for').fill('Open tasks')
    await choose(page.getByLabel('It may'), 'read, and propose changes')
    await choose(page.getByLabel('It sees'), 'a part …')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('alert').filter({ hasText: 'Choose a tag' }).waitFor()
    await choose(page.getByLabel('Items with one of these tags'), 'Task')
    await page.getByRole('button', { name: 'Without Task' }).waitFor()
    const filter = page.getByRole('region', { name: 'Filter' })
    await filter.getByRole('button', { name: 'Filter' }).click()
    await typeInto(page.getByRole('combobox', { name: 'Field', exact: true }), 'urgent')
    await page.keyboard.press('Enter')
    await choose(page.getByLabel('Value'), 'Yes')
    await filter.getByText('urgent').first().waitFor()
    await page.keyboard.press('Escape')
    await picture(page, 'settings-key-limit')
    await axe()
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('This is the key of Open tasks').waitFor()
    await page.getByText('reads and proposes').waitFor()
    await page.getByText(/sees only Task:.*urgent/).waitFor()
    await picture(page, 'settings-keys')
    const [key] = await client.ok('GET', '/api/keys')
    expect(key).toMatchObject({ scope: 'propose', limit: { tag_ids: [task] } })
    expect(JSON.stringify(key.limit.filter)).toContain('urgent')
    await page.getByLabel('It sees').getByText('everything').waitFor()
  })

  flow('makes no key that sees more than the conditions that are shown', async ({ page, signIn, axe }) => {
    const client = await signIn()
    await makeTasks(client, 2)
    await page.goto('/settings/agents')
    await page.getByLabel('What it is for').fill('New tasks')
    await choose(page.getByLabel('It sees'), 'a part …')
    await choose(page.getByLabel('Items with one of these tags'), 'Task')
    await page.getByRole('button', { name: 'Without Task' }).waitFor()
    const filter = page.getByRole('region', { name: 'Filter' })
    await filter.getByRole('button', { name: 'Filter' }).click()
    await typeInto(page.getByRole('combobox', { name: 'Field', exact: true }), 'created')
    await page.keyboard.press('Enter')
    await choose(page.getByRole('combobox', { name: 'When' }).first(), 'A time from now')
    await page.getByLabel('From now, as in').fill('a while')
    await filter.getByText('a while').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: 'do not count yet' })
      .or(page.getByText('This is the key of'))
      .waitFor()
    expect(await client.ok('GET', '/api/keys')).toEqual([])
    await axe()
    await page.getByRole('button', { name: 'Remove condition' }).click()
    await page.getByRole('alert').filter({ hasText: 'do not count yet' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('This is the key of New tasks').waitFor()
  })

  flow(
    'show owners the last copy of the base and the next, make one now, and say what keeps it from being made',
    async ({ page, signIn, open, axe }) => {
      const client = await signIn()
      await client.ok('POST', '/api/items', { name: 'To be kept' })
      await page.goto('/settings/backups')
      const button = page.getByRole('button', { name: 'Back up now' })
      const last = page.getByText(/^Last: /)
      await last.waitFor()
      await page.getByText(/^Next: /).waitFor()
      const before = await last.innerText()
      await button.click()
      await expect.poll(() => last.innerText(), { timeout: 20_000 }).not.toBe(before)
      const { last: made, to } = await client.ok('GET', '/api/backups')
      expect(await last.innerText()).toMatch(new RegExp(`1 item, .*kB, ${made.name}$`))
      expect(readdirSync(to)).toContain(made.name)
      await picture(page, 'settings-backups')
      await axe()

      // Where the folder was is a file now, as where a disk is not mounted.
      renameSync(copies, `${copies}-away`)
      writeFileSync(copies, '')
      await button.click()
      await page.getByRole('alert').or(page.getByText('cannot be made')).first().waitFor()
      expect(await last.innerText()).toContain(made.name)
      await picture(page, 'settings-backups-failed')
      await axe()
      rmSync(copies)
      renameSync(`${copies}-away`, copies)
      await button.click()
      await page.getByText('cannot be made').waitFor({ state: 'detached' })

      const theirs = await open()
      await signIn(theirs)
      await theirs.goto('/settings/backups')
      await theirs.getByText('Only owners see backups.').waitFor()
    },
    { env: { BACKUP_TO: copies, BACKUP_AT: '0 3 * * *' } },
  )

  flow('invite people, change their role and put them out', async ({ page, signIn, open, service, axe }) => {
    await signIn()
    const other = await service.user('grace@example.org')
    await page.goto('/settings/members')
    await page.getByLabel('E-mail (may be left empty)').fill('mary@example.org')
    await choose(page.getByLabel('Role of the invited'), 'Reader: reads')
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.locator('code').innerText()
    await choose(page.getByLabel('Role of grace@example.org'), 'Reader: reads')
    await expect.poll(async () => (await other.ok('GET', '/api/auth/me')).role).toBe('reader')
    await page.getByRole('button', { name: 'Disable grace@example.org' }).click()
    await page.getByText('· disabled').waitFor()
    expect((await other.get('/api/auth/me')).status).toBe(401)
    await picture(page, 'settings-members')
    await axe()
    await page.getByRole('link', { name: 'Security log' }).click()
    await page
      .getByText('Account disabled: grace@example.org')
      .or(page.getByText(/^Account disabled/))
      .first()
      .waitFor()
    await picture(page, 'settings-log', { widths: ['wide', 'phone'] })
    const invited = await open()
    await invited.goto(new URL(link).pathname + new URL(link).search)
    await invited.getByText('You have been invited.').waitFor()
  })
})

/** On the page of the settings, with a device that holds it. */
async function addPasskey(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('What you call it').fill('Laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
}
