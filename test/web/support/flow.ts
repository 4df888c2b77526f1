import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { checkAxe } from '#test/web/support/axe.ts'
import { watchFocus } from '#test/web/support/kept-focus.ts'
import { picture } from '#test/web/support/pictures.ts'
import { startService, type Service, type ServiceOptions } from '#test/support/service.ts'

/** Milliseconds until a step of a flow has failed. */
const PATIENCE = 20_000

export interface Flow {
  page: Page
  service: Service
  /** Where a browser finds the service: at `localhost`, where passkeys and Secure cookies work. */
  site: string
  /** Fails where axe finds anything on the page as it is now; it is asked once more at the end. */
  axe: () => Promise<void>
  /** Another browser's page: a second person, or a phone. It is watched as well. */
  open: (options?: BrowserContextOptions) => Promise<Page>
  /** A new account that is signed in on the page, with a client for what the flow needs beforehand. */
  signIn: (page?: Page) => Promise<Client>
}

interface FlowOptions extends ServiceOptions {
  context?: BrowserContextOptions
  /** Answers that the flow provokes: `Failed to load resource` with them is no fault. */
  expected?: readonly (number | string)[]
  /** Faults that the flow provokes, and whose want of effect it shows itself. */
  provoked?: RegExp
}

/** Where the pages' readers are: for an hour or two of each day, tomorrow for those in UTC. */
const TIME_ZONE = 'Europe/Berlin'

/** The day that it is for the pages' readers, or that many days later, as YYYY-MM-DD. */
export const day = (later = 0): string =>
  new Date(Date.now() + later * 86_400_000).toLocaleDateString('sv-SE', { timeZone: TIME_ZONE })

/** Statuses that are answers, not faults: wrong input, no session, too often. */
const EXPECTED: readonly (number | string)[] = [400, 401, 403, 404, 409, 412, 429]

/**
 * A flow through the application, against a real service in a real Chromium. Besides what it says itself, it fails on
 * an error in the console, a violation of the policy, a request to another host, an action after which nothing has the
 * focus, and anything that axe finds.
 */
export function flow(name: string, run: (flow: Flow) => Promise<void>, options: FlowOptions = {}): void {
  test(name, { timeout: 240_000 }, async () => {
    const { context, expected = EXPECTED, provoked, ...rest } = options
    const service = await startService(rest)
    const browser = await chromium.connect(inject('chromium'))
    const site = service.url.replace('127.0.0.1', 'localhost')
    const faults: string[] = []
    const open = (more?: BrowserContextOptions) =>
      watchedPage(browser, { baseURL: site, ...context, ...more }, { site, faults, expected })
    try {
      const page = await open()
      const signIn = (on = page) => signInOn(on, service)
      await run({ page, service, site, axe: () => checkAxe(page), open, signIn })
      if (!page.isClosed()) await checkAxe(page)
      expect(faults.filter((fault) => !provoked?.test(fault))).toEqual([])
    } catch (error) {
      throw await withTraces(error as Error, faults, browser)
    } finally {
      await browser.close()
      await service.close()
    }
  })
}

/** What else was wrong, and with PICTURES what every page showed. */
async function withTraces(error: Error, faults: readonly string[], browser: Browser): Promise<Error> {
  for (const [i, page] of browser
    .contexts()
    .flatMap((context) => context.pages())
    .entries())
    await picture(page, `failed-${i}`, { widths: ['wide'] }).catch(() => undefined)
  if (faults.length) error.message += `\n${faults.join('\n')}`
  return error
}

interface Watch {
  site: string
  faults: string[]
  expected: readonly (number | string)[]
}

async function watchedPage(
  browser: Browser,
  options: BrowserContextOptions,
  { site, faults, expected }: Watch,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: TIME_ZONE,
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE)
  context.setDefaultNavigationTimeout(3 * PATIENCE)
  await context.exposeFunction('tellViolation', (told: string) => faults.push(`policy: ${told}`))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { tellViolation } = globalThis as unknown as { tellViolation: (told: string) => void }
      tellViolation(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  const page = await context.newPage()
  watchFocus(page, faults)
  const { host } = new URL(site)
  page.on('pageerror', ({ message }) => faults.push(`uncaught: ${message}`))
  page.on('console', (message) => {
    const text = message.text()
    const [, status, network] = /^Failed to load resource: (?:.* status of (\d+)|(net::\w+))/.exec(text) ?? []
    const known = expected.includes(network ?? Number(status))
    if (message.type() === 'error' && !known) faults.push(`console: ${text}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:|^wss?:/.test(url.protocol) && url.host !== host) faults.push(`other host: ${url.href}`)
  })
  return page
}

let people = 0

async function signInOn(page: Page, service: Service): Promise<Client> {
  const client = await service.user(`person-${++people}@example.org`)
  const [[name, value] = ['', '']] = client.cookies
  const url = service.url.replace('http://127.0.0.1', 'https://localhost') // a Secure cookie's; the port and http do not count
  await page.context().addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Lax' }])
  return client
}
