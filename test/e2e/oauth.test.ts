import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Both, emailOf, PASSWORD, person, PROVIDERS, startBoth } from '#test/support/both-providers.ts'
import { Browser as OtherBrowser } from '#test/support/browser.ts'
import { launchChromium } from '#test/support/chromium.ts'

/** A page that makes its visitor's browser send somebody else's callback. */
const trapPage = (action: string, method: string, fields: URLSearchParams) => {
  const inputs = [...fields].map(([name, value]) => `<input name="${name}" value="${value}">`)
  return `<body onload="document.forms[0].submit()"><form method="${method}" action="${action}">${inputs.join('')}</form>`
}

/** The providers are at 127.0.0.1 and the service at localhost: two sites to a browser. */
describe('signing in with a provider of another site in Chromium', () => {
  let both: Both
  let browser: Browser
  beforeAll(async () => {
    both = await startBoth()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await both?.close()
  })

  const me = (page: Page) =>
    page.evaluate(async () => {
      const response = await fetch('/api/auth/me')
      return { status: response.status, body: await response.json() }
    })
  const open = async () => {
    const context = await browser.newContext()
    return { context, page: await context.newPage() }
  }

  for (const name of PROVIDERS) {
    it(`${name}: comes back signed in`, async () => {
      const who = person()
      both.idps[name].state.person = who
      const { context, page } = await open()
      await page.goto(`${both.site}/api/auth/oauth/${name}`)
      await page.waitForURL(`${both.site}/`)
      expect(await me(page)).toMatchObject({
        status: 200,
        body: { email: emailOf(who), oauth_providers: [name] },
      })
      const cookies = await context.cookies(both.site)
      expect(cookies.map((cookie) => cookie.name)).toEqual(['__Host-session'])
      await context.close()
    })

    it(`${name}: links to the account that is signed in, although its cookie stays behind`, async () => {
      const who = person()
      both.idps[name].state.person = who
      const { context, page } = await open()
      await page.goto(both.site)
      const email = `chromium-${name}@example.org`
      const user_id = await page.evaluate(
        async ([email, password]) => {
          const headers = { 'content-type': 'application/json' }
          const body = JSON.stringify({ email, password })
          const response = await fetch('/api/auth/register', { method: 'POST', headers, body })
          return ((await response.json()) as { user_id: string }).user_id
        },
        [email, PASSWORD],
      )
      await page.goto(`${both.site}/api/auth/oauth/${name}`)
      await page.waitForURL(`${both.site}/`)
      expect(await me(page)).toMatchObject({ status: 200, body: { user_id, email, oauth_providers: [name] } })
      await context.close()
    })

    it(`${name}: comes home with the reason when it fails`, async () => {
      both.idps[name].state.person = person({ email: undefined })
      const { context, page } = await open()
      await page.goto(`${both.site}/api/auth/oauth/${name}`)
      await page.waitForURL(`${both.site}/?auth_error=email_missing`)
      expect(await me(page)).toMatchObject({ status: 401 })
      await context.close()
    })

    it(`${name}: does not take a callback that was begun in another browser`, async () => {
      both.idps[name].state.person = person()
      const callback = `${both.site}/api/auth/oauth/${name}/callback`
      const stop = (url: string) => url.startsWith(callback)
      const { url, form } = await new OtherBrowser().visit(`${both.site}/api/auth/oauth/${name}`, { stop })
      const trap = trapPage(
        callback,
        form === undefined ? 'get' : 'post',
        new URLSearchParams(form ?? new URL(url).search),
      )
      both.idps[name].state.intercept = (request, response) =>
        request.url === '/trap' && !!response.writeHead(200, { 'content-type': 'text/html' }).end(trap)
      const victim = await open()
      await victim.page.goto(`${both.idps[name].issuer}/trap`, { waitUntil: 'commit' })
      await victim.page.waitForURL(`${both.site}/?auth_error=invalid_state`)
      expect(await me(victim.page)).toMatchObject({ status: 401 })
      await victim.context.close()
    })
  }
})
