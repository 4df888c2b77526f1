// Five tasks as somebody new would do them, by keyboard alone and by mouse alone, in a real Chromium, with the time that
// each takes: `npm run tasks`, with a part of a name only some. Typing is as fast as a person's, looking is not counted.
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { Client } from '#test/support/client.ts'
import { launchChromium } from '#test/support/chromium.ts'
import { startService } from '#test/support/service.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { messySheet } from '#test/web/support/messy-sheet.ts'

/** Milliseconds between two keys of somebody who types well. */
const KEY = 60

const wanted = new RegExp(process.argv[2] ?? '')
const browser = await launchChromium()
const sheet = join(tmpdir(), 'Visit.csv')
writeFileSync(sheet, messySheet())

/** Somebody who uses nothing but the keyboard, or nothing but the mouse, except to type names. */
interface Person {
  page: Page
  client: Client
  url: string
  /** Reaches a thing by Tab and the like and presses it, or clicks it. */
  press: (thing: Locator) => Promise<void>
  type: (text: string) => Promise<void>
  key: (keys: string) => Promise<void>
}
type Way = 'keyboard' | 'mouse'
type Task = (person: Person, way: Way) => Promise<void>

const here = (thing: Locator) =>
  thing.evaluate((element) => element === document.activeElement || element.contains(document.activeElement))

