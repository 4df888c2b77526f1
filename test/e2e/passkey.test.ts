import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '#test/support/chromium.ts'
import { startService, type Service } from '#test/support/service.ts'
import { totpCode } from '#test/support/totp-codes.ts'

/** Of the page that runs what is given to `evaluate`. */
declare const document: { cookie: string }
declare const PublicKeyCredential: {
  parseCreationOptionsFromJSON(options: object): object
  parseRequestOptionsFromJSON(options: object): object
}
declare const navigator: {
  credentials: Record<'create' | 'get', (options: { publicKey: object }) => Promise<{ toJSON(): object }>>
}

interface JsonAnswer {
  status: number
  body: { publicKey: object; secret: string }
}

const PASSWORD = 'correct horse'

describe('a passkey in Chromium', () => {
  let service: Service
  let browser: Browser
  let site: string
  beforeAll(async () => {
    service = await startService()
    site = service.url.replace('127.0.0.1', 'localhost')
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  /** A page of the service with an authenticator plugged in. */
  async function open({ verifies = true } = {}): Promise<{
    page: Page
    device: CDPSession
    close: () => Promise<void>
  }> {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(site)
    const device = await context.newCDPSession(page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: verifies,
        isUserVerified: verifies,
      },
    })
    return { page, device, close: () => context.close() }
  }

  const post = (page: Page, path: string, body?: unknown) =>
    page.evaluate(
      async ([path, body]) => {
        const response = await fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          ...(body && { body }),
        })
        return { status: response.status, body: await response.json() } as JsonAnswer
      },
      [path, JSON.stringify(body)] as const,
    )

  /** What a web application does to register a passkey. */
  const registerPasskey = (page: Page) =>
    page.evaluate(async () => {
      const send = async (path: string, body?: unknown) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(`/api/auth/passkey/register/${path}`, {
          method: 'POST',
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        return { status: response.status, body: await response.json() } as JsonAnswer
      }
      const { body } = await send('begin')
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body.publicKey)
      const credential = await navigator.credentials.create({ publicKey })
      return send('complete', { name: 'This laptop', credential: credential.toJSON() })
    })

  /** What a web application does to sign in with one. */
  const signIn = (page: Page, email: string) =>
    page.evaluate(async (email) => {
      const send = async (path: string, body: unknown) => {
        const headers = { 'content-type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        const response = await fetch(`/api/auth/passkey/auth/${path}`, init)
        return { status: response.status, body: await response.json() } as JsonAnswer
      }
      const { body } = await send('begin', { email })
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body.publicKey)
      const credential = await navigator.credentials.get({ publicKey })
      return send('complete', credential.toJSON())
    }, email)

  const me = (page: Page) => page.evaluate(async () => (await fetch('/api/auth/me')).status)

  it('is registered and signs in, also where TOTP is active', async () => {
    const { page, close } = await open()
    const email = 'passkey@example.org'
    expect(await post(page, '/api/auth/register', { email, password: PASSWORD })).toMatchObject({
      status: 200,
    })
    expect(await registerPasskey(page)).toMatchObject({ status: 200 })
    const { body } = await post(page, '/api/auth/2fa/totp/setup')
    const code = totpCode(body.secret, Date.now())
    expect(await post(page, '/api/auth/2fa/totp/confirm', { code })).toMatchObject({ status: 200 })
    expect(await post(page, '/api/auth/logout')).toMatchObject({ status: 200 })
    expect(await me(page)).toBe(401)
    expect(await signIn(page, email)).toMatchObject({
      status: 200,
      body: { email, has_passkey: true, has_totp: true },
    })
    expect(await me(page)).toBe(200)
    await close()
  })

  it('that does not verify its user signs in only where TOTP is not active', async () => {
    const { page, close } = await open({ verifies: false })
    const email = 'key@example.org'
    await post(page, '/api/auth/register', { email, password: PASSWORD })
    expect(await registerPasskey(page)).toMatchObject({ status: 200 })
    expect(await signIn(page, email)).toMatchObject({ status: 200 })
    const { body } = await post(page, '/api/auth/2fa/totp/setup')
    await post(page, '/api/auth/2fa/totp/confirm', { code: totpCode(body.secret, Date.now()) })
    expect(await signIn(page, email)).toMatchObject({ status: 401 })
    await close()
  })

  it('is kept by the browser with the session cookie out of reach of scripts', async () => {
    const { page, close } = await open()
    await post(page, '/api/auth/register', { email: 'cookie@example.org', password: PASSWORD })
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({
      name: '__Host-session',
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
      domain: 'localhost',
    })
    const days = (cookie!.expires - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThan(7.01)
    await close()
  })
})
