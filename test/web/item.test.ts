import { describe, expect } from 'vitest'
import { watchDrawn } from '#test/web/support/drawn-again.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { focused } from '#test/web/support/type-into.ts'

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
const HOSTILE = `<h2>Before the rain</h2><p>Ask <strong>Grace</strong> for the <a href="https://elsewhere.example/ladder">ladder</a>.</p>
<script>document.title = 'taken'</script><style>body { display: none }</style>
<img src="https://tracker.example/pixel.png" alt="a roof"><img src="${PIXEL}" onerror="alert(1)">
<a href="javascript:alert(1)">run</a><form action="https://elsewhere.example"><input name="x"></form>
<p style="position: fixed">Fixed</p><ul><li>Nails</li><li>Tar</li></ul>`

describe('the page of an item', () => {
  flow('is renamed and edited where it has several tags', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, person, ids } = await makeTasks(client, 1)
    const tag = { tag_ref: { Existing: person } }
    await client.ok('POST', `/api/items/${ids[0]}/tags`, { tag })
    await page.goto(`/items/${ids[0]}`)
    await page.getByRole('button', { name: 'Water the plants 1', exact: true }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Water the roses')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Water the roses', exact: true }).waitFor()
    await page.getByRole('button', { name: /^team/ }).click()
    await page.keyboard.type('Garden')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^effort/ }).click()
    await page.keyboard.type('many')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    const data = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data
    await expect.poll(async () => (await data())[person].field_values.team).toBe('Garden')
    expect((await data())[task].field_values.effort).toBe(0.25)
    expect(await page.getByText('This page has failed').count()).toBe(0)
  })

  flow('keeps a name that is too long whole, and says so', async ({ page, signIn }) => {
    const client = await signIn()
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Short' })
    await page.goto(`/items/${item_id}`)
    await page.getByRole('button', { name: 'Short', exact: true }).click()
    const long = `${'x'.repeat(10_000)} end`
    await page.getByLabel('Name of Short').fill('')
    await page.keyboard.insertText(long)
    await page.keyboard.press('Enter')
    await page.getByText('must have at most 1000 characters').first().waitFor()
    await page.getByRole('heading', { level: 1 }).getByRole('button').click()
    expect(await page.getByLabel('Name of Short').inputValue()).toBe(long)
    await page.getByLabel('Name of Short').fill('Shorter')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await client.ok('GET', `/api/items/${item_id}`)).name).toBe('Shorter')
  })

  flow(
    'gives its tags the width of a phone',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const names = ['A tag with a name', 'Another one with a name', 'And one more']
      const tags = names.map((name) => ({ tag_ref: { New: { name, fields: {} } } }))
      const { item_id } = await client.ok('POST', '/api/items', { name: 'Water the plants', tags })
      await page.goto(`/items/${item_id}`)
      const list = page.getByRole('list', { name: 'Tags of this item' })
      await list.waitFor()
      expect((await list.boundingBox())!.width).toBeGreaterThan(300)
      await picture(page, 'item-tags-phone', { widths: ['phone'] })
      await axe()
    },
    { context: { viewport: { width: 390, height: 800 } } },
  )

  flow('shows it whole, and edits every part of it', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 9)
    const [id] = ids
    const read = () => client.ok('GET', `/api/items/${id}`)
    const values = async () => (await read()).data[task].field_values
    await client.ok('PUT', `/api/items/${id}`, { description: '<p>Every <em>evening</em>.</p>' })
    await page.goto(`/items/${id}`)
    await page.getByRole('heading', { level: 1, name: 'Water the plants 1' }).waitFor()
    await page.getByText('Every evening.').waitFor()
    await page.getByRole('link', { name: 'Ada' }).waitFor()
    await picture(page, 'item')
    await axe()

    await page.keyboard.press('F2')
    // The Enter by which an input method takes a word is no end of the edit.
    const keys = await page.context().newCDPSession(page)
    const composing = { selectionStart: 2, selectionEnd: 2 }
    await keys.send('Input.imeSetComposition', { text: '植物', ...composing })
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
    await keys.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter })
    await keys.send('Input.insertText', { text: '植物' })
    await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
    expect(await page.getByLabel('Name of Water the plants 1').inputValue()).toBe('植物')
    await page.getByLabel('Name of Water the plants 1').fill('Water the roses')
    await axe()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Water the roses' }).waitFor()
    await expect.poll(async () => (await read()).name).toBe('Water the roses')

    await page.getByRole('button', { name: /^status/ }).click()
    await page.getByRole('option', { name: /done/ }).waitFor()
    await picture(page, 'item-select', { widths: ['wide'] })
    await page.keyboard.press('4')
    await page.getByRole('button', { name: /^finished_on/ }).waitFor()
    await page.getByRole('button', { name: /^effort/ }).click()
    await page.getByRole('textbox', { name: 'effort of Water the roses' }).fill('7,5')
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.keyboard.press('Enter')
    await expect.poll(values).toMatchObject({ effort: 7.5 })
    // What the answer draws is not counted.
    await answered
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
    const drawn = await watchDrawn(page, 'button[data-item-value]', 'aria-labelledby')
    await page.getByRole('button', { name: /^urgent/ }).click()
    await expect.poll(values).toMatchObject({ urgent: true })
    expect(await drawn()).toHaveLength(1)
    await page.getByRole('button', { name: /^note/ }).click()
    await page.getByRole('textbox', { name: 'note of Water the roses' }).fill('Bring the can')
    await page.keyboard.press('Tab')
    await expect
      .poll(values)
      .toMatchObject({ status: { variant: 'done' }, effort: 7.5, urgent: true, note: 'Bring the can' })
    await page.getByRole('button', { name: /^effort/ }).click()
    await page.getByRole('textbox', { name: 'effort of Water the roses' }).fill('many')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await page
      .getByText(/^Undone/)
      .first()
      .waitFor()
    await expect.poll(async () => (await values()).note).toBe('Ask before it rains')
    // Left while its name is written, by Back: it is saved.
    await page.evaluate(() => history.pushState(null, '', '/trash'))
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Water the roses' }).waitFor()
    await page.keyboard.press('F2')
    await page.getByLabel('Name of Water the roses').fill('Water the lilies')
    await page.evaluate(() => history.pushState(null, '', '/trash'))
    await page.getByRole('textbox').waitFor({ state: 'detached' })
    await expect.poll(async () => (await read()).name).toBe('Water the lilies')
  })

  flow('cleans a description, keeps its text, and shows both of two', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Mend the roof', description: HOSTILE })
    await page.goto(`/items/${item_id}`)
    await page.getByRole('heading', { name: 'Before the rain' }).waitFor()
    await page.getByRole('link', { name: 'Image at tracker.example: a roof' }).waitFor()
    await picture(page, 'item-description')
    await axe()
    const text = page.getByRole('region', { name: 'Description' })
    expect(await text.locator('script, style, form, input, [onerror]').count()).toBe(0)
    expect(await text.getByRole('link', { name: 'run' }).count()).toBe(0)
    expect(await page.title()).toBe('Mend the roof · Facet')

    await page.keyboard.press('e')
    const box = page.getByLabel('Description, as HTML')
    expect(await box.inputValue()).toBe(HOSTILE)
    await page.getByText(/the editor has no place for \(.*script.*style/).waitFor()
    await picture(page, 'item-description-source', { widths: ['wide', 'phone'] })
    await axe()
    await client.ok('PUT', `/api/items/${item_id}`, { description: '<p>Theirs</p>' })
    await box.fill('<p>Mine</p>')
    await page.getByText('Somebody has changed the description meanwhile.').waitFor()
    const both = page.getByRole('alert')
    await both.locator('ins').getByText('Theirs', { exact: true }).waitFor()
    expect(await both.locator('del').innerText()).toBe('Mine')
    await picture(page, 'item-description-both', { widths: ['wide'] })
    await axe()
    const stored = async () => (await client.ok('GET', `/api/items/${item_id}`)).description
    await page.getByRole('button', { name: 'Keep both, mine below' }).click()
    await expect.poll(stored).toBe('<p>Theirs</p>\n<hr>\n<p>Mine</p>')
    await client.ok('PUT', `/api/items/${item_id}`, { description: '<p>Theirs</p>' })
    await box.fill('<p>Mine</p>')
    await page.getByRole('button', { name: 'Replace it by mine' }).click()
    await expect.poll(stored).toBe('<p>Mine</p>')
  })

  flow('follows references, adds and removes tags', async ({ page, signIn }) => {
    const client = await signIn()
    const { people, person, task } = await makeTasks(client, 9)
    await page.goto(`/items/${people[0]}`)
    await page.getByRole('heading', { name: 'Task.assignee' }).waitFor()
    await picture(page, 'item-backlinks', { widths: ['wide', 'phone'] })
    await page.getByRole('link', { name: 'Order seeds 4' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Order seeds 4' }).waitFor()
    await page.getByRole('link', { name: 'Ada' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()

    // A description that links to it does not refer to it, and is told all the same.
    await client.ok('POST', '/api/items', {
      name: 'Minutes',
      description: `<p>Ask <a href="/items/${people[0]}">Ada</a>, not <a href="/items/${people[1]}">Grace</a></p>`,
    })
    await page.goto(`/items/${people[0]}`)
    await page.getByRole('list', { name: 'Mentioned in' }).getByRole('link', { name: 'Minutes' }).waitFor()
    expect(await page.getByRole('list', { name: 'Mentioned in' }).getByRole('link').count()).toBe(1)

    const tags = async () => Object.keys((await client.ok('GET', `/api/items/${people[0]}`)).data).toSorted()
    await page.getByRole('button', { name: 'Add tag' }).waitFor()
    await page.keyboard.press('t')
    await page.getByRole('menuitem', { name: 'Task' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Task' }).waitFor()
    await expect.poll(tags).toEqual([person, task].toSorted())
    await page.getByRole('button', { name: 'Remove Person' }).click()
    await page.getByText('Removed Person from Ada').first().waitFor()
    await page.getByRole('heading', { level: 2, name: 'Person' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByText(/^Undone/)
      .first()
      .waitFor()
    await expect.poll(tags).toEqual([person, task].toSorted())
  })

  flow('keeps a long name within the window, where it is said too', async ({ page, signIn }) => {
    const client = await signIn()
    const { item_id } = await client.ok('POST', '/api/items', { name: 'W'.repeat(1000) })
    await page.goto(`/items/${item_id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('#')
    const message = page.getByRole('region', { name: 'Messages' }).getByText(/WWW/)
    await message.waitFor()
    expect((await message.boundingBox())!.height).toBeLessThan(200)
    const heading = (await page.locator('main h1').boundingBox())!
    expect(heading.x).toBeGreaterThanOrEqual(0)
    expect(heading.x + heading.width).toBeLessThanOrEqual(1280)
  })

  flow('brings the description into view that E edits', async ({ page, signIn }) => {
    const client = await signIn()
    const tags: string[] = []
    for (let i = 0; i < 12; i++)
      tags.push(
        (await client.ok('POST', '/api/tags', { name: `Kind ${i}`, fields: { note: 'String' } })).tag_id,
      )
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'Of many kinds',
      description: '<p>First</p>'.repeat(60),
      tags: tags.map((tag_id) => ({ tag_ref: { Existing: tag_id }, field_values: { note: 'x' } })),
    })
    await page.goto(`/items/${item_id}`)
    await page.getByRole('button', { name: 'Edit description' }).waitFor()
    for (const size of [
      { width: 1280, height: 600 },
      { width: 360, height: 480 },
    ]) {
      await page.setViewportSize(size)
      await page.locator('main').evaluate((main) => {
        for (let each: Element | null = main; each; each = each.parentElement) each.scrollTop = 0
      })
      await page.keyboard.press('e')
      await focused(page.getByRole('textbox', { name: 'Description', exact: true }))
      const isSeen = () =>
        page.evaluate(() => {
          const caret = getSelection()!.anchorNode!.parentElement!.getBoundingClientRect()
          const at = document.elementFromPoint(caret.left + 5, caret.top + caret.height / 2)
          return document.activeElement!.contains(at)
        })
      await expect.poll(isSeen).toBe(true)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Edit description' }).waitFor()
    }
  })

  flow('deletes, takes that back, and says what became of an item', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { ids } = await makeTasks(client, 3)
    await page.goto(`/items/${ids[0]}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/^Deleted on .* by you\.$/).waitFor()
    await picture(page, 'item-deleted', { widths: ['wide', 'phone'] })
    await axe()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByText(/^Undone/)
      .first()
      .waitFor()
    await page.getByRole('heading', { level: 1, name: 'Water the plants 1' }).waitFor()
    await client.ok('DELETE', `/api/items/${ids[0]}`)
    await page.reload()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: /^note/ }).waitFor()
    await page.goto('/items/01JJXZ5T7GQ3M8K4B9R2C6D0EF')
    await page.getByRole('heading', { name: 'There is no such item' }).waitFor()
  })

  flow(
    'gives a reader nothing to change',
    async ({ page, signIn, open }) => {
      const client = await signIn()
      const { ids } = await makeTasks(client, 3)
      const other = await open()
      await signIn(other)
      await other.goto(`/items/${ids[0]}`)
      await other.getByText('You may read this base').waitFor()
      await picture(other, 'item-reader', { widths: ['wide'] })
      const main = other.getByRole('main')
      await main.getByText('Ask before it rains').waitFor()
      // A pin is one's own.
      await main.getByRole('button', { name: 'Pin', exact: true }).waitFor()
      expect(await main.getByRole('button').allInnerTexts()).toEqual(['', 'History'])
      await page.close()
    },
    { env: { DEFAULT_ROLE: 'reader' } },
  )
})
