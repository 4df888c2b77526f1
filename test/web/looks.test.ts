import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

const hueOf = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name })
    .locator('[data-hue]')
    .getAttribute('data-hue')

describe('how things look', () => {
  flow(
    'gives a tag another sign and colour by keys, seen everywhere, and undone',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task, person } = await makeTasks(client, 3)
      await page.goto(`/tags/${task}/schema`)
      const before = await hueOf(page, 'Task')
      expect(await hueOf(page, 'Person')).not.toBe(before)
      await page.getByRole('button', { name: /^Sign and colour: by the name/ }).press('Enter')
      await page.locator('input:focus[aria-label="By itself"]').waitFor()
      await axe()
      await page.keyboard.press('ArrowRight')
      expect(await page.getByRole('radio', { name: 'Red' }).isChecked()).toBe(true)
      await page.getByRole('radio', { name: 'rocket' }).check()
      await picture(page, 'tag-look')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+s')
      await page.getByText('Changed the tag Task').first().waitFor()
      expect(await client.ok('GET', `/api/tags/${task}`)).toMatchObject({
        look: { sign: 'rocket', hue: 0 },
        schema_version: 1,
      })
      await expect.poll(() => hueOf(page, 'Task')).toBe('0')
      expect(await hueOf(page, 'Person')).not.toBe('0')
      await page.keyboard.press('Control+z')
      await expect.poll(() => hueOf(page, 'Task')).toBe(before)
      expect(await client.ok('GET', `/api/tags/${person}`)).not.toHaveProperty('look')
      expect(await client.ok('GET', `/api/tags/${task}`)).not.toHaveProperty('look')
    },
  )

  flow('draws a variant that is closed as one, in its colour', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 4)
    await page.goto(`/tags/${task}/schema`)
    await page.getByRole('button', { name: 'Colour of done' }).click()
    await page.getByRole('radio', { name: 'Green' }).check()
    await page.getByRole('checkbox', { name: /^Closed/ }).check()
    await axe()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByText('only order, descriptions and hints change').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changed the tag Task').first().waitFor()
    const { fields } = await client.ok('GET', `/api/tags/${task}`)
    expect(fields.status.variants.at(-1)).toMatchObject({ name: 'done', closed: true, hue: 120 })
    await page.goto(`/tags/${task}?g=Task.status`)
    const done = page.getByRole('region', { name: 'done' })
    await done.locator('[data-hue="4"] circle').first().waitFor()
    await page.getByRole('region', { name: 'open' }).locator('rect').first().waitFor()
    await picture(page, 'closed-variant')
  })
})
