import { describe, expect } from 'vitest'
import { cellOf } from '#test/web/support/cell.ts'
import { flow } from '#test/web/support/flow.ts'
import { focused } from '#test/web/support/type-into.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('dates by keys', () => {
  flow('stores what was understood, and asks where it may be several', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    const values = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=created_at`)
    const { keyboard } = page
    const due = await cellOf(page, 'Water the plants 1', 'due')
    const editor = page.getByRole('combobox', { name: 'due of Water the plants 1' })
    // No editor is open: the first key is the first character.
    for (const [text, stored, said] of [
      ['12/03/2027', '2027-03-12', '12 March 2027'],
      ['2027-04-13', '2027-04-13', '13 April 2027'],
      ['12.5.2027', '2027-05-12', '12 May 2027'],
      ['14 June 2027', '2027-06-14', '14 June'],
    ] as const) {
      await due.click()
      await keyboard.type(text)
      await expect.poll(() => page.getByRole('status').filter({ hasText: said }).count()).toBe(1)
      expect(await editor.inputValue()).toBe(text)
      await keyboard.press('Enter')
      await expect.poll(async () => (await values()).due).toBe(stored)
    }
    await due.click()
    await keyboard.type('29/2/2027')
    await keyboard.press('Enter')
    await page.getByRole('alert').getByText('There is no such day').waitFor()
    await keyboard.press('Escape')
    await focused(due)
    // Far years, and nothing that the browser would make of them.
    await keyboard.type('12/3/84')
    await keyboard.press('Enter')
    await page.getByRole('alert').getByText('which one?').waitFor()
    await picture(page, 'date-which', { widths: ['wide'] })
    await axe()
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    expect(await editor.inputValue()).toBe('2084-03-12')
    await keyboard.press('Tab')
    await expect.poll(async () => (await values()).due).toBe('2084-03-12')
    // Left without a word being understood: it stays in the cell, with its reason.
    await due.click()
    await keyboard.type('soon')
    await page.getByRole('searchbox').click()
    await page.getByTitle(/Not a date/).waitFor()
    expect((await values()).due).toBe('2084-03-12')
  })

  flow('has a calendar by keys, and leaves the time as it is', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 1)
    const at = '2026-03-10T09:30:00.123Z'
    await client.ok('PUT', `/api/items/${ids[0]}/tags/${task}`, {
      field_values: { starts_at: at, due: '2027-01-31' },
      merge: true,
    })
    const values = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=created_at`)
    const { keyboard } = page
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    await (await cellOf(page, 'Water the plants 1', 'due')).click()
    await press('F2')
    await focused(page.getByRole('combobox', { name: 'due of Water the plants 1' }))
    await press('ArrowDown')
    await page.getByRole('grid', { name: /Days of/ }).waitFor()
    await picture(page, 'calendar', { widths: ['wide'] })
    await axe()
    await press('PageDown', 'ArrowRight', 'ArrowDown', 'Home', 'Enter', 'Enter')
    // The last of February, the day after it, a week on, the Monday of that.
    await expect.poll(async () => (await values()).due).toBe('2027-03-08')
    const starts = await cellOf(page, 'Water the plants 1', 'starts_at')
    await starts.click()
    const language = await page.evaluate(() => navigator.language)
    expect(language).toBe('en-GB')
    await press('F2')
    const editor = page.getByRole('combobox', { name: 'starts_at of Water the plants 1' })
    await focused(editor)
    expect(await editor.inputValue()).toBe('2026-03-10 10:30:00.123')
    await press('Enter')
    await editor.waitFor({ state: 'detached' })
    expect((await values()).starts_at).toBe(at)
    await starts.click()
    await press('F2')
    await focused(editor)
    await press('ArrowDown', 'Shift+PageDown', 'Enter', 'Enter')
    await expect.poll(async () => (await values()).starts_at).toBe('2027-03-10T09:30:00.123Z')
    // In the filter it is the same.
    await press('Control+Shift+f')
    const find = page.getByRole('combobox', { name: 'Field' })
    await focused(find)
    await keyboard.type('due')
    await press('Enter')
    const date = page.getByRole('combobox', { name: 'Date' })
    await focused(date)
    // Half of it is another date (20 January), all of it two: neither is asked for.
    await keyboard.type('20.11.')
    await page.getByRole('option', { name: /20 November 2026/ }).waitFor()
    await press('Enter')
    await focused(date)
    expect(page.url()).not.toContain('due')
    await press('ArrowDown', 'Enter')
    await page.waitForURL(/2026-11-20/)
    await date.fill('8.3.2027')
    await page.waitForURL(/2027-03-08/)
    await press('Enter')
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    // Several of them too: each line is understood or said to be none.
    await page.goto(`/tags/${task}?f=${encodeURIComponent('{"Task.due":{"in":["2020-01-01"]}}')}`)
    await page.getByRole('button', { name: /^due is/ }).click()
    const several = page.getByRole('textbox', { name: 'Dates, one a line' })
    await several.fill('8.3.2027\nsoon')
    await page.getByRole('status').filter({ hasText: 'soon: Not a date' }).waitFor()
    await several.fill('8.3.2027\n9 March 2027')
    await page.waitForURL(/2027-03-08.*2027-03-09/)
  })
})

describe('numbers by keys', () => {
  flow(
    'are read by the reader’s own signs, said beneath, and asked where they may be two',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 2)
      const effort = async (at = 0) =>
        (await client.ok('GET', `/api/items/${ids[at]}`)).data[task].field_values.effort
      await page.goto(`/tags/${task}?s=created_at`)
      const { keyboard } = page
      const first = await cellOf(page, 'Water the plants 1', 'effort')
      const says = (words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor()
      await first.click()
      await keyboard.type('1,234')
      await says('1,234, between 1 and 2')
      await keyboard.press('Enter')
      await expect.poll(() => effort()).toBe(1.234)
      // Opened again it is what is stored, by the same signs.
      await first.click()
      await keyboard.press('Enter')
      const editor = page.getByLabel('effort of Water the plants 1')
      expect(await editor.inputValue()).toBe('1,234')
      await editor.fill('1.234')
      await keyboard.press('Enter')
      await page
        .getByRole('alert')
        .getByText(/which one/)
        .waitFor()
      await picture(page, 'number-which', { widths: ['wide'] })
      await axe()
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      expect(await editor.inputValue()).toBe('1234')
      await keyboard.press('Enter')
      await expect.poll(() => effort()).toBe(1234)
      // Left without a choice it stays in the cell, with its reason.
      await first.click()
      await keyboard.type('5.678')
      await page.getByRole('searchbox').click()
      await page.getByTitle(/may be two numbers/).waitFor()
      expect(await effort()).toBe(1234)
      // A filter waits for the answer, and so does a change of many.
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('combobox', { name: 'Field' }).fill('effort')
      await keyboard.press('Enter')
      const value = page.getByLabel('Value', { exact: true })
      await value.fill('1.234')
      await page.getByRole('option', { name: '1234', exact: true }).waitFor()
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).searchParams.get('f')).toContain('1234')
    },
    { context: { locale: 'fr-FR' } },
  )
})
