import { describe, expect } from 'vitest'
import { uploaded } from '#test/support/imports.ts'
import { flow } from '#test/web/support/flow.ts'
import { focused, typeInto } from '#test/web/support/type-into.ts'
import { picture } from '#test/web/support/pictures.ts'
import { watchDrawn } from '#test/web/support/drawn-again.ts'

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="8" height="6" fill="teal"/></svg>'

describe('a calendar', () => {
  flow(
    'moves items by pointer and by keys, also over the day of the change of clocks',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { tag_id } = await client.ok('POST', '/api/tags', {
        name: 'Trip',
        fields: { begins: 'Date', ends: 'Date', leaves: 'DateTime' },
      })
      const make = async (name: string, field_values: object): Promise<string> =>
        (
          await client.ok('POST', '/api/items', {
            name,
            tags: [{ tag_ref: { Existing: tag_id }, field_values }],
          })
        ).item_id
      const valuesOf = async (id: string) =>
        (await client.ok('GET', `/api/items/${id}`)).data[tag_id].field_values
      const alps = await make('Alps', { begins: '2027-03-10', ends: '2027-03-12' })
      const none = await make('Some day', {})
      const train = await make('Train', { leaves: '2027-03-27T09:30:00.000Z' })
      for (let i = 1; i <= 8; i++) await make(`Visit ${i}`, { begins: '2027-03-17' })
      await page.goto(`/tags/${tag_id}?on=2027-03-10`)
      await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Calendar' }).click()
      await page.getByRole('button', { name: 'Ends the same day' }).click()
      await page.getByRole('menuitem', { name: 'ends', exact: true }).click()
      const grid = page.getByRole('grid', { name: 'Days' })
      const piece = (name: string) => grid.getByRole('button', { name, exact: true })
      await piece('Alps').waitFor()
      await picture(page, 'calendar')
      await axe()
      // Taken by its second day and put on Thursday of the week after, it begins on Wednesday.
      const day = (date: string) => page.locator(`[data-drop="${date}"]`)
      const from = (await day('2027-03-11').boundingBox())!
      const box = (await piece('Alps').boundingBox())!
      const to = (await day('2027-03-25').boundingBox())!
      await page.mouse.move(from.x + 20, box.y + 8)
      await page.mouse.down()
      await page.mouse.move(from.x + 40, box.y + 30)
      await page.mouse.move(to.x + 40, to.y + 40)
      await page.mouse.up()
      await expect.poll(() => valuesOf(alps)).toEqual({ begins: '2027-03-24', ends: '2027-03-26' })
      // By keys: from its day into it, by a week, by a day, and undone.
      await day('2027-03-24').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Alt+ArrowUp')
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Alps')
      await expect.poll(() => valuesOf(alps)).toEqual({ begins: '2027-03-17', ends: '2027-03-19' })
      await page.keyboard.press('Control+z')
      await expect.poll(() => valuesOf(alps)).toEqual({ begins: '2027-03-24', ends: '2027-03-26' })
      // A full day says how many more there are.
      await page.getByRole('button', { name: /more on .*17/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Visit 8' }).waitFor()
      await page.keyboard.press('Escape')
      // What is on no day is put on one.
      const side = (await page.getByRole('button', { name: 'Some day' }).boundingBox())!
      await page.mouse.move(side.x + 20, side.y + 8)
      await page.mouse.down()
      await page.mouse.move(side.x + 10, side.y + 28)
      const first = (await day('2027-03-02').boundingBox())!
      await page.mouse.move(first.x + 30, first.y + 40)
      await page.mouse.up()
      await expect.poll(() => valuesOf(none)).toEqual({ begins: '2027-03-02' })
      // A time stays at its hour, though the clocks go forward that night.
      await page.goto(`/tags/${tag_id}?l=calendar&by=${tag_id}.leaves&on=2027-03-27`)
      await grid.getByRole('button', { name: '10:30 Train' }).waitFor()
      await day('2027-03-27').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Alt+ArrowRight')
      await expect.poll(() => valuesOf(train)).toEqual({ leaves: '2027-03-28T08:30:00.000Z' })
      await day('2027-03-28').getByRole('button', { name: '10:30 Train' }).waitFor()
    },
  )
})

describe('the hours of a week', () => {
  flow(
    'move items by pointer and by keys, and give a day to what has none',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { tag_id } = await client.ok('POST', '/api/tags', {
        name: 'Talk',
        fields: { begins: 'DateTime', ends: 'DateTime' },
      })
      const make = async (name: string, field_values: object): Promise<string> =>
        (
          await client.ok('POST', '/api/items', {
            name,
            tags: [{ tag_ref: { Existing: tag_id }, field_values }],
          })
        ).item_id
      const valuesOf = async (id: string) =>
        (await client.ok('GET', `/api/items/${id}`)).data[tag_id].field_values
      const opening = await make('Opening', {
        begins: '2027-03-10T08:00:00.000Z',
        ends: '2027-03-10T09:30:00.000Z',
      })
      await make('Tour', { begins: '2027-03-10T08:30:00.000Z' })
      const fair = await make('Fair', {
        begins: '2027-03-09T08:30:00.000Z',
        ends: '2027-03-11T15:00:00.000Z',
      })
      const later = await make('Later', {})
      await page.goto(
        `/tags/${tag_id}?l=calendar&by=${tag_id}.begins&until=${tag_id}.ends&week=1&on=2027-03-10`,
      )
      const grid = page.getByRole('grid', { name: 'Hours' })
      const piece = (name: string) => grid.getByRole('button', { name: new RegExp(`${name}$`) })
      await piece('Opening').waitFor()
      await picture(page, 'calendar-hours')
      await axe()
      // Taken in its second half hour and put there on Thursday at 14:00, it begins at 13:30.
      const slot = (key: string) => page.locator(`[data-drop="${key}"]`)
      const from = (await slot('2027-03-10T09:30').boundingBox())!
      const to = (await slot('2027-03-11T14:00').boundingBox())!
      await page.mouse.move(from.x + 12, from.y + 8)
      await page.mouse.down()
      await page.mouse.move(from.x + 20, from.y + 30)
      await page.mouse.move(to.x + 20, to.y + 8)
      await page.mouse.up()
      await expect
        .poll(() => valuesOf(opening))
        .toEqual({ begins: '2027-03-11T12:30:00.000Z', ends: '2027-03-11T14:00:00.000Z' })
      // By keys: into its time, later by half an hour, a day on, and undone.
      await slot('2027-03-11T13:30').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Alt+ArrowDown')
      await expect.poll(async () => (await valuesOf(opening)).begins).toBe('2027-03-11T13:00:00.000Z')
      await page.keyboard.press('Alt+ArrowRight')
      await expect.poll(async () => (await valuesOf(opening)).begins).toBe('2027-03-12T13:00:00.000Z')
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Opening')
      await page.keyboard.press('Control+z')
      await expect.poll(async () => (await valuesOf(opening)).begins).toBe('2027-03-11T13:00:00.000Z')
      // What lies on several days is moved by days and weeks, and keeps the focus, however long it takes to be saved.
      const begins = async () => (await valuesOf(fair)).begins
      let latency = 0
      await page.route(/\/api\/items\/[^/]+\/tags/, async (route) => {
        await new Promise((resume) => setTimeout(resume, latency))
        await route.continue()
      })
      await piece('Fair').focus()
      for (const [key, to] of [
        ['Alt+ArrowRight', '2027-03-10'],
        ['Alt+ArrowDown', '2027-03-17'],
        ['Alt+PageUp', '2027-03-10'],
      ] as const) {
        if (key === 'Alt+PageUp') latency = 3000
        await page.keyboard.press(key)
        await expect.poll(begins).toBe(`${to}T08:30:00.000Z`)
        await focused(piece('Fair'))
      }
      latency = 0
      expect((await valuesOf(fair)).ends).toBe('2027-03-12T15:00:00.000Z')
      // What has no day gets the chosen one, and loses it again.
      await slot('2027-03-12T09:00').click()
      await page
        .getByRole('region', { name: 'Without begins' })
        .getByRole('button', { name: 'Later' })
        .focus()
      await page.keyboard.press('Alt+ArrowLeft')
      await expect.poll(() => valuesOf(later)).toEqual({ begins: '2027-03-12T08:00:00.000Z' })
      await focused(piece('Later'))
      await page.keyboard.press('Alt+Delete')
      await expect.poll(() => valuesOf(later)).toEqual({ begins: null })
      // A new one where it is to be.
      await slot('2027-03-12T11:30').dblclick()
      await typeInto(page.getByRole('textbox', { name: /^New item on .*11:30/ }), 'Lunch')
      await page.keyboard.press('Enter')
      await piece('Lunch').waitFor()
      const [lunch] = await client.ok('POST', '/api/items/search', { filter: { name: 'Lunch' } })
      expect(await valuesOf(lunch.item_id)).toEqual({ begins: '2027-03-12T10:30:00.000Z' })
      // Up from three o’clock on the day that has no half past two.
      const early = await make('Early', { begins: '2027-03-28T01:00:00.000Z' })
      await page.goto(`/tags/${tag_id}?l=calendar&by=${tag_id}.begins&week=1&on=2027-03-28`)
      await piece('Early').focus()
      await page.keyboard.press('Alt+ArrowUp')
      await expect.poll(() => valuesOf(early)).toEqual({ begins: '2027-03-28T00:30:00.000Z' })
      await focused(piece('Early'))
      await page.keyboard.press('Alt+ArrowDown')
      await expect.poll(() => valuesOf(early)).toEqual({ begins: '2027-03-28T01:00:00.000Z' })
    },
  )
})

