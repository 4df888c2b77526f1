import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('on paper', () => {
  flow('a table is all its rows, and nothing to press', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 300)
    // The browser's own dialog cannot be answered: what it would print is looked at.
    await page.addInitScript(() => {
      window.print = () => {
        dispatchEvent(new Event('beforeprint'))
        document.documentElement.dataset['asked'] = 'yes'
      }
    })
    // Before the rows have been counted: who prints does not wait for that.
    const printed = Promise.withResolvers<void>()
    await page.route('**/api/items/search', async (route) => {
      if ((route.request().postDataJSON() as { count?: boolean }).count) await printed.promise
      await route.continue()
    })
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Water the plants 1 / }).waitFor()
    await page.keyboard.press('Control+p')
    await page.locator('html[data-asked]').waitFor()
    printed.resolve()
    await page.emulateMedia({ media: 'print' })
    const rows = page.locator('[data-printed] tbody tr')
    await expect.poll(() => rows.count()).toBe(300)
    const [first] = await rows.allInnerTexts()
    expect(first).toMatch(/Water the plants 1.*10 Jan 2026.*0\.25.*Ada/s)
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
    expect(pages!.length).toBeGreaterThan(5)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await page.emulateMedia({ media: 'screen' })
    expect(await rows.count()).toBe(0)
  })

  flow('an item is whole, however long it is', async ({ page, signIn }) => {
    const client = await signIn()
    const { ids } = await makeTasks(client, 1)
    const description = Array.from({ length: 200 }, (_, i) => `<p>Line ${i} of what is to be done.</p>`).join(
      '',
    )
    await client.ok('PUT', `/api/items/${ids[0]}`, { description })
    await page.goto(`/items/${ids[0]}`)
    await page.getByText('Line 199 of').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: 'Delete' }).isVisible()).toBe(false)
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0)
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
    expect(pages!.length).toBeGreaterThan(3)
    await page.emulateMedia({ media: 'screen' })
  })
})
