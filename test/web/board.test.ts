import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { watchDrawn } from '#test/web/support/drawn-again.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

const heads = async (page: Page) =>
  (await page.locator('[data-layout=board] h2').allInnerTexts()).map((each) => each.replaceAll(/\s+/g, ' '))
const column = (page: Page, name: string) =>
  page.locator('[data-layout=board] section').filter({ has: page.getByRole('heading', { name }) })
const card = (page: Page, name: string) => page.locator('[data-item]').filter({ hasText: name })

describe('a board', () => {
  flow('moves cards by pointer and by keys, and takes it back', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 50)
    const statusOf = async (id: string | undefined) =>
      (await client.ok('GET', `/api/items/${id}`)).data[task].field_values.status?.variant ?? null
    await page.goto(`/tags/${task}`)
    await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Board' }).click()
    await page.waitForURL(/l=board/)
    await expect.poll(() => heads(page)).toEqual(['idea 13', 'open 13', 'doing 12', 'done 12', 'No status 0'])
    await picture(page, 'board')
    await axe()
    const drawn = await watchDrawn(page, '[data-drop="is done"] li[data-item]', 'data-item')
    // The pointer drags one; its column says so, and the toast takes it back.
    const from = (await card(page, 'Test the engine 49').boundingBox())!
    const to = (await column(page, 'doing').boundingBox())!
    await page.mouse.move(from.x + 40, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(from.x + 60, from.y + 30)
    await page.mouse.move(to.x + 60, to.y + 90)
    await page.locator('[data-drop="is doing"][data-over]').waitFor()
    await page.mouse.up()
    await expect.poll(() => heads(page)).toEqual(['idea 12', 'open 13', 'doing 13', 'done 12', 'No status 0'])
    await column(page, 'doing').getByText('Test the engine 49').waitFor()
    await expect.poll(() => statusOf(ids[48])).toBe('doing')
    // A column that has nothing to do with it is not drawn again.
    expect(await drawn()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await column(page, 'idea').getByText('Test the engine 49').waitFor()
    await expect.poll(() => heads(page)).toEqual(['idea 13', 'open 13', 'doing 12', 'done 12', 'No status 0'])
    expect(await statusOf(ids[48])).toBe('idea')
    // By keys alone: down, over to the next column, along with the card, and back.
    await card(page, 'Test the engine 49').getByRole('button').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Alt+ArrowRight')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Plan the greenhouse 45')
    await column(page, 'open').getByText('Plan the greenhouse 45').waitFor()
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(() => statusOf(ids[44])).toBe('doing')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(() => statusOf(ids[44])).toBe('idea')
    await column(page, 'idea').getByText('Plan the greenhouse 45').waitFor()
    await expect.poll(() => heads(page)).toEqual(['idea 13', 'open 13', 'doing 12', 'done 12', 'No status 0'])
    // Somebody else moves one: it goes there under everybody's eyes.
    await client.ok('PUT', `/api/items/${ids[48]}/tags/${task}`, {
      field_values: { status: { variant: 'open' } },
      merge: true,
    })
    await column(page, 'open').getByText('Test the engine 49').waitFor()
    await expect.poll(() => heads(page)).toEqual(['idea 12', 'open 14', 'doing 12', 'done 12', 'No status 0'])
  })

  flow('moves all that are selected as one change, by its menu too', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, person } = await makeTasks(client, 24)
    await page.goto(`/tags/${task}?l=board&by=${task}.status&sum=${task}.effort`)
    await expect.poll(() => heads(page).then(([first]) => first)).toMatch(/^idea 6 .*Σ 35\.5$/)
    await card(page, 'Water the plants 21').getByRole('button').first().focus()
    for (const key of ['Shift+Space', 'ArrowDown', 'Shift+Space']) await page.keyboard.press(key)
    await page.getByRole('region', { name: 'Selected items' }).getByText('2 selected').waitFor()
    await card(page, 'Water the plants 21')
      .getByRole('button', { name: /What to do/ })
      .click()
    await axe()
    await page.getByRole('menuitem', { name: 'Move to done' }).click()
    await page.getByText('Moved 2 items to done').first().waitFor()
    await expect.poll(() => heads(page).then(([first]) => first)).toMatch(/^idea 4 /)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => heads(page).then(([first]) => first)).toMatch(/^idea 6 .*Σ 35\.5$/)
    // A new card has the value of its column, and the search narrows all of it.
    await page.getByRole('button', { name: 'New item in doing' }).click()
    await page.keyboard.type('A card of its own')
    await page.keyboard.press('Enter')
    await column(page, 'doing').getByText('A card of its own').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => heads(page).then((all) => all[2])).toMatch(/^doing 7 /)
    await page.getByRole('searchbox').fill('own')
    await expect.poll(() => heads(page)).toEqual(['idea 0', 'open 0', 'doing 1', 'done 0', 'No status 0'])
    await page.getByRole('searchbox').fill('')
    // By another field, kept in a view.
    await page.getByRole('button', { name: /^Columns by/ }).click()
    await page.getByRole('menuitem', { name: 'assignee' }).click()
    await expect
      .poll(() => heads(page).then((all) => all.map((each) => each.split(' ')[0])))
      .toEqual(['Ada', 'Grace', 'Linus', 'No'])
    // So is somebody to whom nothing refers yet.
    await client.ok('POST', '/api/items', {
      name: `Zelda ${'of the long name '.repeat(55)}`,
      tags: [{ tag_ref: { Existing: person } }],
    })
    await page.reload()
    await expect
      .poll(() => heads(page).then((all) => all.map((each) => each.split(' ')[0])))
      .toEqual(['Ada', 'Grace', 'Linus', 'Zelda', 'No'])
    // Of a long name there are two lines.
    const zelda = column(page, 'Zelda')
    expect((await zelda.getByRole('heading').boundingBox())!.height).toBeLessThan(60)
    expect(await zelda.getByTitle(/^Zelda of the long name/).count()).toBe(1)
    await picture(page, 'board-long-name', { widths: ['wide'] })
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('By person')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/views\/\w+$/)
    await expect.poll(() => heads(page).then((all) => all.length)).toBe(5)
    await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Table' }).click()
    await page.getByRole('img', { name: 'Not saved' }).waitFor()
    await page.getByRole('grid').waitFor()
  })

  flow(
    'draws what is in sight of many cards, on a phone too',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 4000)
      await page.goto(`/tags/${task}?l=board&s=created_at`)
      await card(page, 'Water the plants 1').first().waitFor()
      await picture(page, 'board-phone', { widths: ['phone'] })
      // Where a thumb reaches it, whichever card it is of.
      await page.getByRole('button', { name: 'What to do with Water the plants 1', exact: true }).tap()
      const move = page.getByRole('menuitem', { name: 'Move to open' })
      await move.waitFor()
      const sheet = (await page.getByRole('menu').boundingBox())!
      expect([sheet.x, Math.round(sheet.y + sheet.height), sheet.width]).toEqual([0, 740, 360])
      expect((await move.boundingBox())!.height).toBeGreaterThanOrEqual(44)
      await picture(page, 'board-sheet', { widths: ['small'] })
      await move.tap()
      await expect
        .poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.status)
        .toEqual({ variant: 'open' })
      const list = page.locator('[data-cards]').first()
      await list.evaluate((element) => (element.scrollTop = element.scrollHeight / 2))
      await expect.poll(() => list.locator('[data-item]').count()).toBeGreaterThan(3)
      await list.evaluate((element) => (element.scrollTop = element.scrollHeight))
      await list.locator('[data-index="998"]').waitFor()
      expect(await page.locator('[data-item]').count()).toBeLessThan(120)
    },
    { context: { viewport: { width: 360, height: 740 }, hasTouch: true } },
  )
})
