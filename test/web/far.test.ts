import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

const COUNT = 3000

describe('a long table', () => {
  flow('is read where one looks, to its very end', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, COUNT)
    const asked: { skip?: number; limit: number }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/items/search')) asked.push(request.postDataJSON())
    })
    await page.goto(`/tags/${task}?s=created_at`)
    const cell = (row: number, column = 0) => page.locator(`[data-cell="${row}:${column}"]`)
    const name = (row: number) => cell(row).getByText(new RegExp(` ${row + 1}$`))
    await page.getByText(COUNT.toLocaleString('en-GB'), { exact: true }).waitFor()
    await name(0).click()
    await page.keyboard.press('Control+End')
    await name(COUNT - 1).waitFor()
    const grid = page.getByRole('grid')
    await expect.poll(() => grid.getAttribute('aria-busy')).toBe('false')
    // Neither what lies between nor more than is in sight and around it.
    expect(asked.filter(({ limit }) => limit > 1).length).toBeLessThanOrEqual(3)
    expect(asked.at(-1)!.skip).toBeGreaterThan(COUNT - 500)

    // The scroll bar to the middle, and from there by hand in both directions.
    await grid.evaluate((element) => (element.scrollTop = element.scrollHeight / 2))
    await name(COUNT / 2).waitFor()
    for (const way of [-1, 1, 1]) {
      await grid.evaluate((element, way) => (element.scrollTop += way * 150 * 36), way)
      await expect.poll(() => grid.getAttribute('aria-busy')).toBe('false')
    }
    const told = await page
      .locator('[data-row]')
      .evaluateAll((rows) =>
        rows.map((row) => [
          Number((row as HTMLElement).dataset['row']),
          row.querySelector('[data-cell$=":0"]')!.textContent,
        ]),
      )
    expect(told.length).toBeGreaterThan(10)
    for (const [row, text] of told) expect(text).toMatch(new RegExp(` ${Number(row) + 1}$`))

    // What is there can be edited, wherever it is, and keeps its place.
    await grid.evaluate((element) => (element.scrollTop = element.scrollHeight))
    await name(COUNT - 1).click()
    await page.keyboard.type('The last one')
    await page.keyboard.press('Enter')
    await cell(COUNT - 1)
      .getByText('The last one')
      .waitFor()
    await page.keyboard.press('Control+Home')
    await name(0).waitFor()
  })

  flow('is copied, selected and pasted into as far as the range reaches', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, COUNT)
    // Whom only a row between refers to: nobody has looked at that, nor at the name.
    const { item_id: hedy } = await client.ok('POST', '/api/items', { name: 'Hedy' })
    await client.ok('PUT', `/api/items/${ids[1500]}/tags/${task}`, {
      field_values: { assignee: hedy, watchers: [hedy] },
      merge: true,
    })
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByText(COUNT.toLocaleString('en-GB'), { exact: true }).waitFor()
    await page.locator('[data-cell="0:0"]').click()
    await page.keyboard.press('Control+Shift+End')
    await page
      .locator(`[data-cell="${COUNT - 1}:0"]`)
      .getByText(/\w/)
      .waitFor()
    // A browser copies only while a key is pressed: it says when all is there.
    await page.keyboard.press('Control+c')
    await page
      .getByRole('region', { name: 'Messages' })
      .getByText('All rows of the range are read: copy again')
      .waitFor()
    // It listens before the key is pressed, and is asked afterwards.
    const copied = await page.evaluateHandle(() => {
      const { promise, resolve } = Promise.withResolvers<string>()
      const take = ({ clipboardData }: ClipboardEvent) => resolve(clipboardData!.getData('text/plain'))
      document.addEventListener('copy', take, { once: true })
      return { promise }
    })
    await page.keyboard.press('Control+c')
    const lines = (await copied.evaluate(({ promise }) => promise)).trimEnd().split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([COUNT, expect.stringMatching(/ 3000\t/)])
    expect(lines[1500]).toContain('\tHedy\tHedy\t')
    await page.keyboard.press('Shift+Space')
    await page.getByRole('region', { name: 'Selected items' }).getByText('3,000 selected').waitFor()
  })
})
