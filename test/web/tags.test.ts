import { describe, expect } from 'vitest'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('tags and their fields', () => {
  flow('makes the first tag by keys alone', async ({ page, signIn, axe }) => {
    const client = await signIn()
    await page.goto('/tags')
    await page.getByRole('heading', { name: 'No tags yet' }).waitFor()
    await picture(page, 'tags-none', { widths: ['wide', 'phone'] })
    await axe()
    await page.keyboard.press('c')
    await page.waitForURL('/tags/new')
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.keyboard.type('Plant')
    await page.getByRole('button', { name: 'Add a field' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('watered on')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Date')
    await page.getByLabel('Name of the field watered on').press('Enter')
    await page.keyboard.type('light')
    await page.keyboard.press('Tab')
    await choose(page.getByLabel('Type of light'), 'One of a list (Select)')
    await page.getByLabel('Variant 1').fill('shade')
    await page.getByLabel('Variant shade').press('Enter')
    await page.keyboard.type('sun')
    await page.keyboard.press('Enter')
    await page.keyboard.type('half')
    await page.keyboard.press('Alt+ArrowUp')
    expect(await page.getByLabel('Variant half').evaluate((each) => document.activeElement === each)).toBe(
      true,
    )
    await picture(page, 'tag-new')
    await axe()
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'Plant' }).waitFor()
    const [tag] = await client.ok('GET', '/api/tags')
    expect(tag).toMatchObject({
      name: 'Plant',
      fields: { 'watered on': 'Date', light: { type: 'Select', variants: ['shade', 'half', 'sun'] } },
    })
    await page.getByRole('button', { name: 'Fields' }).click()
    await page.waitForURL(`/tags/${tag.tag_id}/schema`)
    await page.getByLabel('Name of the field light').waitFor()
  })

  flow('renames, retypes and previews before it saves, and brings values up to date', async (given) => {
    const { page, signIn, axe } = given
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 12)
    await client.ok('PUT', `/api/items/${ids[0]}/tags/${task}`, { field_values: { note: '12' }, merge: true })
    await page.goto(`/tags/${task}/schema`)
    await page.getByLabel('Name of the field due').fill('deadline')
    await page.getByLabel('Variant idea').fill('someday')
    await page.getByRole('button', { name: 'Remove starts_at' }).click()
    await page.getByLabel('Name of the field effort').fill('deadline')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByText('There is a field “deadline” already').waitFor()
    await picture(page, 'tag-fault', { widths: ['wide'] })
    // One that is too long is kept whole.
    await page.getByLabel('Name of the field deadline').nth(1).fill('e'.repeat(250))
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('alert').getByText('200').waitFor()
    await page.getByLabel(`Name of the field ${'e'.repeat(250)}`, { exact: true }).fill('effort')
    await page.getByRole('button', { name: 'Save…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save Task?' })
    await dialog.getByText('Version 1 becomes version 2.').waitFor()
    await dialog.getByRole('row', { name: /deadline.*was due.*12 values, kept/ }).waitFor()
    await dialog.getByRole('row', { name: /starts_at.*removed.*3 values/ }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const tag = await client.ok('GET', `/api/tags/${task}`)
    expect(Object.keys(tag.fields)).toContain('deadline')
    expect(tag.fields.status.variants[0]).toBe('someday')
    const item = await client.ok('GET', `/api/items/${ids[1]}`)
    expect(item.data[task].field_values.deadline).toBe('2026-02-11')

    await choose(page.getByLabel('Type of note'), 'Number')
    await page.getByRole('button', { name: 'Save…' }).click()
    await dialog.getByRole('row', { name: /note.*another type.*1 fit, 2 do not/ }).waitFor()
    await picture(page, 'tag-preview')
    await axe()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('5 values of older versions do not fit:').waitFor()
    await picture(page, 'tag-outdated', { widths: ['wide', 'phone'] })
    await axe()
    await page.getByRole('button', { name: /^Drop them/ }).click()
    await page.getByText('Brought 12 items of Task up to date').first().waitFor()
    await page.getByText(/versions do not fit:/).waitFor({ state: 'detached' })
    expect((await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.note).toBe(12)
    // Dropping first, then the change of the tag.
    for (const words of [/Undone: Brought/, /Undone: Changed the tag Task/]) {
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('Control+z')
      await page.getByText(words).first().waitFor()
      await page.getByRole('button', { name: 'Close message' }).first().click()
    }
    expect((await client.ok('GET', `/api/tags/${task}`)).fields.note).toBe('String')
  })

  flow('brings items up to date, and takes just that back', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    const read = async (i: number) => (await client.ok('GET', `/api/items/${ids[i]}`)).data[task]
    const before = (await read(1)).schema_version
    const { fields } = await client.ok('GET', `/api/tags/${task}`)
    const { schema_version } = await client.ok('PUT', `/api/tags/${task}`, {
      fields: { ...fields, note: 'Number' },
    })
    const { keyboard } = page
    const cell = async (row: number) => {
      const heading = page.getByRole('columnheader', { name: 'effort' }).first()
      return page.locator(`[data-cell="${row}:${Number(await heading.getAttribute('aria-colindex')) - 2}"]`)
    }
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cell(2)).click()
    await keyboard.type('99')
    await keyboard.press('Enter')
    await expect.poll(async () => (await read(2)).field_values.effort).toBe(99)
    const undo = async (what: string) => {
      await expect.poll(async () => (await read(1)).schema_version).toBe(schema_version)
      await keyboard.press('Control+z')
      await page.getByText(`Undone: Brought ${what} up to date`).first().waitFor()
      expect((await read(1)).schema_version).toBe(before)
      expect((await read(2)).field_values.effort).toBe(99)
    }
    await (await cell(0)).click()
    await keyboard.press('Shift+ArrowDown')
    await keyboard.press('Control+u')
    await undo('2 items')

    await page.goto(`/items/${ids[1]}`)
    const button = page.getByRole('button', { name: 'Bring up to date' })
    const path = `**/api/items/*/tags/${task}`
    const message = 'Too many requests'
    await page.route(path, (route) =>
      route.fulfill({ status: 429, json: { error: 'TooManyRequests', message } }),
    )
    await button.click()
    await page.getByText(message).first().waitFor()
    await page.unroute(path)
    await button.click()
    await page.getByText('Brought Mend the roof 2 up to date').first().waitFor()
    await undo('Mend the roof 2')
    await button.waitFor()
  })

  flow(
    'moves rows by the pointer, gives variants fields, and shows the tree',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task, person } = await makeTasks(client, 5)
      await page.goto(`/tags/${task}/schema`)
      const grip = (name: string) =>
        page
          .locator('[data-reorder]', { has: page.getByLabel(name, { exact: true }) })
          .last()
          .locator('span')
          .first()
      const from = (await grip('Variant doing').boundingBox())!
      const to = (await grip('Variant idea').boundingBox())!
      await page.mouse.move(from.x + 8, from.y + 12)
      await page.mouse.down()
      await page.mouse.move(to.x + 8, to.y + 4, { steps: 8 })
      await page.mouse.up()
      await page.getByRole('button', { name: 'Give doing a field of its own' }).click()
      await page.getByLabel('Name of the new field').fill('since')
      await choose(page.getByLabel('Type of since'), 'Date')
      await choose(page.getByLabel('Is also a'), 'Person')
      await picture(page, 'tag-sub-fields')
      // Nothing lies half under the bar below.
      await page.getByRole('button', { name: 'Add a field', exact: true }).last().scrollIntoViewIfNeeded()
      await axe()
      await page.getByRole('button', { name: 'Save…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByText('Changed the tag Task').first().waitFor()
      const tag = await client.ok('GET', `/api/tags/${task}`)
      expect(tag.extends).toEqual([person])
      expect(tag.fields.status.variants.slice(0, 2)).toEqual([
        { name: 'doing', fields: { since: 'Date' } },
        'idea',
      ])
      await page.goto('/tags')
      await page.getByText('5 items').waitFor()
      await picture(page, 'tags')
      await axe()
      const inner = page
        .getByRole('main')
        .getByRole('list')
        .getByRole('list')
        .getByRole('link', { name: 'Task', exact: true })
      await expect.poll(() => inner.count()).toBe(1)
    },
  )

  flow(
    'deletes a tag only when its name is typed, and takes that back',
    async ({ page, signIn, open }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 4)
      const reader = await open()
      await signIn(reader)
      await reader.goto(`/tags/${task}/schema`)
      await reader.getByText('You may read this base, not change it.').waitFor()
      expect(await reader.getByLabel('Name of the field due').isDisabled()).toBe(true)
      expect(await reader.getByRole('button', { name: 'Delete' }).count()).toBe(0)

      await page.goto(`/tags/${task}/schema`)
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByText(/4 items lose the tag with \d+ values/).waitFor()
      const go = page.getByRole('button', { name: 'Delete the tag' })
      expect(await go.isDisabled()).toBe(true)
      await page.getByLabel('Type Task to go on').fill('Task')
      await picture(page, 'tag-delete', { widths: ['wide', 'phone'] })
      await go.click()
      await page.waitForURL('/tags')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page
        .getByText(/Undone: Deleted/)
        .first()
        .waitFor()
      expect((await client.ok('GET', `/api/items/${ids[2]}`)).data[task].field_values.status.variant).toBe(
        'doing',
      )
    },
    { env: { DEFAULT_ROLE: 'reader' } },
  )

  flow('says so when somebody else has changed the tag meanwhile', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 2)
    await page.goto(`/tags/${task}/schema`)
    await page.getByLabel('What it is for').fill('Mine')
    await client.ok('PUT', `/api/tags/${task}`, { description: 'Theirs' })
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByText('Somebody has changed this tag meanwhile').first().waitFor()
    expect(await page.getByLabel('What it is for').inputValue()).toBe('Mine')
  })
})
