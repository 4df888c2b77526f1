// The moving picture of README.md, from the real thing: `npm run pictures`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import UPNG from 'upng-js'
import { launchChromium } from '#test/support/chromium.ts'
import { Client } from '#test/support/client.ts'
import { readPng } from '#test/support/read-png.ts'
import { startService } from '#test/support/service.ts'

const FILE = join(import.meta.dirname, '../../docs/pictures/tried-proven-taken-back.png')
/** Bytes; more keeps the page that shows it waiting. */
const LARGEST = 600 * 1024
const [WIDTH, HEIGHT] = [960, 640]
const COLOURS = 256
const ADA = { email: 'ada@example.org', password: 'correct horse' }

const frames: ArrayBufferLike[] = []
const delays: number[] = []

/** The page as it is, for so many seconds, with a line of what happens. */
async function show(page: Page, words: string, seconds: number): Promise<void> {
  await page.evaluate(captioned, words)
  await page.waitForTimeout(350)
  const { data } = readPng(await page.screenshot())
  frames.push(data.buffer)
  delays.push(seconds * 1000)
  process.stdout.write(`${words}\n`)
}

function captioned(words: string): void {
  const id = 'moving-picture'
  const line = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'))
  line.id = id
  line.textContent = words
  Object.assign(line.style, {
    position: 'fixed',
    insetInline: '0',
    bottom: '0',
    zIndex: '9999',
    padding: '14px 24px',
    background: '#0b5f5c',
    color: '#fff',
    font: '600 19px Inter Variable, sans-serif',
  })
}

/** What an agent proposes by its key. */
async function propose(site: string, ada: Client): Promise<{ proposal_id: string; task: string }> {
  const tags: { tag_id: string; name: string }[] = await ada.ok('GET', '/api/tags')
  const task = tags.find(({ name }) => name === 'Task')!.tag_id
  const { key } = await ada.ok('POST', '/api/keys', { name: 'Planning agent', scope: 'propose' })
  const filter = { 'Task.status': 'open' }
  const items: { item_id: string }[] = await ada.ok('POST', '/api/items/search', { filter })
  const operations = items.map(({ item_id }) => ({
    operation: 'updateTagValues',
    input: { item_id, tag_id: task, field_values: { status: { variant: 'done' } }, merge: true },
  }))
  const answer = await fetch(`${site}/api/proposals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'These look finished by their notes', operations }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return { ...((await answer.json()) as { proposal_id: string }), task }
}

const service = await startService()
const site = service.url.replace('127.0.0.1', 'localhost')
const ada = service.client()
await ada.ok('POST', '/api/auth/register', { ...ADA, display_name: 'Ada' })
const browser = await launchChromium()
try {
  const page = await browser.newPage({
    baseURL: site,
    viewport: { width: WIDTH, height: HEIGHT },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    colorScheme: 'light',
  })
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(ADA.email)
  await page.getByLabel('Password').fill(ADA.password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Fill it with demo data' }).click()
  await page.getByText('Here are people, projects and tasks').first().waitFor()
  const { proposal_id, task } = await propose(site, ada)
  const table = async () => {
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Put up the antenna/ }).waitFor()
  }
  await table()
  await show(page, 'A base of knowledge: items, typed fields, one filter for everything.', 2.6)
  await page.goto(`/proposals/${proposal_id}`)
  await page
    .getByRole('button', { name: /^Accept/ })
    .first()
    .waitFor()
  await show(page, 'An agent wants to change many items. It proposes: before and after, item by item.', 3.4)
  await page.keyboard.press('a')
  await page.getByRole('link', { name: 'The change that it made' }).waitFor()
  await show(page, 'You accept all of it, or some. It is one change.', 2.4)
  await table()
  await show(page, 'Done: the table has it, and so has the log that proves itself.', 2.6)
  await page.goto('/history')
  await page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first().waitFor()
  await show(page, 'Who changed what, a person or an agent: any change can be taken back.', 2.8)
  await page.getByRole('button', { name: /^Undo/ }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^This sets back/).waitFor()
  await show(page, 'Undo says what it would set back: one value, or a hundred thousand items.', 3)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await table()
  await show(page, 'As it was. On your own machine, from one file, free.', 3)
} finally {
  await browser.close()
  await service.close()
}
const picture = Buffer.from(UPNG.encode(frames, WIDTH, HEIGHT, COLOURS, delays))
if (picture.length > LARGEST) throw new Error(`${picture.length} bytes are more than ${LARGEST}`)
writeFileSync(FILE, picture)
process.stdout.write(`${picture.length} bytes\n`)
