import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { typeInto } from '#test/web/support/type-into.ts'

const filterIn = (page: Page) => {
  const f = new URL(page.url()).searchParams.get('f')
  return f === null ? null : (JSON.parse(f) as unknown)
}
/** As a person would: what replaces a selection by itself brings styles along. */
async function writeIn(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type(text)
}
/** The list of fields that was opened last. */
const fieldBox = (page: Page) => page.getByRole('combobox', { name: 'Field', exact: true }).last()
const rows = (page: Page) => page.locator('[role=grid] [data-row]')

describe('the filter', () => {
  flow('looks for any of some words, and for other words for the same', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 9)
    await page.goto(`/tags/${task}`)
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await typeInto(fieldBox(page), 'any text')
    await page.keyboard.press('Enter')
    await typeInto(page.getByRole('textbox', { name: 'Text', exact: true }), 'roof repair')
    await choose(
      page.getByRole('combobox', { name: 'How its words are found' }),
      'Any of the words, best first',
    )
    await page.getByRole('button', { name: 'Or other words for the same' }).click()
    await page.keyboard.type('Dach')
    await expect
      .poll(() => filterIn(page))
      .toEqual({ search: { text: ['roof repair', 'Dach'], match: 'any' } })
    await axe()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByText(/has any of the words|has words of/)
      .first()
      .waitFor()
  })

  flow('is built by keys alone, over two hops', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, person, people } = await makeTasks(client, 30)
    const { tag_id: team } = await client.ok('POST', '/api/tags', {
      name: 'Team',
      fields: { city: 'String' },
    })
    const { item_id: vienna } = await client.ok('POST', '/api/items', {
      name: 'Builders',
      tags: [{ tag_ref: { Existing: team }, field_values: { city: 'Vienna' } }],
    })
    await client.ok('PUT', `/api/tags/${person}`, {
      fields: { team: 'String', works_in: { type: 'Reference', of: [team] } },
    })
    await client.ok('PUT', `/api/items/${people[0]}/tags/${person}`, { field_values: { works_in: vienna } })
    await page.goto(`/tags/${task}`)
    await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
    await rows(page).first().waitFor()
    await page.locator('[data-cell="0:0"]').click()
    await page.keyboard.press('Control+Shift+F')
    await page.getByRole('combobox', { name: 'Field' }).waitFor()
    await picture(page, 'filter-fields')
    await axe()
    await typeInto(fieldBox(page), 'task assignee')
    await page.keyboard.press('ArrowRight')
    await typeInto(page.getByRole('combobox', { name: 'Field behind assignee' }), 'works_in')
    await page.keyboard.press('ArrowRight')
    await typeInto(page.getByRole('combobox', { name: 'Field behind works_in' }), 'city')
    await page.keyboard.press('Enter')
    await typeInto(page.getByRole('textbox', { name: 'Value' }), 'Vien')
    await page.waitForURL(/Vien/)
    await picture(page, 'filter-hops', { widths: ['wide', 'phone'] })
    await axe()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect
      .poll(() => filterIn(page))
      .toEqual({ 'Task.assignee->Person.works_in->Team.city': { contains: 'Vien' } })
    await page.getByText('10', { exact: true }).first().waitFor()
    const { words } = await client.ok('POST', '/api/filters/explain', { filter: filterIn(page) })
    await page.getByText(`In words: ${words}`).waitFor()
  })

  flow('is one object with four faces', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 24)
    const filter = {
      and: [
        { 'Task.status': { match: 'open' } },
        { or: [{ 'Task.effort': { gt: 3 } }, { not: { 'Task.urgent': true } }] },
      ],
    }
    await page.goto(`/tags/${task}?f=${encodeURIComponent(JSON.stringify(filter))}`)
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByText('6 by itself').waitFor()
    await picture(page, 'filter-tree')
    await axe()
    await page.getByRole('button', { name: 'JSON' }).click()
    const editor = page.getByRole('textbox', { name: 'Filter as JSON' })
    await editor.waitFor()
    const write = (text: string) => writeIn(page, editor, text)
    await expect
      .poll(async () => JSON.parse((await editor.innerText()).replaceAll('\u00A0', ' ') || 'null') as unknown)
      .toEqual(filter)
    expect(filterIn(page)).toEqual(filter)
    await write('')
    await expect.poll(() => filterIn(page)).toBeNull()
    await page.keyboard.type('{"Tsak.effort": {"gt": 3}}')
    await page.getByText("Did you mean 'Task'?").first().waitFor()
    await picture(page, 'filter-json-fault', { widths: ['wide'] })
    await axe()
    expect(filterIn(page)).toBeNull()
    await write('{"Task.effort": {"gte": 3}}')
    await page.waitForURL(/gte/)
    await page.getByRole('button', { name: 'Conditions' }).click()
    // What has no value is left out, and let in again.
    await page.getByText('Task.effort is at least 3').first().waitFor()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await typeInto(fieldBox(page), 'urgent')
    await page.keyboard.press('Enter')
    await choose(page.getByLabel('Value'), 'No')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('8 have no urgent and are left out').waitFor()
    await page.getByRole('button', { name: 'Include them' }).click()
    await page.waitForURL(/exists/)
    expect(filterIn(page)).toEqual({
      and: [
        { 'Task.effort': { gte: 3 } },
        { or: [{ 'Task.urgent': { eq: false } }, { 'Task.urgent': { exists: false } }] },
      ],
    })
    await page.goBack()
    await page.waitForURL((url) => !url.href.includes('exists'))
  })

  flow('counts those that refer, and knows tags', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { person } = await makeTasks(client, 12)
    await page.goto(`/tags/${person}`)
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await typeInto(fieldBox(page), 'task.assignee')
    await page.getByRole('option', { name: '← Task.assignee' }).click()
    await page.getByLabel('Number of items').fill('4')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await typeInto(fieldBox(page), 'effort')
    await page.keyboard.press('Enter')
    await choose(page.getByLabel('How it is compared').last(), 'is at least')
    await page.getByRole('textbox', { name: 'Value' }).fill('9,25')
    await page.keyboard.press('Enter')
    await page.waitForURL(/9\.25/)
    await picture(page, 'filter-reverse', { widths: ['wide', 'phone'] })
    await axe()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => filterIn(page))
      .toEqual({
        '<-Task.assignee': { filter: { 'Task.effort': { gte: 9.25 } }, count: { gte: 4 } },
      })
    await page.getByRole('heading', { name: 'No items match' }).waitFor()
    await page.goto('/items')
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await typeInto(fieldBox(page), 'has tag')
    await page.keyboard.press('Enter')
    await choose(page.getByLabel('Tag', { exact: true }), 'Person')
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
  })

  flow('closes the editor of a condition that is removed in it', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    const two = { and: [{ 'Task.status': { match: 'open' } }, { 'Task.effort': { gt: 0 } }] }
    await page.goto(`/tags/${task}?f=${encodeURIComponent(JSON.stringify(two))}`)
    await page
      .getByRole('region', { name: 'Filter' })
      .getByRole('button', { name: /status/ })
      .click()
    const editor = page.getByRole('dialog', { name: 'Condition' })
    await editor.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => filterIn(page)).toEqual({ 'Task.effort': { gt: 0 } })
    expect(await editor.count()).toBe(0)
  })

  flow('says what excludes most, and what is wrong', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 12)
    const none = { and: [{ 'Task.status': { match: 'open' } }, { 'Task.effort': { gt: 100 } }] }
    await page.goto(`/tags/${task}?f=${encodeURIComponent(JSON.stringify(none))}`)
    await page.getByText('3 items would match').waitFor()
    await picture(page, 'filter-none', { widths: ['wide', 'phone'] })
    await axe()
    await page.getByRole('button', { name: 'Leave it out' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
    const gone = { and: [{ 'Gone.status': 'x' }, { 'Task.effort': { gt: 3 } }] }
    await page.goto(`/tags/${task}?f=${encodeURIComponent(JSON.stringify(gone))}`)
    await page.getByText("Tag 'Gone' not found").first().waitFor()
    await picture(page, 'filter-faulty', { widths: ['wide', 'phone'] })
    await axe()
    await page.getByRole('button', { name: 'Remove condition' }).first().click()
    await rows(page).first().waitFor()
    await expect.poll(() => filterIn(page)).toEqual({ 'Task.effort': { gt: 3 } })
    // A tag that is deleted is known by its name.
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Chore', fields: {} })
    await client.ok('DELETE', `/api/tags/${tag_id}`)
    const deleted = { and: [{ has_tag: tag_id }, { 'Task.effort': { gt: 3 } }] }
    await page.goto(`/tags/${task}?f=${encodeURIComponent(JSON.stringify(deleted))}`)
    await page.getByText('has the deleted tag “Chore”').waitFor()
    await page.getByText('It asks for the deleted tag “Chore”. Restore it in the trash').first().waitFor()
  })

  flow('leads from an address with the old name of a field to the new one', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 6)
    const { fields } = await client.ok('GET', `/api/tags/${task}`)
    const { due: deadline, assignee: lead, ...rest } = fields
    await client.ok('PUT', `/api/tags/${task}`, {
      name: 'Task',
      fields: { ...rest, deadline, lead },
      rename_fields: { due: 'deadline', assignee: 'lead' },
    })
    const old = {
      and: [
        { 'Task.due': { gte: '2026-01-01' } },
        { 'Task.assignee->Person.team': { exists: false } },
        { 'Task.never': 1 },
      ],
    }
    await page.goto(`/tags/${task}?f=${encodeURIComponent(JSON.stringify(old))}`)
    await page.getByText('Task has no field due any more: it is called deadline.').waitFor()
    await picture(page, 'filter-gone-fields', { widths: ['wide', 'phone'] })
    await axe()
    await page.getByRole('button', { name: 'Ask for deadline' }).click()
    await page.getByRole('button', { name: 'Ask for lead' }).click()
    await page.getByText('Task has no field never any more.').waitFor()
    await page.getByRole('button', { name: 'Take the condition away' }).click()
    await expect.poll(() => rows(page).count()).toBe(6)
    expect(filterIn(page)).toEqual({
      and: [{ 'Task.deadline': { gte: '2026-01-01' } }, { 'Task.lead->Person.team': { exists: false } }],
    })
  })

  flow(
    'leads from an address with the old name of a variant to the new one',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 8)
      await client.ok('PUT', `/api/tags/${task}`, {
        rename_variants: { status: { doing: 'under way' }, labels: { home: 'house' } },
      })
      const old = {
        and: [
          { 'Task.status': { match: 'doing' } },
          { 'Task.labels': { in: ['garden', 'home'] } },
          { 'Task.labels': { match: 'never' } },
        ],
      }
      await page.goto(`/tags/${task}?f=${encodeURIComponent(JSON.stringify(old))}`)
      await page
        .getByText(
          'status of Task has no variant “doing” any more: it is called under way. Ask for under way',
        )
        .waitFor()
      await picture(page, 'filter-gone-variants', { widths: ['wide', 'phone'] })
      await axe()
      await page.getByRole('button', { name: 'Ask for under way' }).click()
      await page.getByRole('button', { name: 'Ask for house' }).click()
      await page.getByText('labels of Task has no variant “never” any more.').waitFor()
      await expect.poll(() => page.getByText('has no variant').count()).toBe(1)
      await page.getByRole('button', { name: 'Take the condition away' }).click()
      await expect.poll(() => rows(page).count()).toBe(2)
      expect(filterIn(page)).toEqual({
        and: [{ 'Task.status': { match: 'under way' } }, { 'Task.labels': { in: ['garden', 'house'] } }],
      })
    },
  )

  flow('lets nothing act on other items than the conditions that are shown say', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 6)
    await page.goto(`/tags/${task}?f=${encodeURIComponent('{"Task.effort":{"gt":0}}')}`)
    await rows(page).first().waitFor()
    await page.locator('[data-cell="0:0"]').click()
    await page.keyboard.press('Control+a')
    await page.getByText('6 selected').first().waitFor()
    const filter = page.getByRole('region', { name: 'Filter' })
    await filter.getByRole('button', { name: 'Filter', exact: true }).click()
    await typeInto(fieldBox(page), 'created')
    await page.keyboard.press('Enter')
    await choose(page.getByRole('combobox', { name: 'When' }).first(), 'A time from now')
    await page.getByLabel('From now, as in').fill('a while')
    await filter.getByRole('alert').first().waitFor()
    await page.keyboard.press('Escape')
    const refuses = async () => {
      const refusal = page.getByRole('region', { name: 'Messages' }).getByText('do not count yet')
      await refusal.waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await expect.poll(() => filter.evaluate((own) => own.contains(document.activeElement))).toBe(true)
      await refusal.waitFor({ state: 'detached' })
    }
    for (const name of ['Save view', 'Delete', 'Set field']) {
      await page.getByRole('button', { name, exact: true }).click()
      await refuses()
    }
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click()
    await refuses()
    await page.keyboard.press('Control+k')
    await typeInto(page.getByRole('combobox', { name: 'Find or do' }), '>Delete of the selected')
    await page.keyboard.press('Enter')
    await refuses()
    // What is no JSON yet counts as little.
    await page.getByRole('button', { name: 'Remove condition' }).last().click()
    await filter.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    await writeIn(page, page.getByRole('textbox', { name: 'Filter as JSON' }), '{"Task.effort"')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await refuses()
    await writeIn(page, page.getByRole('textbox', { name: 'Filter as JSON' }), '{"Task.effort":{"gt":3}}')
    await expect.poll(() => filterIn(page)).toEqual({ 'Task.effort': { gt: 3 } })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('This will delete 3 items').waitFor()
  })

  flow('does not leave out a condition that has no value yet', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 6)
    await page.goto(`/tags/${task}?f=${encodeURIComponent('{"Task.urgent":true}')}`)
    await rows(page).first().waitFor()
    const filter = page.getByRole('region', { name: 'Filter' })
    await filter.getByRole('button', { name: 'Filter', exact: true }).click()
    await typeInto(fieldBox(page), 'effort')
    await page.keyboard.press('Enter')
    const condition = page.getByRole('dialog', { name: 'New condition' })
    const value = condition.getByRole('textbox', { name: 'Value' })
    await value.waitFor()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('region', { name: 'Messages' }).getByText('do not count yet').waitFor()
    expect(await page.getByRole('dialog', { name: 'Save as a view' }).count()).toBe(0)
    await condition.getByRole('alert').getByText('no value yet').waitFor()
    await axe()
    await typeInto(value, '3.25')
    await expect.poll(() => JSON.stringify(filterIn(page))).toContain('3.25')
    await page.getByRole('button', { name: 'Save view' }).click()
    await typeInto(page.getByRole('dialog', { name: 'Save as a view' }).getByLabel('Name'), 'Some')
    await page.keyboard.press('Enter')
    await page.waitForURL(/views/)
    const { filter: saved } = (await client.ok('GET', '/api/views'))[0]
    expect(JSON.stringify(saved)).toContain('3.25')
    // What is left out is not waited for.
    await filter.getByRole('button', { name: 'Filter', exact: true }).click()
    await typeInto(fieldBox(page), 'note')
    await page.keyboard.press('Enter')
    await condition.getByRole('button', { name: 'Leave it out' }).click()
    await condition.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click()
    await download
  })

  flow('takes the days and numbers that are typed, whatever stands there in between', async (given) => {
    const { page, signIn } = given
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    await page.goto(`/tags/${task}`)
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await typeInto(fieldBox(page), 'due')
    await page.keyboard.press('Enter')
    await choose(page.getByRole('combobox', { name: 'When' }), 'This many days from today')
    const days = page.getByLabel('Days from today')
    for (const [text, today] of [
      ['-45', -45],
      ['7', 7],
      ['100', 100],
    ] as const) {
      await days.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await page.keyboard.type(text)
      await expect.poll(() => JSON.stringify(filterIn(page))).toContain(`{"today":${today}}`)
      expect(await days.inputValue()).toBe(text)
    }
    await choose(page.getByRole('combobox', { name: 'When' }), 'Tomorrow')
    await expect.poll(() => JSON.stringify(filterIn(page))).toContain('{"today":1}')
    await page.getByTitle('Another field').click()
    await typeInto(fieldBox(page), 'created')
    await page.keyboard.press('Enter')
    await choose(page.getByRole('combobox', { name: 'When' }), 'A time from now')
    const now = page.getByLabel('From now, as in')
    await now.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.type('-PT6H')
    await expect.poll(() => JSON.stringify(filterIn(page))).toContain('{"now":"-PT6H"}')
  })
})
