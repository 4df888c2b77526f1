import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { cellOf } from '#test/web/support/cell.ts'
import { flow } from '#test/web/support/flow.ts'
import { watchDrawn } from '#test/web/support/drawn-again.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('the table', () => {
  flow('shows, sorts and searches the items of a tag', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client)
    await page.goto(`/tags/${task}`)
    await page.getByRole('row', { name: /Draft the contract 60/ }).waitFor()
    await picture(page, 'table')
    await axe()
    await page.getByRole('button', { name: 'effort' }).first().click()
    await page.waitForURL(/s=.*effort/)
    await page.getByRole('searchbox').fill('plumber')
    await page.getByText('6', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'plumber' }).count()).toBe(6)
    await expect.poll(() => page.locator('[data-row]').count()).toBe(6)
    await page.reload()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('plumber')
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByRole('heading', { name: 'No items match' }).waitFor()
    await picture(page, 'no-match', { widths: ['wide'] })
    await page.getByRole('button', { name: 'Clear filter and search' }).click()
    await page
      .getByRole('row', { name: /Water the plants/ })
      .first()
      .waitFor()
  })

  flow(
    'is saved as a file: what its filter and search find, in its order',
    async ({ page, signIn, service, axe }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 20)
      await page.goto(`/tags/${task}?q=plumber&s=name:desc`)
      await expect.poll(() => page.locator('[data-row]').count()).toBe(2)
      const saved = async (label: string) => {
        const download = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Export', exact: true }).click()
        await page.getByRole('menuitem', { name: label }).click()
        const file = await download
        const path = join(service.folder, file.suggestedFilename())
        await file.saveAs(path)
        return { name: file.suggestedFilename(), bytes: await readFile(path) }
      }
      const csv = await saved('CSV, for spreadsheets')
      expect(csv.name).toBe('Task.csv')
      const [head, ...lines] = csv.bytes.toString().trimEnd().split('\r\n')
      expect(head).toMatch(/^item_id,name,description,Task\./)
      expect(lines.map((line) => line.split(',')[1])).toEqual(['Call the plumber 6', 'Call the plumber 16'])
      await axe()
      const zip = await saved('Markdown, as a zip')
      expect([zip.name, zip.bytes.subarray(0, 2).toString()]).toEqual(['Task.zip', 'PK'])
    },
  )

  flow(
    'finds by any of the words where none has all, best first and with what was met',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 9)
      await client.ok('PUT', `/api/items/${ids[3]}`, {
        name: 'Kitchen',
        description: '<p>The <b>plumber</b> measured the new sink.</p>',
      })
      await page.goto(`/tags/${task}`)
      await page.getByRole('searchbox').fill('when did the plumber measure our cellar')
      await page.getByText('Nothing has all of these words').waitFor()
      const first = page.locator('[data-row="0"]')
      await expect.poll(() => first.textContent()).toContain('plumber')
      const kitchen = page.getByRole('row', { name: /Kitchen/ })
      await expect.poll(() => kitchen.locator('mark').allTextContents()).toContain('plumber')
      await page.getByRole('searchbox').fill('sink plumber')
      await expect.poll(() => page.locator('[data-row]').count()).toBe(1)
      await page.getByText('Nothing has all of these words').waitFor({ state: 'detached' })
    },
  )

  flow('edits every type by keys alone', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, person, ids } = await makeTasks(client, 9)
    const first = 'Water the plants 1'
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cellOf(page, first, 'Name')).click()
    const press = (key: string) => page.keyboard.press(key)
    await press('F2')
    await page.getByLabel(`Name of ${first}`).waitFor()
    await press('End')
    await page.keyboard.type('!')
    await press('Tab') // to status
    await press('Enter')
    await page.getByRole('listbox').waitFor()
    await picture(page, 'edit-select', { widths: ['wide'] })
    await axe()
    await press('4')
    await (await cellOf(page, first, 'finished_on')).click()
    await press('Control+;')
    await (await cellOf(page, first, 'effort')).click()
    await page.keyboard.type('many')
    await press('Enter')
    await page.getByRole('alert').waitFor()
    await picture(page, 'edit-fault', { widths: ['wide'] })
    await press('Escape')
    await page.keyboard.type('7,5')
    await press('Enter')
    await (await cellOf(page, first, 'urgent')).click()
    await press('Space')
    await (await cellOf(page, first, 'labels')).click()
    await page.keyboard.type('lat')
    await press('Enter')
    await press('Tab')
    await (await cellOf(page, first, 'assignee')).click()
    await page.keyboard.type('Grace')
    await page.getByRole('option', { name: /Grace/ }).waitFor()
    await picture(page, 'edit-reference', { widths: ['wide'] })
    await press('Enter')
    await (await cellOf(page, 'Mend the roof 2', 'assignee')).click()
    await page.keyboard.type('Hedy')
    await page.getByRole('option', { name: 'Create “Hedy”' }).waitFor()
    await press('Enter')
    await (await cellOf(page, 'Mend the roof 2', 'assignee')).getByText('Hedy').waitFor()
    await (await cellOf(page, first, 'note')).click()
    await page.keyboard.type('Bring the ladder')
    await press('Enter')
    await (await cellOf(page, first, 'due')).click()
    await press('Delete')
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values)
      .toMatchObject({
        status: { variant: 'done' },
        finished_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        effort: 7.5,
        labels: ['home', 'work', 'later'],
        note: 'Bring the ladder',
        due: null,
      })
    const item = await client.ok('GET', `/api/items/${ids[0]}`)
    expect(item.name).toBe(`${first}!`)
    const named = async (id: string | undefined) => client.ok('GET', `/api/items/${id}`)
    expect((await named(item.data[task].field_values.assignee)).name).toBe('Grace')
    const other = await named(ids[1])
    expect(await named(other.data[task].field_values.assignee)).toMatchObject({
      name: 'Hedy',
      data: { [person]: { tag_name: 'Person' } },
    })
    await press('Control+z')
    await page
      .getByText(/^Undone/)
      .first()
      .waitFor()
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.due)
      .toBe('2026-01-10')
  })

  flow('pastes a table and says what does not fit', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 9)
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cellOf(page, 'Water the plants 1', 'due')).click()
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '2026-05-01\t3\n2026-05-02\tmany\nsoon\t5')
      document.activeElement!.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    })
    await page.getByRole('dialog').waitFor()
    await page.getByText('This will change 4 cells of 3 items.').waitFor()
    await picture(page, 'paste', { widths: ['wide'] })
    await axe()
    await page.getByRole('button', { name: 'Change the 4 that fit' }).click()
    await expect
      .poll(async () => {
        const items = await Promise.all(ids.slice(0, 3).map((id) => client.ok('GET', `/api/items/${id}`)))
        return items.map(({ data }) => [data[task].field_values.due, data[task].field_values.effort])
      })
      .toEqual([
        ['2026-05-01', 3],
        ['2026-05-02', 1.25],
        ['2026-03-12', 5],
      ])

    const values = async (i: number) =>
      (await client.ok('GET', `/api/items/${ids[i]}`)).data[task].field_values
    const go = async (name: string, label: string) => (await cellOf(page, name, label)).click()
    // One thing is said in the singular.
    await go('Water the plants 1', 'due')
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '2026-05-01\t9\nx\tmany')
      document.activeElement!.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    })
    await page.getByText('1 cell has the value already.').waitFor()
    expect(await page.getByRole('button', { name: 'Change the one that fits' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Cancel' }).click()
    // What is no text is no empty value: it empties nothing.
    await go('Water the plants 1', 'note')
    for (const [kind, said] of [
      ['image/png', 'This field takes no files'],
      ['text/plain', 'There is nothing to paste'],
    ] as const) {
      await page.evaluate((type) => {
        const clipboardData = new DataTransfer()
        if (type === 'image/png') clipboardData.items.add(new File(['x'], 'one.png', { type }))
        else clipboardData.setData(type, '')
        document.activeElement!.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        )
      }, kind)
      await page.getByText(said).first().waitFor()
    }
    expect((await values(0)).note).toBe('Ask before it rains')

    // From cell to cell: a range is shown first, one cell is written at once.
    await go('Water the plants 1', 'due')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Control+c')
    await go('Plan the greenhouse 5', 'due')
    await page.keyboard.press('Control+v')
    await page.getByRole('button', { name: 'Change 2 cells' }).click()
    await expect.poll(() => values(4)).toMatchObject({ due: '2026-05-01', effort: 3 })
    await go('Water the plants 1', 'note')
    await page.keyboard.press('Control+x')
    await expect.poll(async () => (await values(0)).note ?? null).toBeNull()
    await go('Mend the roof 2', 'note')
    await page.keyboard.press('Control+v')
    await expect.poll(async () => (await values(1)).note).toBe('Ask before it rains')
    // Text that is selected on the page is what is copied, and no cell is cut then.
    await go('Water the plants 1', 'due')
    await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('h1')!))
    for (const key of ['Control+c', 'Control+x']) await page.keyboard.press(key)
    await page.evaluate(() => getSelection()!.removeAllRanges())
    await go('Plan the greenhouse 5', 'note')
    await page.keyboard.press('Control+v')
    await expect.poll(async () => (await values(4)).note).toBe('Task')
    expect((await values(0)).due).toBe('2026-05-01')
    // Down from the first, and to the present version of a tag that has changed meanwhile.
    await go('Plan the greenhouse 5', 'effort')
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d']) await page.keyboard.press(key)
    await expect.poll(async () => (await values(6)).effort).toBe(3)
    const { fields } = await client.ok('GET', `/api/tags/${task}`)
    await client.ok('PUT', `/api/tags/${task}`, { fields: { ...fields, note: 'Number' } })
    const outdated = page.getByTitle(/of an earlier version/)
    await outdated.first().waitFor()
    await go('Order seeds 4', 'effort')
    await page.keyboard.press('Control+u')
    const version = async () => (await client.ok('GET', `/api/items/${ids[3]}`)).data[task].schema_version
    await expect.poll(version).toBe(2)
  })

  flow('makes items one after the other', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    const filter = encodeURIComponent(JSON.stringify({ 'Task.status': { match: 'doing' } }))
    await page.goto(`/tags/${task}?f=${filter}`)
    await page.getByRole('row', { name: /Write to Grace/ }).waitFor()
    await page.keyboard.press('c')
    await page.getByText('doing').last().waitFor()
    await picture(page, 'new-item')
    await axe()
    await page.getByLabel('Name of the new item').fill('First')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /First/ }).waitFor()
    await page.keyboard.type('Second')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /Second/ }).waitFor()
    const found = await client.ok('POST', '/api/items/search', {
      filter: { 'Task.status': { match: 'doing' } },
    })
    expect(found.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['First', 'Second']),
    )
    // By the bar of a phone, and many at once there.
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 780 })
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'New' }).click()
    await page.getByLabel('Name of the new item').fill('Third')
    await page.keyboard.press('Enter')
    const cards = page.getByRole('main').getByRole('listitem')
    await expect.poll(() => cards.count()).toBe(4)
    await page.getByRole('checkbox', { name: 'Select Third' }).check()
    await page.getByText('1 selected').first().waitFor()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByLabel('Type 4 to go on').fill('4')
    await page.getByRole('button', { name: 'Delete 4 items' }).click()
    await page.getByRole('heading', { name: 'No items match' }).waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone: Deleted 4 items').first().waitFor()
  })

  flow('shows a value beside a long name of its field on a card', async ({ page, signIn }) => {
    const client = await signIn()
    const field = 'what the client said when we last asked about the deliveries'
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Call', fields: { [field]: 'String' } })
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { [field]: 'Not yet, but in the spring' } }]
    await client.ok('POST', '/api/items', { name: 'First call', tags })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`/tags/${tag_id}`)
    const card = page.getByRole('main').getByRole('button', { name: 'First call' })
    const [value, whole] = [await card.getByText('Not yet').boundingBox(), await card.boundingBox()]
    expect(value!.width).toBeGreaterThan(100)
    expect(value!.x).toBeLessThan(whole!.x + whole!.width - 100)
  })

  flow('selects rows, arranges columns and remembers that', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, person, ids } = await makeTasks(client, 9)
    await client.ok('POST', `/api/items/${ids[0]}/tags`, {
      tag: { tag_ref: { Existing: person }, field_values: { team: 'Yard' } },
    })
    await page.goto(`/tags/${task}`)
    await (await cellOf(page, 'Water the plants 1', 'Name')).click()
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('Shift+Space')
    await page.getByText('2 selected').first().waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('9 selected').first().waitFor()
    await picture(page, 'selected', { widths: ['wide', 'tablet'] })
    await axe()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'effort' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Fields of Person' }).click()
    await picture(page, 'columns', { widths: ['wide'] })
    await page.keyboard.press('Escape')
    await (await cellOf(page, 'Water the plants 1', 'due')).click()
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.getByRole('columnheader', { name: 'status' }).getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Keep in sight' }).click()
    await page.reload()
    await page
      .getByRole('row', { name: /Water the plants 1/ })
      .first()
      .waitFor()
    const headings = async () =>
      (await page.getByRole('columnheader').allInnerTexts()).map((each) => each.trim()).filter(Boolean)
    await expect
      .poll(async () => (await headings()).slice(0, 4))
      .toEqual(['Name', 'status', 'due', 'finished_on'])
    expect(await headings()).not.toContain('effort')
    await (await cellOf(page, 'Water the plants 1', 'Person.team')).getByText('Yard').waitFor()
    const left = async (label: string) =>
      (await page.getByRole('columnheader', { name: label }).first().boundingBox())!.x
    const [kept, scrolled] = [await left('status'), await left('due')]
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(300, 0))
    await expect.poll(() => left('due')).toBeLessThan(scrolled)
    expect(await left('status')).toBe(kept)
    // To the beginning, though the name has been in sight all the time.
    await (await cellOf(page, 'Water the plants 1', 'Name')).click()
    expect(await left('due')).toBeLessThan(scrolled)
    await page.keyboard.press('Home')
    await expect.poll(() => left('due')).toBe(scrolled)
    // Wide enough for all columns with the item beside them.
    await page.setViewportSize({ width: 3000, height: 800 })
    // A heading is dragged past the middle of another; what is dragged is not sorted by.
    const placeOf = async (name: string) =>
      (await page.getByRole('columnheader', { name }).first().boundingBox())!
    const [from, over] = [await placeOf('starts_at'), await placeOf('due')]
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(over.x + 20, over.y + 10, { steps: 12 })
    await page.mouse.up()
    await expect.poll(async () => (await headings()).slice(1, 4)).toEqual(['status', 'starts_at', 'due'])
    expect(new URL(page.url()).search).not.toContain('sort')
  })

  flow(
    'keeps what is typed when the session ends, and saves it after the sign-in',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 3)
      await page.goto(`/tags/${task}`)
      await (await cellOf(page, 'Water the plants 1', 'note')).click()
      await client.ok('POST', '/api/auth/logout')
      await page.keyboard.type('Kept')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
      await picture(page, 'session-ended', { widths: ['wide'] })
      await page.getByLabel('Password').fill('correct horse')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const { email } = await page.evaluate(async () => (await fetch('/api/auth/me')).json())
      await client.ok('POST', '/api/auth/login', { email, password: 'correct horse' })
      await expect
        .poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.note)
        .toBe('Kept')
    },
  )

  flow(
    'has the item of its row beside it where there is room, until it is closed',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 4)
      await page.goto(`/tags/${task}?s=created_at`)
      const beside = page.getByRole('complementary', { name: 'Item' })
      const heading = (name: string) => beside.getByRole('heading', { level: 1, name })
      await heading('Water the plants 1').waitFor()
      await picture(page, 'table-beside', { widths: ['wide'] })
      await axe()
      await page.locator('[data-cell="0:0"]').click()
      await page.keyboard.press('ArrowDown')
      await heading('Mend the roof 2').waitFor()
      await page.keyboard.press('Escape')
      await beside.waitFor({ state: 'detached' })
      await page.reload()
      await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
      expect(await beside.count()).toBe(0)
      // Asked for once, it is there again.
      await page.locator('[data-cell="2:0"]').click()
      await page.keyboard.press('Space')
      await heading('Write to Grace 3').waitFor()
      await page.reload()
      await heading('Write to Grace 3').waitFor()
      // As a board too, where it goes along with the focus; what opened by itself goes where it is narrow.
      await page.goto(`/tags/${task}?l=board`)
      await beside.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Mend the roof 2', exact: true }).focus()
      await heading('Mend the roof 2').waitFor()
      await page.setViewportSize({ width: 820, height: 900 })
      await beside.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Mend the roof 2', exact: true }).waitFor()
    },
    { context: { viewport: { width: 1680, height: 900 } } },
  )

  flow('keeps the cursor on its item where others take its place', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 9)
    const values = async (i: number) =>
      (await client.ok('GET', `/api/items/${ids[i]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cellOf(page, 'Call the plumber 6', 'effort')).click()
    for (const key of ['Shift+ArrowUp', 'Shift+ArrowUp']) await page.keyboard.press(key)
    // Another order: one cell is left of the range, and the heading keeps what it means by itself.
    const heading = page.getByRole('button', { name: 'effort', exact: true })
    await heading.click()
    await page.waitForURL(/s=.*effort/)
    await page.locator('[data-row="0"]').getByText('Water the plants 1').waitFor()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Enter')
    await page.waitForURL(/s=.*effort.*desc/)
    await page.locator('[data-row="0"]').getByText('Test the engine 9').waitFor()
    await expect.poll(() => heading.evaluate((each) => each === document.activeElement)).toBe(true)
    const here = page.locator('[role=gridcell][tabindex="0"]')
    await expect.poll(() => here.textContent()).toBe('3.25')
    // A column that comes before it, and an item.
    await here.focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'due' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => here.textContent()).toBe('2.25')
    await here.focus()
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('One more')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /One more/ }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => here.textContent()).toBe('2.25')
    await here.focus()
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await values(2)).effort ?? null).toBeNull()
    const others = await Promise.all([0, 1, 3, 4, 5, 6, 7, 8].map(values))
    expect(others.map(({ effort }) => effort)).toEqual([0.25, 1.25, 3.25, 4.25, 5.25, 6.25, 7.25, 8.25])
  })

  flow('draws the row of an edit again, and no other', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 12)
    const stored = async () => (await client.ok('GET', `/api/items/${ids[3]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Plan the greenhouse 5/ }).waitFor()
    await (await cellOf(page, 'Order seeds 4', 'effort')).click()
    const drawn = await watchDrawn(page, '[role=row][data-row]', 'data-row')
    await page.keyboard.type('88')
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await stored()).effort).toBe(88)
    await (await cellOf(page, 'Order seeds 4', 'effort')).getByText('88').waitFor()
    await page.keyboard.press('Space')
    await expect.poll(async () => (await stored()).urgent).not.toBeUndefined()
    expect(await drawn()).toEqual(['3'])
  })

  flow('takes back the item that a reference was made for', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 2)
    await page.goto(`/tags/${task}?s=created_at`)
    const first = await cellOf(page, 'Water the plants 1', 'assignee')
    await first.click()
    await page.keyboard.type('Hedy')
    await page.getByRole('option', { name: 'Create “Hedy”' }).waitFor()
    await page.keyboard.press('Enter')
    await first.getByText('Hedy').waitFor()
    const made = async () =>
      (await client.ok('POST', '/api/items/aggregate', { filter: { name: 'Hedy' } })).total_items
    expect(await made()).toBe(1)
    await page.keyboard.press('Control+z')
    await first.getByText('Ada').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(made).toBe(0)
  })

  flow(
    'begins an edit with every letter that a keyboard can type',
    async ({ page, open, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 2)
      const press = async (on: Page, keys: Omit<KeyboardEventInit, 'view'>) => {
        await (await cellOf(on, 'Water the plants 1', 'note')).click()
        await on.evaluate(
          (init) =>
            document.activeElement!.dispatchEvent(
              new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }),
            ),
          keys,
        )
      }
      const note = (on: Page) => on.getByRole('textbox', { name: /^note of/ })
      const begins = async (on: Page, keys: KeyboardEventInit, text: string) => {
        await press(on, keys)
        await note(on).waitFor()
        expect(await note(on).inputValue()).toBe(text)
        await on.keyboard.press('Escape')
        await note(on).waitFor({ state: 'detached' })
      }
      await page.goto(`/tags/${task}?s=created_at`)
      await begins(page, { key: 'å', altKey: true }, 'å')
      // What it becomes is composed in place of what stands there.
      await begins(page, { key: 'Dead', altKey: true }, 'Ask before it rains')
      // On Windows AltGr is both.
      const windows = await open({ userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' })
      await windows.context().addCookies(await page.context().cookies())
      await windows.goto(`/tags/${task}?s=created_at`)
      await begins(windows, { key: '€', altKey: true, ctrlKey: true, modifierAltGraph: true }, '€')
      // There Alt opens the browser's menus.
      await press(windows, { key: 'd', altKey: true })
      await begins(windows, { key: 'x' }, 'x')
    },
    { context: { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' } },
  )

  flow('leaves the cells alone while a heading has the focus', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cellOf(page, 'Mend the roof 2', 'effort')).click()
    const before = await client.ok('GET', `/api/items/${ids[1]}`)
    const heading = page
      .getByRole('columnheader', { name: /^effort/ })
      .getByRole('button')
      .first()
    await heading.focus()
    await page.evaluate(() => navigator.clipboard.writeText('99'))
    for (const keys of ['Control+v', 'Control+x', 'Control+d', 'Control+u']) {
      await page.keyboard.press(keys)
      expect(await heading.evaluate((own) => own === document.activeElement)).toBe(true)
    }
    await (await cellOf(page, 'Mend the roof 2', 'note')).click()
    await page.keyboard.type('Dry')
    await page.keyboard.press('Enter')
    const values = async () => (await client.ok('GET', `/api/items/${ids[1]}`)).data[task].field_values
    await expect.poll(async () => (await values()).note).toBe('Dry')
    expect(await values()).toEqual({ ...before.data[task].field_values, note: 'Dry' })
  })
})