/** Tab until it is there: as many keys as the page asks for. */
async function tabTo(page: Page, thing: Locator): Promise<void> {
  await thing.first().waitFor()
  for (let i = 0; i < 80; i++) {
    if (await here(thing.first())) return
    // In a table Tab goes from cell to cell; F6 leads out of it.
    const isInGrid = await page.evaluate(() => !!document.activeElement?.closest('[role=grid]'))
    await page.keyboard.press(isInGrid ? 'F6' : 'Tab')
  }
  throw new Error(`Tab does not lead to ${String(thing)}`)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

const firstTag: Task = async ({ page, press, type, key }, way) => {
  const names = ['Mend the roof', 'Order seeds', 'Call the plumber', 'Paint the fence', 'Sort the archive']
  await page.goto('/')
  await press(page.getByRole('link', { name: /^Task/ }))
  await press(button(page, 'Make this tag'))
  await page.getByText('Nothing in Task yet').waitFor()
  if (way === 'keyboard') await key('c')
  else await press(button(page, 'New item'))
  for (const name of [...names, ...names.map((each) => `${each} again`)]) {
    await page.getByLabel('Name of the new item').waitFor()
    await type(name)
    await key('Enter') // one types a name with one's hands on the keyboard
    await page.getByRole('row', { name }).first().waitFor()
  }
  if (way === 'keyboard') await key('Escape')
  await press(page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Board' }))
  await page.locator('[data-layout=board] [data-item]').nth(9).waitFor()
}

const messyDates: Task = async ({ page, press }, way) => {
  await page.goto('/')
  const link = page.getByRole('link', { name: /spreadsheet|Import|table/i }).first()
  await link.waitFor() // one sees the page before one asks it for something
  if (way === 'keyboard') {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('import', { delay: KEY })
    await page.getByRole('option', { name: /Import a file/ }).waitFor()
    await page.keyboard.press('Enter')
  } else {
    await link.click()
  }
  await page.getByRole('heading', { name: '1. The file' }).waitFor() // Home has a field for files too
  // The system's own dialog is not the application's: the file is given as it gives it.
  await page.locator('input[type=file]').setInputFiles(sheet)
  await page.getByText('20,000 rows').waitFor()
  await press(button(page, 'See what it would do'))
  await page.getByText('14 rows have faults and stay out:').waitFor()
  await press(button(page, /^Import 19,986 items/))
  await page.getByText('Imported 19,986 items.').waitFor({ timeout: 120_000 })
}

const sharedView: Task = async ({ page, client, press, type, key }, way) => {
  const { task } = await makeTasks(client, 60)
  await page.goto(`/tags/${task}?s=created_at`)
  await page.getByRole('row', { name: /Water the plants 1 / }).waitFor()
  if (way === 'keyboard') await key('Control+Shift+f')
  else await press(button(page, 'Filter'))
  await page.getByRole('combobox', { name: 'Field', exact: true }).waitFor()
  if (way === 'keyboard') {
    await type('assignee')
    await page.getByRole('option', { name: /assignee → …/ }).waitFor()
    await reach(page, /assignee → …/)
    await key('Enter')
    await page.getByRole('option', { name: /^Name/ }).waitFor()
    await reach(page, /^Name/)
    await key('Enter')
  } else {
    await page.getByRole('option', { name: /assignee → …/ }).click()
    await page.getByRole('option', { name: /^Name/ }).click()
  }
  const value = page.getByRole('textbox', { name: 'Value' })
  await value.waitFor()
  if (way === 'mouse') await value.click()
  await type('Grace')
  if (way === 'keyboard') await key('Escape')
  else await page.getByRole('heading', { level: 1 }).click()
  await page.locator('header').getByText('20', { exact: true }).waitFor()
  await press(button(page, 'Save view'))
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await type('For Grace')
  if (way === 'keyboard') await key('Enter')
  else await press(page.getByRole('dialog').getByRole('button', { name: 'Save' }))
  await page.waitForURL(/\/views\/\w+$/)
  await press(button(page, /^View$/))
  const share = page.getByRole('menuitem', { name: 'Share with everybody' })
  await share.waitFor()
  if (way === 'keyboard') {
    await key('s')
    await key('h')
    await key('Enter')
  } else await share.click()
  await page.getByText('Everybody sees For Grace now').first().waitFor()
}

/** Arrows to what a list offers. */
async function reach(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 30; i++) {
    const at = page.locator('[role=option][aria-selected=true], [role=option][data-active-item]').first()
    if (name.test((await at.textContent().catch(() => '')) ?? '')) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`↓ does not lead to ${String(name)}`)
}

const bulkAndUndo: Task = async ({ page, client, press, key }, way) => {
  const { task } = await makeTasks(client, 240)
  await page.goto(`/tags/${task}?s=created_at`)
  await page.getByRole('row', { name: /Water the plants 1 / }).waitFor()
  if (way === 'keyboard') {
    await page.locator('[data-cell="0:0"]').waitFor()
    await key('ArrowDown')
    await key('Control+a')
  } else await page.getByRole('checkbox', { name: /all/i }).first().click()
  await page.getByText('240 selected').first().waitFor()
  if (way === 'keyboard') {
    await key('Control+k')
    await page.keyboard.type('set field', { delay: KEY })
    await page.getByRole('option', { name: /Set field of the selected items/ }).waitFor()
    await key('Enter')
  } else await press(button(page, 'Set field'))
  const dialog = page.getByRole('dialog')
  await listbox({ page, press, key }, way, dialog.getByLabel('Field', { exact: true }), 'status')
  await listbox({ page, press, key }, way, dialog.getByLabel('New value of status'), 'done')
  await press(button(page, /^Change \d+ items/))
  await page
    .getByText(/Set Task.status of \d+ items/)
    .first()
    .waitFor()
  if (way === 'keyboard') await key('Control+z')
  else await press(button(page, /^Undo$/))
  await page
    .getByText(/Undone: Set Task.status/)
    .first()
    .waitFor()
}

async function listbox(
  { page, press, key }: Pick<Person, 'page' | 'press' | 'key'>,
  way: Way,
  box: Locator,
  words: string,
): Promise<void> {
  if (way === 'mouse') {
    await press(box)
    return page
      .locator('[role=listbox]:popover-open')
      .getByRole('option', { name: words, exact: true })
      .click()
  }
  await tabTo(page, box)
  await key('Enter')
  await page.keyboard.type(words, { delay: KEY })
  await key('Enter')
}

const acceptProposal: Task = async ({ page, client, url, press, key }, way) => {
  const { ids } = await makeTasks(client, 6)
  const { key: token } = await client.ok('POST', '/api/keys', { name: 'Night shift', scope: 'propose' })
  await fetch(`${url}/api/items/${ids[0]}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Water the roses' }),
  })
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await press(page.getByRole('link', { name: /^Proposals/ }))
  const line = page.getByRole('list', { name: 'Proposals' }).getByRole('link').first()
  await press(line)
  await button(page, /^Accept/).waitFor()
  if (way === 'keyboard') await key('a')
  else await press(button(page, /^Accept/))
  await page.getByRole('link', { name: 'The change that it made' }).waitFor()
}

const TASKS: readonly (readonly [string, Task])[] = [
  ['a first tag, ten items, a board', firstTag],
  ['20,000 rows with messy dates', messyDates],
  ['a filter through a reference as a shared view', sharedView],
  ['a bulk change and its undo', bulkAndUndo],
  ['a proposal accepted', acceptProposal],
]

async function time(task: Task, way: Way): Promise<number> {
  const service = await startService()
  const site = service.url.replace('127.0.0.1', 'localhost')
  const client = await service.user('new@example.org')
  const context = await browser.newContext({
    baseURL: site,
    viewport: { width: 1360, height: 860 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  try {
    const [[name, value] = ['', '']] = client.cookies
    const url = site.replace('http:', 'https:')
    await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Lax' }])
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const person: Person = {
      page,
      client,
      url: service.url,
      press: async (thing) => {
        if (way === 'mouse') return thing.first().click()
        await tabTo(page, thing)
        await page.keyboard.press('Enter')
      },
      type: (text) => page.keyboard.type(text, { delay: KEY }),
      key: (keys) => page.keyboard.press(keys),
    }
    const from = performance.now()
    await task(person, way)
    return performance.now() - from
  } finally {
    await context.close()
    await service.close()
  }
}

let failed = false
for (const [name, task] of TASKS) {
  if (!wanted.test(name)) continue
  for (const way of ['keyboard', 'mouse'] as const) {
    const took = await time(task, way).catch((error: Error) => error.message.split('\n', 4).join(' '))
    failed ||= typeof took === 'string'
    const said = typeof took === 'number' ? `${(took / 1000).toFixed(1).padStart(6)} s` : took
    process.stdout.write(`${name.padEnd(48)} ${way.padEnd(9)} ${said}\n`)
  }
}
await browser.close()
process.exitCode = failed ? 1 : 0
