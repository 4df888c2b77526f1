import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('the trash', () => {
  flow(
    'finds, restores, and removes for good what it has shown',
    async ({ page, signIn, open, axe }) => {
      const client = await signIn()
      const { ids, person } = await makeTasks(client, 9)
      await page.goto('/trash')
      await page.getByRole('heading', { name: 'Nothing deleted' }).waitFor()
      for (const id of ids.slice(0, 3)) await client.ok('DELETE', `/api/items/${id}`)
      await client.ok('DELETE', `/api/tags/${person}`)
      await page.reload()
      await page.getByRole('button', { name: 'Restore Person' }).waitFor()
      await picture(page, 'trash')
      await axe()
      await page.getByLabel('Search the trash').fill('roof')
      await page.getByRole('button', { name: 'Restore Mend the roof 2' }).click()
      await page.getByText('Nothing deleted has these words.').waitFor()
      expect((await client.ok('GET', `/api/items/${ids[1]}`)).name).toBe('Mend the roof 2')
      await page.getByLabel('Search the trash').fill('')

      const reader = await open()
      await signIn(reader)
      await reader.goto('/trash')
      await reader.getByText('Water the plants 1').waitFor()
      expect(await reader.getByRole('main').getByRole('button').count()).toBe(0)

      await page.getByRole('button', { name: 'Empty the trash' }).click()
      await page.getByText('This removes 2 items and 1 tag for good.').waitFor()
      const go = page.getByRole('button', { name: 'Remove 3 for good' })
      expect(await go.isDisabled()).toBe(true)
      await page.getByLabel('Type 3 to go on').fill('3')
      await picture(page, 'trash-purge', { widths: ['wide', 'phone'] })
      await axe()
      await go.click()
      await page.getByRole('heading', { name: 'Nothing deleted' }).waitFor()
      expect(await client.ok('GET', '/api/items/deleted')).toEqual([])
      expect(await client.ok('GET', '/api/tags/deleted')).toEqual([])
    },
    { env: { DEFAULT_ROLE: 'reader' } },
  )

  flow('is read page by page, and searched by the service', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 250)
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: task } })
    await client.ok('DELETE', `/api/tags/${task}`)
    const limits: number[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/items/deleted/search')) limits.push(request.postDataJSON().limit)
    })
    await page.goto('/trash')
    const list = page.getByRole('list', { name: 'Deleted' })
    const count = page.getByText('251', { exact: true })
    await count.waitFor()
    expect(await list.getByRole('listitem').count()).toBe(101)
    await page.getByRole('button', { name: 'Show older ones' }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(201)
    expect(limits).toEqual([100, 100])

    // One that is not among those that were read.
    await page.getByLabel('Search the trash').fill('plants 1')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(12)
    await page.getByLabel('Search the trash').fill('water the plants 241')
    await page.getByRole('button', { name: 'Restore Water the plants 241' }).waitFor()
    await page.getByRole('button', { name: 'Remove these for good' }).click()
    await page.getByText('This removes 1 item for good.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    // Too much is said, and can be taken away again.
    await page.getByLabel('Search the trash').fill('plants '.repeat(1500))
    await page.getByRole('alert').getByText('10000').waitFor()
    expect((await page.getByLabel('Search the trash').inputValue()).length).toBe(10_500)
    expect(await page.getByRole('button', { name: 'Remove these for good' }).count()).toBe(0)
    await page.getByLabel('Search the trash').fill('')
    await page.getByText('251', { exact: true }).waitFor()

    // What is deleted while one looks is not among what goes.
    await page.getByRole('button', { name: 'Empty the trash' }).click()
    await page.getByText('This removes 250 items and 1 tag for good.').waitFor()
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Deleted meanwhile' })
    await client.ok('DELETE', `/api/items/${item_id}`)
    await page.getByLabel('Type 251 to go on').fill('251')
    await page.getByRole('button', { name: 'Remove 251 for good' }).click()
    await page.getByRole('button', { name: 'Restore Deleted meanwhile' }).waitFor()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  })

  flow('goes on with what is left where somebody else was faster', async ({ page, signIn }) => {
    const client = await signIn()
    const { ids } = await makeTasks(client, 6)
    for (const id of ids) await client.ok('DELETE', `/api/items/${id}`)
    await page.goto('/trash')
    const choose = async (...names: string[]) => {
      for (const name of names) await page.getByLabel(`Select ${name}`).check()
    }
    await choose('Water the plants 1', 'Mend the roof 2', 'Write to Grace 3')
    await page.getByRole('button', { name: 'Remove them for good' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove for good' })
    await dialog.getByLabel('Type 3 to go on').fill('3')
    await client.ok('POST', `/api/items/${ids[0]}/restore`)
    await dialog.getByRole('button', { name: 'Remove 3 for good' }).click()
    await dialog.getByText('Somebody has restored or removed some of these meanwhile').waitFor()
    await dialog.getByLabel('Type 2 to go on').fill('2')
    await dialog.getByRole('button', { name: 'Remove 2 for good' }).click()
    await dialog.waitFor({ state: 'detached' })
    // What is restored by somebody else keeps nothing of the rest from coming back, and is named.
    await choose('Order seeds 4', 'Plan the greenhouse 5', 'Call the plumber 6')
    await client.ok('POST', '/api/items/purge', { item_ids: [ids[3]] })
    await page.getByRole('button', { name: 'Restore them' }).click()
    const messages = page.getByRole('region', { name: 'Messages' })
    await messages.getByText('Order seeds 4: restored or removed by somebody else already').waitFor()
    await messages.getByText('Restored 2 items').waitFor()
    await page.getByRole('heading', { name: 'Nothing deleted' }).waitFor()
  })
})
