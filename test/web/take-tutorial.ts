// The pictures of docs/tutorial-application.md, step by step as it is written there: part of `npm run pictures`.
import { join } from 'node:path'
import { launchChromium } from '#test/support/chromium.ts'
import { startService } from '#test/support/service.ts'
import { choose } from '#test/web/support/choose.ts'

const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const NAMES = ['Mend the roof', 'Order seeds', 'Call the plumber', 'Paint the fence', 'Water the plants']

const service = await startService()
const browser = await launchChromium()
const page = await browser.newPage({
  baseURL: service.url.replace('127.0.0.1', 'localhost'),
  viewport: { width: 1280, height: 720 },
  locale: 'en-GB',
  reducedMotion: 'reduce',
})
page.setDefaultTimeout(60_000)
const { keyboard } = page
const button = (name: string | RegExp) => page.getByRole('button', { name }).first()

async function take(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(FOLDER, `tutorial-${name}-${colorScheme}.png`) })
  }
  process.stdout.write(`tutorial-${name}\n`)
}

async function cell(name: string, field: string) {
  const at = await page.getByRole('columnheader', { name: field }).first().getAttribute('aria-colindex')
  return page.getByRole('row').filter({ hasText: name }).locator(`[aria-colindex="${at}"]`)
}

try {
  await page.goto('/register')
  await page.getByLabel('E-mail').fill('ada@example.org')
  await page.getByLabel('Password').first().fill('correct horse')
  await keyboard.press('Enter')
  await page.getByRole('link', { name: /^Task/ }).click()
  await button('Make this tag').waitFor()
  await take('tag')
  await button('Make this tag').click()
  await page.getByText('Nothing in Task yet').waitFor()
  await button('Close message').click()
  await keyboard.press('c')
  for (const name of NAMES) {
    await page.getByLabel('Name of the new item').fill(name)
    await keyboard.press('Enter')
    await page.getByRole('row', { name }).waitFor()
  }
  await keyboard.press('Escape')
  await (await cell('Order seeds', 'due')).click()
  await keyboard.type('in 2 weeks')
  await page.getByRole('combobox', { name: 'due of Order seeds' }).waitFor()
  await take('values')
  await keyboard.press('Enter')
  for (const [name, status] of [
    ['Mend the roof', 'done'],
    ['Order seeds', 'doing'],
  ] as const) {
    await (await cell(name, 'status')).click()
    await keyboard.type(status)
    await page.getByRole('option', { name: status }).waitFor()
    await keyboard.press('Enter')
  }
  await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Board' }).click()
  await page.locator('[data-layout=board] [data-item]').nth(4).waitFor()
  await take('board')
  await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Table' }).click()
  await page.locator('[data-cell="0:0"]').click()
  await keyboard.press('Control+a')
  await button('Set field').click()
  await choose(page.getByLabel('Field', { exact: true }), 'status')
  await choose(page.getByLabel('New value of status'), 'done')
  await page.getByRole('columnheader', { name: 'After' }).waitFor()
  await take('bulk')
} finally {
  await browser.close()
  await service.close()
}
