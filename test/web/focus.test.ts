import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { focused } from '#test/web/support/type-into.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

/** What hears the keys now. */
const here = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    return element.dataset['cell'] ?? element.getAttribute('role') ?? element.tagName.toLowerCase()
  })
const cell = (page: Page, row: number, column = 0) => page.locator(`[data-cell="${row}:${column}"]`)

describe('the focus', () => {
  flow('is in the table once it is there, and goes back to it', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 5)
    const { keyboard } = page
    await page.goto(`/tags/${task}?s=created_at`)
    await expect.poll(() => here(page)).toBe('grid')
    await keyboard.press('ArrowDown')
    await focused(cell(page, 0))
    await keyboard.press('ArrowDown')
    await focused(cell(page, 1))
    // Several new items, and back to the cell, which a new one above it has moved.
    await keyboard.press('Control+Alt+n')
    await keyboard.type('Sixth')
    await keyboard.press('Enter')
    await page.getByRole('row', { name: /Sixth/ }).waitFor()
    await keyboard.press('Escape')
    await focused(cell(page, 2))
    // The item beside goes along, and Esc closes it.
    await keyboard.press('Space')
    const beside = page.getByRole('complementary', { name: 'Item' })
    const name = (await cell(page, 2).innerText()).trim()
    await beside.getByRole('heading', { level: 1, name }).waitFor()
    await keyboard.press('ArrowDown')
    const next = (await cell(page, 3).innerText()).trim()
    await beside.getByRole('heading', { level: 1, name: next }).waitFor()
    await keyboard.press('Escape')
    await beside.waitFor({ state: 'detached' })
    await focused(cell(page, 3))
    // By a link it is the same.
    await page.getByRole('link', { name: 'Items', exact: true }).first().click()
    await page.waitForURL('/items')
    await expect.poll(() => here(page)).toBe('grid')
  })

  flow('goes from the field of a condition to its value, whatever its type', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 5)
    const { keyboard } = page
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    for (const [field, tag] of [
      ['status', 'combobox'],
      ['due', 'combobox'],
      ['effort', 'input'],
      ['urgent', 'combobox'],
      ['labels', 'input'],
      ['note', 'input'],
    ] as const) {
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await focused(page.getByRole('combobox', { name: 'Field' }))
      await keyboard.type(`Task ${field}`)
      await keyboard.press('Enter')
      const form = page.getByRole('dialog', { name: 'New condition' })
      await form.getByRole('button', { name: 'Done' }).waitFor()
      await expect.poll(() => here(page)).toBe(tag)
      expect(await form.evaluate((element) => element.contains(document.activeElement))).toBe(true)
      await keyboard.press('Escape')
      await form.waitFor({ state: 'detached' })
    }
  })

  flow('is on the last row where Ctrl End leads, and stays with its cell', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3000)
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByText('3,000', { exact: true }).waitFor()
    await cell(page, 0).click()
    await page.keyboard.press('Control+ArrowDown')
    await focused(cell(page, 2999))
    await cell(page, 2999)
      .getByText(/ 3000$/)
      .waitFor()
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 20_000))
    await cell(page, 560).waitFor()
    await expect.poll(() => here(page)).toBe('2999:0')
    await page.keyboard.press('ArrowUp')
    await focused(cell(page, 2998))
    await expect
      .poll(() => cell(page, 2998).evaluate((each) => each.getBoundingClientRect().top))
      .toBeLessThan(800)
  })

  flow('stays where something goes', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    for (const id of ids) await client.ok('DELETE', `/api/items/${id}`)
    const { keyboard } = page
    await page.goto('/trash')
    const lines = page.getByRole('list', { name: 'Deleted' }).getByRole('listitem')
    await lines
      .nth(1)
      .getByRole('button', { name: /^Restore/ })
      .focus()
    await keyboard.press('Enter')
    await expect.poll(() => lines.count()).toBe(2)
    await expect
      .poll(() => lines.evaluateAll((all) => all.some((each) => each.contains(document.activeElement))))
      .toBe(true)
    await page.goto(`/items/${ids[1]}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => here(page)).toBe('main')
    await keyboard.press('h')
    const history = page.getByRole('button', { name: 'History' })
    await focused(history)
    await page.getByRole('list').getByText('Restored').first().waitFor()
    await expect.poll(() => history.evaluate((each) => each.getBoundingClientRect().top)).toBeLessThan(700)
    const remove = page.getByRole('button', { name: 'Remove Task' })
    await remove.focus()
    await keyboard.press('Enter')
    await remove.waitFor({ state: 'detached' })
    await expect.poll(() => here(page)).not.toBe('body')
    await client.ok('GET', `/api/tags/${task}`)
  })
})
