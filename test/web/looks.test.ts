import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { choose } from '#test/web/support/choose.ts'
import { day, flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { HUES } from '#web/rules/hues.ts'
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
      const others = await hueOf(page, 'Person')
      expect(others).not.toBe(before)
      // Where it is changed it looks as everywhere else.
      const picker = page.getByRole('button', { name: /^Sign and colour: by the name/ })
      expect(await picker.locator('[data-hue]').getAttribute('data-hue')).toBe(before)
      // One that neither has by itself.
      const hue = HUES.findIndex((_, i) => ![before, others].includes(String(i)))
      await page.getByRole('button', { name: /^Sign and colour: by the name/ }).press('Enter')
      await page.locator('input:focus[aria-label="By itself"]').waitFor()
      await axe()
      await page.keyboard.press('ArrowRight')
      expect(await page.getByRole('radio', { name: 'Red' }).isChecked()).toBe(true)
      await page.getByRole('radio', { name: HUES[hue] }).check()
      await page.getByRole('radio', { name: 'rocket' }).check()
      await picture(page, 'tag-look')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+s')
      await page.getByText('Changed the tag Task').first().waitFor()
      expect(await client.ok('GET', `/api/tags/${task}`)).toMatchObject({
        look: { sign: 'rocket', hue: 30 * hue },
        schema_version: 1,
      })
      await expect.poll(() => hueOf(page, 'Task')).toBe(String(hue))
      expect(await hueOf(page, 'Person')).toBe(others)
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
    // The same in a chart, and in the chip of the condition that its bar is.
    await page.goto(`/tags/${task}`)
    await page.getByRole('button', { name: 'Charts and sums' }).click()
    const bar = page.getByRole('region', { name: 'Charts' }).getByRole('button', { name: /^done/ })
    await page.locator('li[data-hue="4"]', { has: page.getByRole('button', { name: /^done/ }) }).waitFor()
    await bar.click()
    const chip = page.getByRole('button', { name: /status.*done/i }).first()
    await chip.locator('[data-hue="4"] circle').waitFor()
    await picture(page, 'variant-chip', { widths: ['wide'] })
    await axe()
  })

  flow('shows values by their format, which stay what they are', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { tag_id } = await client.ok('POST', '/api/tags', {
      name: 'Offer',
      fields: {
        stage: { type: 'Select', variants: ['open', { name: 'gone', closed: true }] },
        site: { type: 'String', format: 'url' },
        mail: { type: 'String', format: 'email' },
        price: { type: 'Number', unit: '€', unit_at: 'before', decimals: 2 },
        chance: { type: 'Number' },
        until: { type: 'Date', relative: true },
      },
    })
    const values = {
      site: 'https://blue.example/',
      mail: 'a@blue.example',
      price: 1234.5,
      chance: 0.07,
      until: day(-1),
    }
    const make = (stage: string) =>
      client.ok('POST', '/api/items', {
        name: stage,
        tags: [{ tag_ref: { Existing: tag_id }, field_values: { ...values, stage: { variant: stage } } }],
      })
    await make('gone')
    const { item_id } = await make('open')

    await page.goto(`/tags/${tag_id}/schema`)
    await page.getByRole('button', { name: 'Description and look of chance' }).click()
    await page.getByRole('radio', { name: 'Percent' }).check()
    await page.getByText('12.5% is stored as 0.125').waitFor()
    await axe()
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changed the tag Offer').first().waitFor()
    const { fields, schema_version } = await client.ok('GET', `/api/tags/${tag_id}`)
    expect([fields.chance, schema_version]).toEqual([{ type: 'Number', format: 'percent' }, 1])

    await page.goto(`/tags/${tag_id}`)
    const cell = (row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`)
    const site = cell(0, 2).getByRole('link', { name: 'blue.example' })
    expect(await site.getAttribute('href')).toBe('https://blue.example/')
    expect(await cell(0, 3).getByRole('link').getAttribute('href')).toBe('mailto:a@blue.example')
    expect([await cell(0, 4).innerText(), await cell(0, 5).innerText()]).toEqual(['€\u00A01,234.50', '7%'])
    expect(await cell(0, 6).innerText()).toBe('yesterday')
    // Late is what is not done with.
    const colour = (row: number) =>
      cell(row, 6).evaluate((element) => getComputedStyle(element.firstElementChild!).color)
    expect(await colour(0)).not.toBe(await colour(1))

    await cell(0, 5).click()
    await page.keyboard.type('29')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${item_id}`)).data[tag_id].field_values.chance)
      .toBe(0.29)
    await cell(0, 4).click()
    await page.keyboard.press('Shift+ArrowRight')
    // It listens before the key is pressed, and is asked afterwards.
    const copied = await page.evaluateHandle(() => {
      const { promise, resolve } = Promise.withResolvers<string>()
      const take = ({ clipboardData }: ClipboardEvent) => resolve(clipboardData!.getData('text/plain'))
      document.addEventListener('copy', take, { once: true })
      return { promise }
    })
    await page.keyboard.press('Control+c')
    expect(await copied.evaluate(({ promise }) => promise)).toBe('1234.5\t0.29')
    await picture(page, 'formats')

    await page.goto(`/items/${item_id}`)
    const open = page.getByRole('link', { name: 'Open site' })
    expect(await open.getAttribute('href')).toBe('https://blue.example/')
    await picture(page, 'formats-item')
  })

  flow(
    'filters by numbers as they are shown, and by answers that are one of two',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { tag_id } = await client.ok('POST', '/api/tags', {
        name: 'Offer',
        fields: {
          chance: { type: 'Number', format: 'percent' },
          price: { type: 'Number', unit: '€', unit_at: 'before' },
          firm: 'Boolean',
        },
      })
      for (const [name, chance] of Object.entries({ low: 0.07, middle: 0.25, high: 0.9 }))
        await client.ok('POST', '/api/items', {
          name,
          tags: [{ tag_ref: { Existing: tag_id }, field_values: { chance, price: 2, firm: name === 'low' } }],
        })
      const open = (filter: unknown) =>
        page.goto(`/tags/${tag_id}?f=${encodeURIComponent(JSON.stringify(filter))}`)
      const filter = () => JSON.parse(new URL(page.url()).searchParams.get('f') ?? 'null') as unknown
      const value = page.getByRole('textbox', { name: 'Value' })

      await open({ 'Offer.chance': { gte: 0.07 } })
      await page.getByRole('button', { name: 'chance is at least 7%' }).click()
      expect(await value.inputValue()).toBe('7%')
      await value.fill('25')
      await expect.poll(filter).toEqual({ 'Offer.chance': { gte: 0.25 } })
      await choose(page.getByRole('combobox', { name: 'How it is compared' }), 'is one of')
      expect(await value.inputValue()).toBe('25%')
      await value.fill('25\n90 %')
      await expect.poll(filter).toEqual({ 'Offer.chance': { in: [0.25, 0.9] } })
      await page.getByRole('status').getByText('90%').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'chance is one of 25%, 90%' }).waitFor()
      await expect.poll(() => page.locator('[role=grid] [data-row]').count()).toBe(2)

      await open({ 'Offer.price': { gt: 1 } })
      await page.getByRole('button', { name: 'price is greater than €\u00A01' }).click()
      await value.fill('€ 3.50')
      await expect.poll(filter).toEqual({ 'Offer.price': { gt: 3.5 } })

      await open({ 'Offer.firm': { in: [true] } })
      await page.getByRole('button', { name: 'firm is one of true' }).click()
      expect(await page.getByRole('checkbox', { name: 'Yes' }).isChecked()).toBe(true)
      await page.getByRole('checkbox', { name: 'No', exact: true }).check()
      await expect.poll(filter).toEqual({ 'Offer.firm': { in: [true, false] } })
    },
  )
})
