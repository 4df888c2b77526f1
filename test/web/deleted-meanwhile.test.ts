import { describe, expect } from 'vitest'
import { cellAt } from '#test/web/support/cell.ts'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { focused } from '#test/web/support/type-into.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('what is deleted while somebody works with it', () => {
  flow('keeps what was typed into an item, and restores it with that', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    const values = async (i: number) =>
      (await client.ok('GET', `/api/items/${ids[i]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cellAt(page, 0, 'note')).click()
    await page.keyboard.type('Typed with care')
    await focused(page.getByRole('textbox', { name: /^note of/ }))
    await client.ok('DELETE', `/api/items/${ids[0]}`)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Not sent yet' })
    await dialog.getByText('Water the plants 1 (deleted), note: "Typed with care"').waitFor()
    await page.getByText('Water the plants 1 has been deleted. What you typed is kept').first().waitFor()
    await axe()
    // Later is a choice as well, with a way back.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Look at it' }).click()
    await dialog.getByText('Typed with care').waitFor()
    // Also over a reload, and from there.
    await page.reload()
    await dialog.getByText('Typed with care').waitFor()
    await dialog.getByRole('button', { name: 'Restore and send' }).click()
    await expect.poll(async () => (await client.get(`/api/items/${ids[0]}`)).status).toBe(200)
    await expect.poll(async () => (await values(0)).note).toBe('Typed with care')
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await client.get(`/api/items/${ids[0]}`)).status).toBe(404)
    // On the page of an item, where the editor goes with it; what was removed for good cannot come back, and is told.
    await page.goto(`/items/${ids[1]}`)
    const heading = page.getByRole('button', { name: 'Mend the roof 2', exact: true })
    await heading.click()
    await page.keyboard.type('Mend all roofs')
    await client.ok('DELETE', `/api/items/${ids[1]}`)
    await page.getByText(/^Deleted .* by/).waitFor()
    await dialog.getByText('Mend the roof 2 (deleted), name: "Mend all roofs"').waitFor()
    await client.ok('POST', '/api/items/purge', { item_ids: [ids[1]] })
    await dialog.getByRole('button', { name: 'Restore and send' }).click()
    await page.getByText('Mend the roof 2 was not sent: It has been removed for good.').first().waitFor()
    await dialog.getByRole('button', { name: 'Drop it' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  flow('makes no item without the tag that was chosen for it', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 1)
    await page.goto('/new?title=Ladder')
    const tag = page.getByLabel('Tag', { exact: true })
    await choose(tag, 'Task')
    await client.ok('DELETE', `/api/tags/${task}`)
    const fault = page
      .getByRole('alert')
      .getByText('The tag Task has been deleted: choose another one, or None')
    await fault.waitFor()
    await tag.getByText('Task').waitFor()
    await axe()
    await page.getByRole('button', { name: 'Make the item' }).click()
    expect(new URL(page.url()).pathname).toBe('/new')
    await choose(tag, 'None')
    await fault.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make the item' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ladder' }).waitFor()
    expect(await client.ok('POST', '/api/items/search', { filter: { name: 'Ladder' } })).toHaveLength(1)
  })

  flow(
    'keeps what was typed about the fields of a tag, and saves it when the tag is back',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 1)
      await page.goto(`/tags/${task}/schema`)
      await page.getByLabel('What it is for').fill('Typed with care')
      await client.ok('DELETE', `/api/tags/${task}`)
      await page.getByText('This tag was deleted. What you have typed here stays').waitFor()
      await page.getByRole('button', { name: 'Save…' }).click()
      await page.getByText('There is no such tag any more').waitFor()
      expect(await page.getByLabel('What it is for').inputValue()).toBe('Typed with care')
      await axe()
      await page.getByRole('button', { name: 'Restore the tag' }).click()
      await page.getByText('This tag was deleted').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Save…' }).click()
      await expect
        .poll(async () => (await client.ok('GET', `/api/tags/${task}`)).description)
        .toBe('Typed with care')
      // An address of one that was deleted before leads to the trash.
      await client.ok('DELETE', `/api/tags/${task}`)
      await page.reload()
      await page.getByRole('heading', { name: 'There is no such tag' }).waitFor()
    },
  )

  flow('says that a view is gone, and saves what it shows again', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    const filter = { has_tag: task }
    const looksAgain = () =>
      page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    // Found on coming back to the page, and by what cannot be saved.
    for (const by of ['return', 'save'] as const) {
      const { view_id } = await client.ok('POST', '/api/views', { name: `Mine ${by}`, filter })
      await page.goto(`/views/${view_id}?s=name`)
      await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
      await client.ok('DELETE', `/api/views/${view_id}`)
      if (by === 'return') await looksAgain()
      else await page.getByRole('button', { name: /^Save/ }).click()
      await page.getByText('This view was deleted, or is shared no more').waitFor()
      if (by === 'save') await page.getByText('The view Mine save is not there any more').first().waitFor()
      // What it showed stays, and how it was turned goes along.
      await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
      await page.getByRole('button', { name: 'Save it again …' }).click()
      const dialog = page.getByRole('dialog', { name: 'Save as a view' })
      expect(await dialog.getByLabel('Name').inputValue()).toBe(`Mine ${by}`)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => /views/.test(url.pathname) && !url.pathname.includes(view_id))
      await page.getByText('This view was deleted').waitFor({ state: 'detached' })
      const views: { name: string; settings: { sort_by: unknown } }[] = await client.ok('GET', '/api/views')
      expect(
        views.filter(({ name }) => name === `Mine ${by}`).map(({ settings }) => settings.sort_by),
      ).toEqual(['name'])
    }
  })
})
