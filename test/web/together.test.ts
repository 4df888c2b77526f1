import { describe, expect } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { cellAt } from '#test/web/support/cell.ts'
import { flow } from '#test/web/support/flow.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { focused } from '#test/web/support/type-into.ts'

/** Gives two variants each other's name. */
const exchangeOf =
  (client: Client, task: string) =>
  async (field: string, [a, b]: readonly [string, string]) => {
    for (const [from, to] of [
      [a, 'for now'],
      [b, a],
      ['for now', b],
    ] as const)
      await client.ok('PUT', `/api/tags/${task}`, { rename_variants: { [field]: { [from]: to } } })
  }

describe('two people at once', () => {
  flow('add to the same list, and are told of the same cell', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 2)
    const [id] = ids
    const values = async () => (await client.ok('GET', `/api/items/${id}`)).data[task].field_values
    const theirs = (field_values: object) =>
      client.ok('PUT', `/api/items/${id}/tags/${task}`, { field_values, merge: true })
    const messages = page.getByRole('region', { name: 'Messages' })
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cellAt(page, 0, 'labels')).click()
    await page.keyboard.press('Enter')
    const list = page.getByRole('combobox', { name: /^labels of/ })
    await focused(list)
    await theirs({ labels: ['home', 'work', 'garden'] })
    await (await cellAt(page, 0, 'labels')).getByText('garden').waitFor()
    await list.press('l')
    await page.getByRole('option', { name: 'later' }).waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await values()).labels).toEqual(['home', 'work', 'later', 'garden'])
    await (await cellAt(page, 0, 'labels')).getByText('garden').waitFor()
    // One value is the last one's, who hears of the other and can have it again.
    await (await cellAt(page, 0, 'note')).click()
    await page.keyboard.type('Mine')
    await focused(page.getByRole('textbox', { name: /^note of/ }))
    await theirs({ note: 'Theirs' })
    await page.keyboard.press('Enter')
    await messages
      .getByText('Somebody changed note of Water the plants 1 to “Theirs” while you typed')
      .waitFor()
    expect((await values()).note).toBe('Mine')
    await axe()
    await messages.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await values()).note).toBe('Theirs')
    // The same on the page of the item.
    await page.goto(`/items/${id}`)
    await page.getByRole('button', { name: /^labels/ }).click()
    await focused(list)
    await theirs({ labels: ['home', 'garden'] })
    await page.locator('[data-item-value]').getByText('work', { exact: true }).waitFor({ state: 'detached' })
    await list.press('Backspace')
    await page.keyboard.press('Tab')
    await list.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^note/ }).click()
    await focused(page.getByRole('textbox', { name: /^note of/ }))
    await page.keyboard.type('Mine again')
    await theirs({ note: 'Theirs again' })
    await page.keyboard.press('Enter')
    await messages.getByText('to “Theirs again” while you typed').waitFor()
    expect(await values()).toMatchObject({ labels: ['home'], note: 'Mine again' })
  })

  flow('keep what one types while the other takes its place away', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    const valuesOf = async (i: number) =>
      (await client.ok('GET', `/api/items/${ids[i]}`)).data[task]?.field_values
    const dialog = page.getByRole('dialog', { name: 'Not sent yet' })
    const type = async (row: number, field: string, text: string) => {
      await (await cellAt(page, row, field)).click()
      await page.keyboard.type(text)
      await focused(page.getByRole('textbox', { name: new RegExp(`^${field} of`) }))
    }
    await page.goto(`/tags/${task}?s=created_at`)
    // A field that is renamed is the same field.
    await type(0, 'note', 'Typed with care')
    await client.ok('PUT', `/api/tags/${task}`, { rename_fields: { note: 'remark' } })
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await valuesOf(0)).remark).toBe('Typed with care')
    await (await cellAt(page, 0, 'remark')).getByText('Typed with care').waitFor()
    expect(await dialog.count()).toBe(0)
    // A field that is gone.
    await type(1, 'remark', 'Without a field')
    const { fields } = await client.ok('GET', `/api/tags/${task}`)
    const { remark: _, ...others } = fields
    await client.ok('PUT', `/api/tags/${task}`, { fields: others })
    await page.keyboard.press('Enter')
    await dialog.getByText('Task does not have the field remark any more').waitFor()
    await dialog.getByText('"Without a field"').waitFor()
    await axe()
    await client.ok('PUT', `/api/tags/${task}`, { fields })
    await dialog.getByRole('button', { name: 'Send all the same' }).click()
    await expect.poll(async () => (await valuesOf(1)).remark).toBe('Without a field')
    // A tag that is taken from the item, on its page.
    await page.goto(`/items/${ids[2]}`)
    await page.getByRole('button', { name: /^remark/ }).click()
    await focused(page.getByRole('textbox', { name: /^remark of/ }))
    await page.keyboard.type('Without a tag')
    await client.ok('DELETE', `/api/items/${ids[2]}/tags/${task}`)
    await dialog.getByText('it does not have the tag Task any more').waitFor()
    await dialog.getByRole('button', { name: 'Send all the same' }).click()
    await expect.poll(async () => (await valuesOf(2))?.remark).toBe('Without a tag')
    // A tag that is deleted.
    await page.getByRole('button', { name: /^remark/ }).click()
    await page.keyboard.type('And more')
    await client.ok('DELETE', `/api/tags/${task}`)
    await dialog.getByText('its tag has been deleted').waitFor()
    await dialog.getByText('"And more"').waitFor()
    await dialog.getByRole('button', { name: 'Drop it' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  flow('store the variant that one sees, whatever another one calls it by then', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 1)
    const values = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values
    await page.goto(`/tags/${task}`)
    for (const label of ['status', 'labels']) {
      await (await cellAt(page, 0, label)).click()
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name: label === 'status' ? 'doing' : 'garden' }).waitFor()
      const { fields } = await client.ok('GET', `/api/tags/${task}`)
      const renamed = label === 'status' ? { doing: 'under way' } : { home: 'house', garden: 'yard' }
      const names = new Map(Object.entries(renamed))
      const variants = fields[label].variants.map((each: unknown) => names.get(each as string) ?? each)
      await client.ok('PUT', `/api/tags/${task}`, {
        name: 'Task',
        fields: { ...fields, [label]: { ...fields[label], variants } },
        rename_variants: { [label]: renamed },
      })
      await page.keyboard.type(label === 'status' ? 'doi' : 'gard')
      await page.keyboard.press(label === 'status' ? 'Enter' : 'Tab')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
    }
    await expect.poll(async () => (await values()).status).toEqual({ variant: 'under way' })
    await expect.poll(async () => (await values()).labels).toEqual(['house', 'work', 'yard'])
    expect(await page.getByRole('region', { name: 'Messages' }).getByText('unknown variant').count()).toBe(0)
  })

  flow('store the variant that one sees where two exchange their names', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 1)
    const values = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values
    const exchange = exchangeOf(client, task)
    const option = (name: string) => page.getByRole('option', { name, exact: true })
    const closed = () => page.getByRole('option').first().waitFor({ state: 'detached' })
    // The item is open: done is chosen, and is called doing by the time at which it is pressed.
    await page.goto(`/tags/${task}`)
    await (await cellAt(page, 0, 'status')).click()
    await page.keyboard.press('Enter')
    await option('done').waitFor()
    await exchange('status', ['doing', 'done'])
    await option('done').click()
    await closed()
    await expect.poll(async () => (await values()).status).toEqual({ variant: 'doing' })
    // The same on the page of the item, also where a list is added to.
    await page.goto(`/items/${ids[0]}`)
    await page.getByRole('button', { name: /^status/ }).click()
    await option('done').waitFor()
    await exchange('status', ['open', 'done'])
    await option('done').click()
    await closed()
    await expect.poll(async () => (await values()).status).toEqual({ variant: 'open' })
    await page.getByRole('button', { name: /^labels/ }).click()
    await option('garden').waitFor()
    await exchange('labels', ['home', 'later'])
    await option('garden').click()
    await page.keyboard.press('Tab')
    await closed()
    await expect.poll(async () => (await values()).labels).toEqual(['later', 'work', 'garden'])
  })

  flow(
    'store the variant that one chose in a paste, a new item or a column, whatever it is called by then',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 4)
      const exchange = exchangeOf(client, task)
      const statusOf = async (id: string | undefined) =>
        (await client.ok('GET', `/api/items/${id}`)).data[task].field_values.status?.variant ?? null
      const named = async (name: string) =>
        (await client.ok('POST', '/api/items/search', { filter: { name } })).map(
          (item: { item_id: string }) => item.item_id,
        )[0]
      // The page hears of nothing: what it shows is what there was.
      await page.route('**/api/changes/stream?*', () => undefined)
      // Several cells.
      await page.goto(`/tags/${task}?s=created_at`)
      await (await cellAt(page, 2, 'status')).click()
      await page.keyboard.press('Control+c')
      await (await cellAt(page, 0, 'status')).click()
      await page.keyboard.press('Shift+ArrowDown')
      await page.keyboard.press('Control+v')
      const paste = page.getByRole('dialog', { name: 'Paste' })
      await paste.getByRole('button', { name: 'Change 2 cells' }).waitFor()
      await exchange('status', ['doing', 'done'])
      await paste.getByRole('button', { name: 'Change 2 cells' }).click()
      await expect.poll(() => statusOf(ids[0])).toBe('done')
      expect(await statusOf(ids[1])).toBe('done')
      // One cell, which is pasted without a dialog.
      await page.reload()
      await (await cellAt(page, 0, 'status')).getByText('done').waitFor()
      await page.keyboard.press('Escape')
      await (await cellAt(page, 0, 'status')).click()
      await page.keyboard.press('Control+c')
      await exchange('status', ['doing', 'done'])
      await (await cellAt(page, 3, 'status')).click()
      await page.keyboard.press('Control+v')
      await expect.poll(() => statusOf(ids[3])).toBe('doing')
      // What the filter asks of a new item.
      await page.goto(`/tags/${task}?f=${encodeURIComponent(JSON.stringify({ 'Task.status': 'open' }))}`)
      await page.getByRole('button', { name: 'New item' }).first().click()
      const bar = page.getByRole('form', { name: 'New item' })
      await bar.getByText('open').waitFor()
      await exchange('status', ['open', 'idea'])
      await bar.getByRole('textbox').fill('From the bar')
      await page.keyboard.press('Enter')
      await expect.poll(async () => statusOf(await named('From the bar'))).toBe('idea')
      // A column of a board: a new card, and one that is moved.
      await page.goto(`/tags/${task}?l=board&by=${task}.status`)
      await page.getByRole('button', { name: 'New item in open' }).click()
      await exchange('status', ['open', 'idea'])
      await page.getByRole('textbox', { name: 'New item in open' }).fill('From the board')
      await page.keyboard.press('Enter')
      await expect.poll(async () => statusOf(await named('From the board'))).toBe('idea')
      await page.reload()
      const card = page.locator(`[data-item="${ids[3]}"]`)
      await card.getByRole('button').first().focus()
      await exchange('status', ['open', 'idea'])
      const before = await statusOf(ids[3])
      expect(before).toBe('doing')
      await page.keyboard.press('Alt+ArrowLeft')
      await expect.poll(() => statusOf(ids[3])).toBe('idea')
    },
  )

  flow('know when one may write no more, and may again', async ({ page, open, signIn }) => {
    const owner = await signIn()
    const { task, ids } = await makeTasks(owner, 2)
    const second = await open()
    await signIn(second)
    const users: { user_id: string; role: string }[] = await owner.ok('GET', '/api/users')
    const { user_id } = users.find(({ role }) => role === 'editor')!
    await page.goto('/')
    await second.goto(`/tags/${task}?s=created_at`)
    await (await cellAt(second, 0, 'note')).click()
    await second.keyboard.type('Typed with care')
    await focused(second.getByRole('textbox', { name: /^note of/ }))
    await owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
    await second.keyboard.press('Enter')
    const messages = second.getByRole('region', { name: 'Messages' })
    await messages.getByText('Your role is reader').waitFor()
    // What was typed stays to be copied, and nothing more is offered.
    const kept = (await cellAt(second, 0, 'note')).getByText('Typed with care')
    await kept.waitFor()
    const make = second.getByRole('button', { name: 'New item', exact: true })
    await make.waitFor({ state: 'detached' })
    expect(await kept.count()).toBe(1)
    await owner.ok('PUT', `/api/users/${user_id}`, { role: 'editor' })
    await second.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await make.waitFor()
    await (await cellAt(second, 0, 'note')).click()
    await second.keyboard.press('Enter')
    const box = second.getByRole('textbox', { name: /^note of/ })
    await focused(box)
    await second.keyboard.press('End')
    await second.keyboard.type(', and stored')
    await second.keyboard.press('Enter')
    await expect
      .poll(async () => (await owner.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.note)
      .toBe('Typed with care, and stored')
  })
})
