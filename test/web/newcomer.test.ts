import { describe, expect } from 'vitest'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { typeInto } from '#test/web/support/type-into.ts'

const TASKS = [
  'Mend the roof',
  'Order seeds',
  'Call the plumber',
  'Paint the fence',
  'Sort the archive',
  'Write to Grace',
  'Water the plants',
]

describe('anyone who has never seen it', () => {
  flow('begins with a whole base, and takes it back', async ({ page, signIn, axe }) => {
    const client = await signIn()
    await page.goto('/')
    const bases = page.getByRole('list', { name: 'Whole bases' })
    await bases.getByRole('button', { name: /^Reading list/ }).waitFor()
    expect(await bases.getByRole('button').count()).toBe(6)
    await axe()
    await bases.getByRole('button', { name: /^Reading list/ }).click()
    await page.getByRole('status').getByText('Began with the template Reading list').waitFor()
    await page
      .getByRole('link', { name: /Reading now/ })
      .first()
      .waitFor()
    const found = await client.ok('POST', '/api/items/search', {
      filter: { 'Book.author->Author.born': 1923 },
    })
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['Invisible Cities'])
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(() => client.ok('GET', '/api/tags')).toEqual([])
  })

  flow(
    'begins with a template file of their own, and saves the base as one',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const template = {
        format: 'facet-template',
        version: 1,
        name: 'Kitchen',
        tags: [{ name: 'Recipe', fields: { minutes: 'Number' } }],
        views: [],
        items: [{ name: 'Soup', tags: { Recipe: { minutes: 20 } } }],
      }
      const fileOf = (name: string, text: string) => ({
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
      const file = fileOf('kitchen.json', JSON.stringify(template))
      const field = page.getByRole('group', { name: 'Use a template file' }).locator('input')
      await page.goto('/')
      await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
      await field.setInputFiles(fileOf('notes.json', '{no'))
      await page.getByText('notes.json is no template').waitFor()
      await axe()
      await field.setInputFiles(file)
      await page.getByText('Used the template kitchen.json: 1 tag, 0 views, 1 item').first().waitFor()
      expect(await client.ok('POST', '/api/items/search', {})).toMatchObject([{ name: 'Soup' }])

      await page.goto('/tags')
      // What is there already by name stays as it is, and nothing is made.
      await field.setInputFiles(file)
      await page
        .getByText(/Recipe/)
        .and(page.getByText(/already/))
        .first()
        .waitFor()
      await picture(page, 'template-files', { widths: ['wide', 'phone'] })
      await axe()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save this base as a template' }).click()
      const stream = await (await saved).createReadStream()
      const text = (await stream.toArray()).map(String).join('')
      expect(JSON.parse(text)).toMatchObject({
        format: template.format,
        tags: [{ name: 'Recipe', fields: { minutes: 'Number' } }],
        items: [{ name: 'Soup', tags: { Recipe: { minutes: 20 } } }],
      })
    },
  )

  flow('makes tags, ten items, a filter over a reference and a view', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { keyboard } = page
    const step = async (name: string) => picture(page, `newcomer-${name}`, { widths: ['wide'] })
    const make = async (names: readonly string[]) => {
      await page.getByRole('button', { name: 'New item' }).first().click()
      for (const name of names) {
        await page.getByLabel('Name of the new item').fill(name)
        await keyboard.press('Enter')
        await page.getByRole('row', { name }).waitFor()
      }
    }
    await page.goto('/')
    await page.getByRole('link', { name: /^Person/ }).click()
    await page.getByRole('button', { name: 'Make this tag' }).waitFor()
    await step('1-template')
    await page.getByRole('button', { name: 'Make this tag' }).click()
    await page.getByText('Nothing in Person yet').waitFor()
    await step('2-empty-tag')
    await make(['Ada', 'Grace', 'Linus'])
    await step('3-items')

    await page.getByRole('link', { name: 'Tags', exact: true }).click()
    await page.getByRole('button', { name: 'New tag' }).click()
    await page.getByRole('navigation', { name: 'Templates' }).getByRole('link', { name: 'Task' }).waitFor()
    await step('4-second-tag')
    await page.getByRole('navigation', { name: 'Templates' }).getByRole('link', { name: 'Task' }).click()
    await page.getByRole('button', { name: 'Add a field', exact: true }).click()
    await typeInto(page.getByLabel('Name of the new field'), 'who')
    await choose(page.getByLabel('Type of who'), 'Another item (Reference)')
    await choose(page.getByLabel('Items of'), 'Person')
    await step('5-reference')
    await page.getByRole('button', { name: 'Make this tag' }).click()
    await page.getByText('Nothing in Task yet').waitFor()
    await make(TASKS)
    await keyboard.press('Escape')

    // The column of the reference is the last of the tag's own.
    const column = await page.getByRole('columnheader', { name: /^who/ }).getAttribute('aria-colindex')
    const cell = page.getByRole('row', { name: 'Order seeds' }).locator(`[aria-colindex="${column}"]`)
    await cell.click()
    await keyboard.type('Gra')
    await page.getByRole('option', { name: /^Grace/ }).waitFor()
    expect(await page.getByRole('combobox', { name: 'who of Order seeds' }).inputValue()).toBe('Gra')
    await step('6-choose')
    await keyboard.press('Enter')
    await cell.getByText('Grace').waitFor()

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('option', { name: /who → …/ }).click()
    await step('7-hop')
    await page.getByRole('option', { name: /^Name/ }).click()
    await page.getByRole('textbox', { name: 'Value' }).fill('Grace')
    await step('8-filter')
    await keyboard.press('Escape')
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('For Grace')
    await keyboard.press('Enter')
    await page.waitForURL(/\/views\/\w+$/)
    await page.getByRole('heading', { level: 1, name: 'For Grace' }).waitFor()
    await step('9-view')
    await axe()
    expect(await client.ok('GET', '/api/views')).toHaveLength(1)
  })
})
