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
      await page.getByLabel('Search the trash by name').fill('roof')
      await page.getByRole('button', { name: 'Restore Mend the roof 2' }).click()
      await page.getByText('Nothing deleted has such a name.').waitFor()
      expect((await client.ok('GET', `/api/items/${ids[1]}`)).name).toBe('Mend the roof 2')
      await page.getByLabel('Search the trash by name').fill('')

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
})
