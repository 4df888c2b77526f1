import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { focused } from '#test/web/support/type-into.ts'

describe('lists and faults of our own', () => {
  flow('are gone through by keys alone', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    await page.goto('/history')
    const { keyboard } = page
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    const who = page.getByRole('combobox', { name: 'Who' })
    const how = page.getByRole('combobox', { name: 'How' })
    const list = page.getByRole('listbox')
    const here = async () => {
      const id = await page.evaluate(() => document.activeElement!.getAttribute('aria-activedescendant'))
      return page.locator(`[id="${id}"]`).innerText()
    }
    await who.focus()
    await press('Tab')
    await focused(how)
    // Opened at what is chosen; the focus stays where it is.
    await press('ArrowDown')
    await list.waitFor()
    expect(await here()).toBe('In every way')
    await picture(page, 'listbox', { widths: ['wide', 'phone'] })
    await axe()
    await press('ArrowDown', 'End', 'Home', 'ArrowUp', 'PageDown')
    expect(await here()).toBe('By the assistant')
    await press('Escape')
    await list.waitFor({ state: 'detached' })
    expect(await how.innerText()).toBe('In every way')
    await focused(how)
    // A few letters go to what begins so, closed or open.
    await keyboard.type('by ag')
    expect(await here()).toBe('By agents')
    await press('Enter')
    await page.waitForURL(/source=mcp/)
    expect(await how.innerText()).toBe('By agents')
    // Tab takes what is gone to, and goes on.
    await press(' ', 'Home', 'Tab')
    await page.waitForURL((url) => !url.search.includes('source'))
    await focused(page.getByRole('combobox', { name: 'Tag' }))
    await keyboard.type('task')
    await press('Alt+ArrowUp')
    await page.waitForURL(new RegExp(`tag=${task}`))
    // Escape closes the list alone, not what it stands in.
    await page.goto(`/tags/${task}`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const find = page.getByRole('combobox', { name: 'Field' })
    await focused(find)
    await keyboard.type('status')
    await press('Enter')
    const value = page.getByRole('combobox', { name: 'Value' })
    await focused(value)
    await press('Enter', 'Escape')
    await focused(value)
    await keyboard.type('doi')
    await press('Enter')
    expect(await value.innerText()).toBe('doing')
    await page.waitForURL(/doing/)
    await press('Escape')
  })

  flow('say beneath what is wrong, in words of our own', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/settings/agents')
    const name = page.getByRole('textbox', { name: 'What it is for' })
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('alert').filter({ hasText: 'What it is for is wanted' }).waitFor()
    await focused(name)
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.type('Report')
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'For' }).click()
    await page.getByRole('option', { name: 'ever' }).click()
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('It is shown only here').waitFor()
  })
})
