import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

let provider: ModelProvider
const env = { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: '' }
beforeAll(async () => {
  provider = await startModelProvider()
  env.LLM_BASE_URL = provider.url
})
afterAll(() => provider.close())

describe('the assistant that asks before it changes', () => {
  flow(
    'shows what it would do as a card that is accepted or refused there',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      await client.ok('PUT', '/api/preferences', { other: 1 })
      const { task, ids } = await makeTasks(client, 8)
      const name = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).name
      await page.goto('/chat')
      const asks = page.getByRole('switch', { name: /Ask before changing/ })
      expect(await asks.isChecked()).toBe(false)
      await asks.check()
      await page.getByText('Changes wait for your decision').waitFor()
      await expect
        .poll(() => client.ok('GET', '/api/preferences'))
        .toMatchObject({ other: 1, assistant: 'propose' })

      const input = page.getByLabel('Message to the assistant')
      const say = async (text: string, ...calls: { name: string; arguments: object }[]) => {
        provider.say({ calls }, { text: ['I have proposed it.'] })
        await input.fill(text)
        await input.press('Enter')
      }
      await say('Rename the first', {
        name: 'edit_item',
        arguments: { item_id: ids[0], name: 'Water <b>all</b> plants' },
      })
      const cards = page.getByRole('region', { name: /^Proposal/ })
      await cards.getByText('Water <b>all</b> plants').first().waitFor()
      await picture(page, 'chat-proposal')
      await axe()
      expect(await name()).toBe('Water the plants 1')
      await cards.getByRole('button', { name: 'Accept' }).click()
      await cards.getByRole('link', { name: 'The change that it made' }).waitFor()
      expect(await name()).toBe('Water <b>all</b> plants')
      expect(await cards.getByRole('button').count()).toBe(0)

      await say('And all of them', {
        name: 'bulk_update_field_values',
        arguments: { filter: { has_tag: 'Task' }, tag_id: task, field_values: { note: 'soon' }, merge: true },
      })
      await cards.nth(1).getByText('Open: 3 more').waitFor()
      await picture(page, 'chat-proposal-many')
      await cards.nth(1).getByRole('button', { name: 'Refuse' }).click()
      await page.getByLabel('Reason').fill('Not yet')
      await page.getByRole('dialog').getByRole('button', { name: 'Refuse', exact: true }).click()
      await cards.nth(1).getByText('Not yet').waitFor()

      // Read again, the conversation has its cards, and the switch is where it was.
      await page.reload()
      await cards.nth(1).getByText('Not yet').waitFor()
      await expect.poll(() => asks.isChecked()).toBe(true)
      await cards.nth(1).getByRole('link', { name: /^Open/ }).click()
      await page.waitForURL('**/proposals/*')
      await page.getByText('Not yet').waitFor()

      await page.goto('/items')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+j')
      const panel = page.getByRole('complementary', { name: 'Assistant' })
      await expect.poll(() => panel.getByRole('switch').isChecked()).toBe(true)
      await panel.getByRole('switch').uncheck()
      await expect.poll(() => client.ok('GET', '/api/preferences')).not.toHaveProperty('assistant')
    },
    { env },
  )
})
