import { text } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import { choose } from '#test/web/support/choose.ts'
import { day, flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { focused, typeInto } from '#test/web/support/type-into.ts'

describe('fields where their values are', () => {
  flow('are added, renamed and given another type from the headings', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 4)
    const fields = async () =>
      (await client.ok('GET', '/api/tags')).find(({ tag_id }: { tag_id: string }) => tag_id === task).fields
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    const { keyboard } = page
    const dialog = page.getByRole('dialog')
    // What is at the right of all columns is drawn once one is there.
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo({ left: 10_000 }))
    await page.getByRole('button', { name: 'Add a column' }).click()
    await page.getByRole('menuitem', { name: 'New field…' }).click()
    const name = dialog.getByLabel('Name', { exact: true })
    await focused(name)
    await keyboard.press('Enter')
    await dialog.getByRole('alert').filter({ hasText: 'A field needs a name' }).waitFor()
    await keyboard.type('mood')
    await choose(dialog.getByLabel('Type', { exact: true }), 'One of a list (Select)')
    await dialog.getByLabel('What it can be, one a line').fill('good\nbad\n\ngood')
    await picture(page, 'field-new', { widths: ['wide', 'phone'] })
    await axe()
    await dialog.getByRole('button', { name: 'Add the field' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await fields()).mood).toEqual({ type: 'Select', variants: ['good', 'bad'] })
    await page.getByRole('columnheader', { name: /^mood/ }).waitFor()
    await picture(page, 'table-add', { widths: ['wide'] })
    // Its name and its type, from its own menu: what does not fit is said before.
    await page.getByRole('button', { name: 'Column note' }).click()
    await page.getByRole('menuitem', { name: 'Name and type…' }).click()
    await focused(name)
    await name.fill('remark')
    await keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(Object.keys(await fields())).toContain('remark')
    await page.getByRole('button', { name: 'Column remark' }).click()
    await page.getByRole('menuitem', { name: 'Name and type…' }).click()
    await focused(name)
    await choose(dialog.getByLabel('Type', { exact: true }), 'Number')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('row', { name: /remark.*another type/ }).waitFor()
    await dialog.getByRole('button', { name: 'Go on editing' }).click()
    await keyboard.press('Escape')
    expect((await fields()).remark).toBe('String')
    // The whole table for a mail, with its headings.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    // The clipboard is one for all flows: what goes there is read on its way.
    const copying = page.evaluate(
      () =>
        new Promise<string[]>((resolve, reject) => {
          const write = navigator.clipboard.write.bind(navigator.clipboard)
          navigator.clipboard.write = async (items: ClipboardItem[]) => {
            await write(items)
            const types = ['text/plain', 'text/html']
            const texts = types.map(async (type) => (await items[0]!.getType(type)).text())
            Promise.all(texts).then(resolve, reject)
          }
        }),
    )
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Copy as a table' }).click()
    await page.getByText('Copied 4 rows').first().waitFor()
    const copied = await copying
    expect(copied[0]).toMatch(/^Name\tstatus\t.*\nWater the plants 1\tidea\t/)
    expect(copied[1]).toContain('<td>Water the plants 1</td><td>idea</td>')
    // Its effort, by what sheets read whatever their language is.
    expect(copied[1]).toMatch(/data-sheets-value="[^"]*0\.25[^"]*"[^>]*>0\.25</)
    // Under the last row is where the next one comes.
    await page.getByRole('button', { name: 'Add an item' }).click()
    await typeInto(page.getByRole('form', { name: 'New item' }).getByRole('textbox'), 'Wash the windows')
    await keyboard.press('Enter')
    await page.getByRole('row', { name: /Wash the windows/ }).waitFor()
    await keyboard.press('Escape')
  })

  flow('begin with what a template says, which an item was saved as', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 1)
    await client.ok('PUT', `/api/items/${ids[0]}`, { description: '<p>Fill the can first</p>' })
    const { data: made } = await client.ok('GET', `/api/items/${ids[0]}`)
    await page.goto(`/items/${ids[0]}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as a template…' }).click()
    const name = page.getByRole('dialog').getByLabel('Name of the template')
    await focused(name)
    await name.fill('Watering')
    await picture(page, 'template-save', { widths: ['wide', 'phone'] })
    await axe()
    await page.keyboard.press('Enter')
    await page.getByText('New offers Watering from now on').first().waitFor()
    const [{ filter }] = await client.ok('GET', '/api/views')
    const days = Math.round((Date.parse(made[task].field_values.due) - Date.parse(day())) / 86_400_000)
    expect(filter.and).toContainEqual({ [`${task}.due`]: { eq: { today: days } } })
    // It is no view that people look at.
    await page.goto(`/tags/${task}`)
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Watering' }).count()).toBe(0)
    await page.getByRole('button', { name: 'New from a template' }).click()
    await page.getByRole('menuitem', { name: 'Watering' }).click()
    const bar = page.getByRole('form', { name: 'New item' })
    await bar.getByText('Watering').waitFor()
    await bar.getByRole('button', { name: 'Without effort' }).click()
    await picture(page, 'template-new', { widths: ['wide', 'phone'] })
    await axe()
    await typeInto(bar.getByRole('textbox'), 'Water the roses')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /Water the roses/ }).waitFor()
    const [roses] = await client.ok('POST', '/api/items/search', { filter: { name: 'Water the roses' } })
    const item = await client.ok('GET', `/api/items/${roses.item_id}`)
    expect(item.description).toBe('<p>Fill the can first</p>')
    const { effort, ...values } = made[task].field_values
    expect(effort).toBeDefined()
    expect(item.data[task].field_values).toEqual(values)
    // A field that is renamed is renamed in it; what it asks for is changed where it is looked at.
    const { fields } = (await client.ok('GET', '/api/tags')).find(
      ({ tag_id }: { tag_id: string }) => tag_id === task,
    )
    await client.ok('PUT', `/api/tags/${task}`, {
      fields: Object.fromEntries(
        Object.entries(fields).map(([key, schema]) => [key === 'note' ? 'remark' : key, schema]),
      ),
      rename_fields: { note: 'remark' },
    })
    await page.goto('/views')
    await page.getByRole('list', { name: 'Templates' }).getByRole('link', { name: 'Watering' }).click()
    await page.getByRole('heading', { level: 1, name: 'Watering' }).waitFor()
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    await page.getByRole('button', { name: 'New item' }).click()
    await bar.getByText('remark: Ask before it rains').waitFor()
    await page.keyboard.press('Escape')
  })

  flow('are duplicated with their tag, and with their item', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 1)
    const { data: made } = await client.ok('GET', `/api/items/${ids[0]}`)
    await page.goto(`/items/${ids[0]}`)
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { level: 1, name: 'Water the plants 1 (copy)' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const copy = await client.ok('GET', `/api/items/${id}`)
    expect(copy.data[task].field_values).toEqual(made[task].field_values)
    await axe()
    // Of an item with a value whose field has left its tag the rest is copied, and it says so.
    const { tag_id } = await client.ok('POST', '/api/tags', {
      name: 'Bed',
      fields: { soil: 'String', size: 'Number' },
    })
    const field_values = { soil: 'clay', size: 3 }
    const bed = await client.ok('POST', '/api/items', {
      name: 'Roses',
      tags: [{ tag_ref: { Existing: tag_id }, field_values }],
    })
    await client.ok('PUT', `/api/tags/${tag_id}`, { fields: { size: 'Number' } })
    await page.goto(`/items/${bed.item_id}`)
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByText('Not copied, as it no longer fits: soil').first().waitFor()
    await page.getByRole('heading', { level: 1, name: 'Roses (copy)' }).waitFor()
    const roses = await client.ok('GET', `/api/items/${new URL(page.url()).pathname.split('/').at(-1)}`)
    expect(roses.data[tag_id].field_values).toEqual({ size: 3 })
    await client.ok('DELETE', `/api/tags/${tag_id}`)
    await page.goto(`/tags/${task}/schema`)
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByLabel('Variant doing').waitFor()
    await page.getByRole('button', { name: 'Make this tag' }).click()
    await page.getByRole('heading', { level: 1, name: 'Task (copy)' }).waitFor()
    const tags = await client.ok('GET', '/api/tags')
    const [one, two] = ['Task', 'Task (copy)'].map((name) =>
      tags.find((tag: { name: string }) => tag.name === name),
    )
    expect(two.fields).toEqual(one.fields)
    // Its headings are there before its first item.
    await page.getByRole('heading', { name: 'Nothing in Task (copy) yet' }).waitFor()
    await page.getByRole('columnheader', { name: /^status/ }).waitFor()
    await picture(page, 'table-empty', { widths: ['wide', 'phone'] })
    await page.getByRole('button', { name: 'Add a column' }).click()
    await page.getByRole('menuitem', { name: 'New field…' }).click()
    await typeInto(page.getByRole('dialog').getByLabel('Name', { exact: true }), 'size')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add an item' }).click()
    await typeInto(page.getByRole('form', { name: 'New item' }).getByRole('textbox'), 'First')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /First/ }).waitFor()
    await page.keyboard.press('Escape')
  })

  flow(
    'shows what lies behind a reference as a column, live, and exports it',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task, person, people } = await makeTasks(client, 6)
      const join = (who: string | undefined, team: string) =>
        client.ok('PUT', `/api/items/${who}/tags/${person}`, { field_values: { team } })
      await join(people[0], 'Garden')
      await page.goto(`/tags/${task}?s=created_at`)
      await page.getByRole('row', { name: /Water the plants 1 / }).waitFor()
      await page.getByRole('button', { name: 'Add a column' }).click()
      await page.getByRole('menuitem', { name: 'assignee → team' }).click()
      const heading = page.getByRole('columnheader', { name: /^assignee → team/ })
      await heading.waitFor()
      const first = page.getByRole('row', { name: /Water the plants 1 / })
      await first.getByText('Garden').waitFor()
      await picture(page, 'table-path', { widths: ['wide'] })
      await axe()
      // Somebody else changes what lies there.
      await join(people[0], 'Roof')
      await first.getByText('Roof').waitFor()
      // By keys as by mouse it is only read.
      const cell = first.getByText('Roof')
      await cell.click()
      await page.keyboard.type('x')
      await cell.waitFor()

      // The second way: by the heading of the reference.
      await page.getByRole('button', { name: 'Column watchers' }).click()
      await page.getByRole('menuitem', { name: 'Show watchers → team' }).click()
      await page.getByRole('columnheader', { name: /^watchers → team/ }).waitFor()
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: /^CSV/ }).click()
      const csv = await text(await (await download).createReadStream())
      expect(csv.split('\n')[0]).toContain('Task.assignee->Person.team')
      expect(csv).toContain('Roof')

      // Kept with the table, until it is hidden.
      await page.reload()
      await heading.waitFor()
      await page.getByRole('button', { name: /^Column assignee → team/ }).click()
      await page.getByRole('menuitem', { name: 'Hide' }).click()
      await heading.waitFor({ state: 'detached' })
    },
  )

  flow('keep what they can be where one goes on editing', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 4)
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo({ left: 10_000 }))
    await page.getByRole('button', { name: 'Column note' }).click()
    await page.getByRole('menuitem', { name: 'Name and type…' }).click()
    const dialog = page.getByRole('dialog')
    await choose(dialog.getByLabel('Type', { exact: true }), 'One of a list (Select)')
    const variants = dialog.getByLabel('What it can be, one a line')
    await variants.fill('calm\nloud')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Go on editing' }).click()
    await variants.waitFor()
    expect(await variants.inputValue()).toBe('calm\nloud')
  })
})