describe('a gallery', () => {
  flow('shows pictures, by keys too', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { tag_id } = await client.ok('POST', '/api/tags', {
      name: 'Drawing',
      fields: { drawing: 'File', artist: 'String' },
    })
    const file_id = await uploaded(client, 'drawing.svg', DRAWING)
    for (let i = 1; i <= 9; i++)
      await client.ok('POST', '/api/items', {
        name: `Sheet ${i}`,
        tags: [
          {
            tag_ref: { Existing: tag_id },
            field_values: { artist: 'Ada', ...(i > 1 && { drawing: [{ file_id }] }) },
          },
        ],
      })
    await page.goto(`/tags/${tag_id}?s=created_at`)
    await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Gallery' }).click()
    const tile = (name: string) => page.getByRole('button', { name, exact: true })
    await tile('Sheet 1').waitFor()
    await expect.poll(() => page.locator('[data-layout=gallery] img').count()).toBe(8)
    await picture(page, 'gallery')
    await axe()
    await tile('Sheet 1').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Sheet 2')
    await page.keyboard.press('Shift+Space')
    await page.getByRole('region', { name: 'Selected items' }).getByText('1 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Item' }).waitFor()
  })
})

describe('an item that is changed', () => {
  flow('is drawn again in a calendar and in a gallery, and no other', async ({ page, signIn }) => {
    const client = await signIn()
    const { tag_id } = await client.ok('POST', '/api/tags', {
      name: 'Visit',
      fields: { on: 'Date', photo: 'File' },
    })
    const ids: string[] = []
    for (let i = 1; i <= 6; i++) {
      const tags = [{ tag_ref: { Existing: tag_id }, field_values: { on: `2027-03-1${i}` } }]
      ids.push((await client.ok('POST', '/api/items', { name: `Visit ${i}`, tags })).item_id)
    }
    for (const [layout, name] of [
      ['calendar', 'Another'],
      ['gallery', 'Still another'],
    ] as const) {
      await page.goto(`/tags/${tag_id}?l=${layout}&on=2027-03-10`)
      await page.getByRole('button', { name: 'Visit 6' }).waitFor()
      const drawn = await watchDrawn(page, '[data-item]', 'data-item')
      await client.ok('PUT', `/api/items/${ids[2]}`, { name })
      await page.getByRole('button', { name, exact: true }).waitFor()
      expect(await drawn()).toEqual([ids[2]])
    }
  })
})
