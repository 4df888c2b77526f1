// The pictures of docs/how-to/use-the-web-application.md, from the real thing: `npm run pictures`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchChromium } from '#test/support/chromium.ts'
import { startService } from '#test/support/service.ts'

const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const EMAIL = 'ada@example.org'
const PASSWORD = 'correct horse'

mkdirSync(FOLDER, { recursive: true })
const service = await startService()
const site = service.url.replace('127.0.0.1', 'localhost')
await service
  .client()
  .ok('POST', '/api/auth/register', { email: EMAIL, password: PASSWORD, display_name: 'Ada' })
const browser = await launchChromium()
const page = await browser.newPage({
  baseURL: site,
  viewport: { width: 1280, height: 800 },
  locale: 'en-GB',
  reducedMotion: 'reduce',
})

async function take(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) })
  }
  process.stdout.write(`${name}\n`)
}

const open = async (path: string, ready: (on: Page) => Promise<unknown>) => {
  await page.goto(path)
  await ready(page)
}

try {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const fill = page.getByRole('button', { name: 'Fill it with demo data' })
  await fill.waitFor()
  await take('empty')
  await fill.click()
  const task = page.getByRole('main').getByRole('link', { name: /^Task/ })
  await task.waitFor()
  await page.getByRole('button', { name: 'Close message' }).click()
  await take('home')
  await task.click()
  await page.getByRole('row', { name: /Put up the antenna/ }).waitFor()
  await take('table')
  const path = new URL(page.url()).pathname
  await open(`${path}/schema`, (on) => on.getByLabel('Name of the field due').waitFor())
  await take('tag')
  await open('/history', (on) =>
    on.getByRole('list', { name: 'Changes' }).getByRole('listitem').first().waitFor(),
  )
  await take('history')
  await open('/settings/agents', (on) => on.getByText('claude mcp add').waitFor())
  await take('agents')
  await open(`/import?tag=${path.split('/').at(-1)}`, (on) => on.getByLabel('or paste rows').waitFor())
  await page
    .getByLabel('or paste rows')
    .fill(
      'name,due,status,assignee\nBuy paint,2027-03-01,open,Mary Anning\nPaint the door,2027-03-04,idea,Grace Hopper',
    )
  await page.getByRole('button', { name: 'Look at these rows' }).click()
  await page.getByRole('button', { name: 'See what it would do' }).click()
  await page.getByRole('button', { name: 'Import 2 items' }).waitFor()
  await take('import')
} finally {
  await browser.close()
  await service.close()
}
