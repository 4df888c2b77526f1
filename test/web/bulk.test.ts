import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

const selectAll = async (page: Page, count: number) => {
  await page.locator('[data-cell="0:0"]').click()
  await page.keyboard.press('Control+a')
  await page
    .getByText(`${count.toLocaleString('en')} selected`)
    .first()
    .waitFor()
}

describe('many at once', () => {
  flow('are shown again for another change, where one was refused', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 4)
    await page.goto(`/tags/${task}?s=created_at`)
    await selectAll(page, 4)
    await page.getByRole('button', { name: /Set field/ }).click()
    await choose(page.getByLabel('Field', { exact: true }), 'status')
    await choose(page.getByLabel('New value of status'), 'done')
    let refused = false
    await page.route('**/api/items/bulk-update-fields', async (route) => {
      const isEarnest = (route.request().postDataJSON() as { dry_run?: boolean }).dry_run === false
      if (!isEarnest || refused) return route.continue()
      refused = true
      return route.fulfill({ status: 429, json: { error: 'TooManyRequests', message: 'Too many requests' } })
    })
    await page.getByRole('button', { name: 'Change 3 items' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Too many requests').waitFor()
    await choose(page.getByLabel('New value of status'), 'idea')
    await dialog.getByText(/This will change 3 items/).waitFor()
    expect(await dialog.getByText('Too many requests').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Change 3 items' }).click()
    await page.getByText('Set Task.status of 3 items').first().waitFor()
  })

  flow(
    'stay as they are where somebody has changed all of them, and the choice is kept',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 80)
      await page.goto(`/tags/${task}?s=created_at`)
      await selectAll(page, 80)
      await page.getByRole('button', { name: /Set field/ }).click()
      await choose(page.getByLabel('Field', { exact: true }), 'status')
      await choose(page.getByLabel('New value of status'), 'done')
      const dialog = page.getByRole('dialog')
      const go = dialog.getByRole('button', { name: 'Change 60 items' })
      await go.waitFor()
      for (const [i, id] of ids.entries()) await client.ok('PUT', `/api/items/${id}`, { name: `Other ${i}` })
      await go.focus()
      await page.keyboard.press('Enter')
      await dialog.getByText('Somebody has changed one of them while you looked.').waitFor()
      expect(await page.getByText('Set Task.status of 0 items').count()).toBe(0)
      await axe()
      await go.waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('Set Task.status of 60 items').first().waitFor()
      await dialog.waitFor({ state: 'detached' })
      // Nothing of it can be undone any more: as many as can be read are shown.
      await client.ok('POST', '/api/items/bulk-update-fields', {
        filter: { has_tag: task },
        tag_id: task,
        field_values: { status: { variant: 'open' } },
        merge: true,
      })
      await page.locator('[data-cell="0:0"]').click()
      await page.keyboard.press('Control+z')
      await dialog.getByText('these 60 have been changed since').waitFor()
      await dialog.getByText('and 10 more').waitFor()
      expect(await dialog.getByRole('listitem').count()).toBe(50)
      await axe()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },
  )

  flow(
    'get the field and the variant that one chose, whatever they are called by then',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 4)
      const rename = (body: object) => client.ok('PUT', `/api/tags/${task}`, body)
      const variants = (from: string, to: string) => rename({ rename_variants: { status: { [from]: to } } })
      const valuesOf = async (id: string | undefined) =>
        (await client.ok('GET', `/api/items/${id}`)).data[task].field_values
      const dialog = page.getByRole('dialog')
      await page.goto(`/tags/${task}?s=created_at`)
      await selectAll(page, 4)
      await page.getByRole('button', { name: /Set field/ }).click()
      await choose(page.getByLabel('Field', { exact: true }), 'status')
      await choose(page.getByLabel('New value of status'), 'done')
      await dialog.getByText('This will change 3 items').waitFor()
      await variants('done', 'for now')
      await variants('doing', 'done')
      await variants('for now', 'doing')
      await rename({ rename_fields: { status: 'state' } })
      await dialog.getByRole('button', { name: 'Change 3 items' }).click()
      // Their items have been changed by it: it is shown again, and says what is called how.
      await dialog
        .getByText(
          '“status” is called “state” now, “done” is called “doing” now. What you chose is what gets',
        )
        .waitFor()
      await axe()
      expect(await page.getByLabel('New value of status').textContent()).toContain('done')
      await dialog.getByRole('button', { name: 'Change 3 items' }).click()
      await page.getByText('Set Task.state of 3 items').first().waitFor()
      for (const id of ids) expect((await valuesOf(id)).state).toEqual({ variant: 'doing' })
      // A list that gets one more.
      await selectAll(page, 4)
      await page.getByRole('button', { name: /Set field/ }).click()
      await choose(page.getByLabel('Field', { exact: true }), 'labels')
      await choose(page.getByLabel('Value', { exact: true }), 'Add')
      await dialog.getByRole('checkbox', { name: 'garden' }).check()
      await dialog.getByText('This will change').waitFor()
      await rename({ rename_variants: { labels: { garden: 'outside' } } })
      await dialog.getByRole('button', { name: /^Change/ }).click()
      await expect
        .poll(async () => {
          const again = dialog.getByRole('button', { name: /^Change/ })
          if (await again.isEnabled({ timeout: 500 }).catch(() => false)) await again.click()
          return (await valuesOf(ids[0])).labels
        })
        .toContain('outside')
    },
  )

  flow('are shown before, changed, and taken back', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 24)
    const statusOf = async (id: string | undefined) =>
      (await client.ok('GET', `/api/items/${id}`)).data[task].field_values.status.variant
    await page.goto(`/tags/${task}?s=created_at`)
    await selectAll(page, 24)
    // One of them is changed by somebody else.
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Renamed by another' })
    // By keys: the palette has what can be done with them.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('set field')
    await page.getByRole('option', { name: /Set field of the selected items/ }).waitFor()
    await page.keyboard.press('Enter')
    await choose(page.getByLabel('Field', { exact: true }), 'status')
    await choose(page.getByLabel('New value of status'), 'done')
    await page
      .getByText('This will change 18 items. 6 have the value already. 1 was changed by others')
      .waitFor()
    await page.getByRole('columnheader', { name: 'After' }).waitFor()
    await picture(page, 'bulk-set')
    await axe()
    await page.getByRole('button', { name: 'Change 18 items' }).click()
    await page.getByText('Set Task.status of 18 items').first().waitFor()
    await picture(page, 'bulk-done', { widths: ['wide'] })
    await expect.poll(() => statusOf(ids[0])).toBe('done')
    await page
      .getByRole('row', { name: /Mend the roof 2 / })
      .getByText('done')
      .waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone: Set Task.status of 18 items').first().waitFor()
    expect(await statusOf(ids[0])).toBe('idea')
    await page
      .getByRole('row', { name: /Mend the roof 2 / })
      .getByText('open')
      .waitFor()

    // Done again by keys, and undone with a conflict.
    await page.locator('[data-cell="2:0"]').click()
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => statusOf(ids[1])).toBe('done')
    await client.ok('PUT', `/api/items/${ids[1]}/tags/${task}`, {
      field_values: { status: { variant: 'doing' } },
      merge: true,
    })
    await page.keyboard.press('Control+z')
    await page.getByRole('dialog', { name: 'Not all of it can be undone' }).waitFor()
    await page.getByText('Mend the roof 2').last().waitFor()
    await picture(page, 'undo-conflict', { widths: ['wide', 'phone'] })
    await axe()
    await page.getByRole('button', { name: 'Undo the rest' }).click()
    await expect.poll(() => statusOf(ids[0])).toBe('idea')
    expect(await statusOf(ids[1])).toBe('doing')
    // One value that somebody else has changed since: there is no rest.
    const effort = page.getByRole('columnheader', { name: 'effort' })
    const at = Number(await effort.getAttribute('aria-colindex')) - 2
    await page.locator(`[data-cell="2:${at}"]`).click()
    await page.keyboard.type('55')
    await page.keyboard.press('Enter')
    const effortOf = async () =>
      (await client.ok('GET', `/api/items/${ids[2]}`)).data[task].field_values.effort
    await expect.poll(effortOf).toBe(55)
    await client.ok('PUT', `/api/items/${ids[2]}/tags/${task}`, { field_values: { effort: 66 }, merge: true })
    await page.keyboard.press('Control+z')
    const dialog = page.getByRole('dialog', { name: 'It cannot be undone' })
    await dialog.getByText('has been changed since, and stays').waitFor()
    await dialog.getByText('66', { exact: true }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Undo the rest' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click()
    expect(await effortOf()).toBe(66)
  })

  flow('get and lose tags, and are deleted with their number typed', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 120)
    const { tag_id: urgent } = await client.ok('POST', '/api/tags', { name: 'Urgent', fields: {} })
    const count = async (filter: object) =>
      (await client.ok('POST', '/api/items/aggregate', { filter })).total_items
    await page.goto(`/tags/${task}?s=created_at`)
    await page.locator('[data-check="0"]').click()
    await page.locator('[data-check="2"]').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').first().waitFor()
    await page.getByRole('button', { name: 'Add tag' }).click()
    await choose(page.getByLabel('Tag', { exact: true }), 'Urgent')
    await page.getByText('This will add the tag to 3 items.').waitFor()
    await page.getByRole('button', { name: 'Change 3 items' }).click()
    await expect.poll(() => count({ has_tag: urgent })).toBe(3)
    await page.locator('[data-check="0"]').click()
    await page.getByRole('button', { name: 'Remove tag' }).click()
    await choose(page.getByLabel('Tag', { exact: true }), 'Urgent')
    await page.getByText('from 1 item.').waitFor()
    await page.getByRole('button', { name: 'Change 1 item' }).click()
    await expect.poll(() => count({ has_tag: urgent })).toBe(2)
    // Several values: some added to each.
    await selectAll(page, 120)
    await page.getByRole('button', { name: 'Set field' }).click()
    await choose(page.getByLabel('Field', { exact: true }), 'labels')
    await choose(page.getByLabel('Value', { exact: true }), 'Add')
    await page.getByRole('checkbox', { name: 'later' }).check()
    await page.getByText(/This will change \d+ items/).waitFor()
    await axe()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('This will delete 120 items').waitFor()
    const go = page.getByRole('button', { name: 'Delete 120 items' })
    expect(await go.isDisabled()).toBe(true)
    await page.getByLabel('Type 120 to go on').fill('120')
    await picture(page, 'bulk-delete', { widths: ['wide', 'phone'] })
    await axe()
    await go.click()
    await page.getByRole('heading', { name: 'Nothing in Task yet' }).waitFor()
    expect(await count({ has_tag: task })).toBe(0)
    // What was done before can still be undone, too.
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await page.getByText('Undone: Deleted 120 items').first().waitFor()
    expect(await count({ id: { in: ids } })).toBe(120)
    await page.getByRole('row', { name: /Water the plants 1 / }).waitFor()
    expect(await page.getByRole('button', { name: /new items/ }).count()).toBe(0)
  })

  flow('next to the table an item is read, and edited', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 9)
    await page.goto(`/tags/${task}?s=created_at`)
    await page.locator('[data-cell="0:0"]').click()
    await page.keyboard.press('Space')
    const panel = page.getByRole('complementary', { name: 'Item' })
    await panel.getByText('Water the plants 1').first().waitFor()
    await picture(page, 'beside')
    await axe()
    await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBe(ids[0])
    await panel.getByRole('button', { name: /^effort/ }).click()
    await page.getByRole('textbox', { name: /^effort of/ }).fill('7')
    await page.keyboard.press('Enter')
    await page.locator('[data-cell="0:4"]').getByText('7', { exact: true }).waitFor()
    // Who did it, and when.
    await panel.getByRole('button', { name: 'History' }).focus()
    await page.keyboard.press('h')
    await panel
      .getByRole('listitem')
      .filter({ hasText: /you · .*0\.25.*7/s })
      .waitFor()
    // It was gone to; what is half under the edge then is not what is asked about.
    await panel.evaluate((element) => element.scrollTo(0, 0))
    await axe()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
  })

  flow('are never those of a search that is not answered for yet', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 6)
    await page.goto(`/tags/${task}?s=created_at`)
    await selectAll(page, 6)
    // The second text is asked for after a pause, which takes as long as the flow wants.
    await page.evaluate(() => {
      const at = performance.now()
      performance.now = () => at
      const start = setTimeout
      globalThis.setTimeout = ((run: () => void, wait?: number) => {
        if (wait !== 80) return start(run, wait)
        addEventListener('rested', run, { once: true })
        return 0
      }) as typeof setTimeout
    })
    await page.getByLabel('Search in this table').fill('Mend')
    await page.getByLabel('Search in this table').fill('Mend the roof')
    await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>('button')]
      all.find(({ textContent }) => textContent === 'Delete')!.click()
    })
    await page.getByRole('region', { name: 'Messages' }).getByText('do not count yet').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.evaluate(() => dispatchEvent(new Event('rested')))
    await page.getByText('1 selected').first().waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('This will delete 1 item').waitFor()
  })
})
