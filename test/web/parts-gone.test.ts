import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { typeInto } from '#test/web/support/type-into.ts'

/** What the service answers for parts that it does not have any more. */
const renew = (page: Page) =>
  page.route('**/assets/*.js', (route) => route.fulfill({ status: 404, json: { error: 'NotFound' } }))

describe('a part that does not load', () => {
  flow('leaves the page as it is, and offers to load again', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    const row = page.getByRole('row', { name: /Mend the roof 2/ })
    const message = page.getByRole('region', { name: 'Messages' }).getByText('could not be loaded')
    const presses = ['?', 'Control+k', 'Control+j', 'account'] as const
    for (const press of presses) {
      await page.goto(`/tags/${task}`)
      await row.waitFor()
      await renew(page)
      if (press === 'account') await page.getByRole('button', { name: /^Account of/ }).click()
      else await page.keyboard.press(press)
      // The palette and the menu may have come before.
      if (press === '?' || press === 'Control+j') await message.waitFor()
      else await page.waitForTimeout(300)
      expect(await row.count()).toBe(1)
      await page.unroute('**/assets/*.js')
    }
    await page.goto(`/tags/${task}`)
    await row.waitFor()
    await renew(page)
    await page.keyboard.press('?')
    await message.waitFor()
    await axe()
    await page.unroute('**/assets/*.js')
    const again = page.waitForEvent('load')
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Load again' }).click()
    await again
    await row.waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    // In its place where it is one of the page.
    await renew(page)
    await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Board' }).click()
    await page.getByRole('main').getByText('This part could not be loaded').waitFor()
    expect(await page.getByRole('heading', { level: 1, name: 'Task' }).count()).toBe(1)
    await page.unroute('**/assets/*.js')
  })

  flow('asks for the password all the same, and loses nothing that is typed', async ({ page, signIn }) => {
    const client = await signIn()
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Ladder' })
    const ahead = page.waitForResponse(
      async (response) =>
        /\/assets\/.*\.js$/.test(response.url()) &&
        (await response.text()).includes('Your session has ended'),
    )
    await page.goto(`/items/${item_id}`)
    await ahead
    await page.keyboard.press('e')
    const box = page.getByRole('textbox', { name: 'Description', exact: true })
    await typeInto(box, 'Begun ')
    await renew(page)
    await page.context().clearCookies()
    await page.keyboard.type('and typed')
    await page.getByRole('dialog', { name: 'Your session has ended' }).getByLabel('Password').waitFor()
    expect(await box.textContent()).toContain('and typed')
    await page.unroute('**/assets/*.js')
  })

  flow(
    'saves what was typed before the page is loaded again, once the service is back',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { item_id } = await client.ok('POST', '/api/items', { name: 'Ladder' })
      await page.goto(`/items/${item_id}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('e')
      await typeInto(page.getByRole('textbox', { name: 'Description', exact: true }), 'Begun ')
      await page.context().setOffline(true)
      await page.keyboard.type('and typed')
      await page.keyboard.press('Control+j')
      const messages = page.getByRole('region', { name: 'Messages' })
      await messages.getByText('could not be loaded').first().waitFor()
      const box = page.getByRole('textbox', { name: 'Description', exact: true })
      expect(await box.textContent()).toContain('and typed')
      await messages.getByRole('button', { name: 'Load again' }).first().click()
      const again = page.waitForEvent('load')
      await page.context().setOffline(false)
      await again
      await page.getByText('Begun and typed').first().waitFor()
      expect((await client.ok('GET', `/api/items/${item_id}`)).description).toContain('and typed')
    },
    { expected: [404, 'net::ERR_INTERNET_DISCONNECTED'] },
  )
})
