import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { flow } from '#test/web/support/flow.ts'
import { hold } from '#test/web/support/hold.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

const paste = (page: Page, lines: readonly string[]) =>
  page.getByLabel('or paste rows from a spreadsheet').fill(lines.join('\n'))
const file = (page: Page, lines: readonly string[]) =>
  page.getByLabel('Choose a CSV or TSV file').setInputFiles({
    name: 'rows.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  })
const newDeals = async (client: Client): Promise<string> =>
  (
    await client.ok('POST', '/api/tags', {
      name: 'Deal',
      fields: { stage: { type: 'Select', variants: ['won', 'lost'] }, amount: 'Number', code: 'String' },
    })
  ).tag_id
const deals = (count: number) => [
  'name,stage,amount',
  ...Array.from({ length: count }, (_, i) => `Deal ${i},${i % 2 ? 'won' : 'lost'},${i}`),
]

describe('import', () => {
  flow(
    'takes rows with references by name, and gives the faulty ones back',
    async ({ page, signIn, service, axe }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 3)
      await page.goto(`/import?tag=${task}`)
      await paste(page, [
        'Title;due;effort;status;assignee',
        'Paint the gate;1.3.2027;1,5;open;Ada',
        '"Mend; the gate";2027-03-02;2;doing;Grace',
        'Sell the gate;soon;3;open;Nobody',
      ])
      await expect.poll(() => page.getByLabel('Between the columns').inputValue()).toBe(';')
      await expect.poll(() => page.getByLabel('Where Title goes').inputValue()).toBe('name')
      await page.getByRole('cell', { name: 'There is no item called “Nobody”' }).waitFor()
      await page.getByRole('cell', { name: 'expected a date, written day, month, year' }).waitFor()
      await picture(page, 'import')
      await axe()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save these rows as a file' }).click()
      const path = join(service.folder, 'faulty.csv')
      await (await saved).saveAs(path)
      const text = await readFile(path, 'utf8')
      expect(text.split('\r\n')).toHaveLength(2)
      expect(text).toContain('Sell the gate')
      await page.getByRole('button', { name: 'Import 2 items' }).click()
      await page.getByText('Imported 2 items.').waitFor()
      await picture(page, 'import-done', { widths: ['wide', 'phone'] })
      await axe()
      const [made] = await client.ok('POST', '/api/items/search', {
        filter: { name: { eq: 'Mend; the gate' } },
        expand: true,
      })
      expect(made.tags[task].field_values).toMatchObject({
        due: '2027-03-02',
        effort: 2,
        status: { variant: 'doing' },
      })
      expect(Object.values(made.references)).toEqual([{ name: 'Grace', deleted: false }])
    },
  )

  flow('makes a tag of the columns, and 5,000 items of a file', async ({ page, signIn }) => {
    const client = await signIn()
    await page.goto('/import')
    const lines = Array.from(
      { length: 5000 },
      (_, i) => `Book ${i},${1900 + (i % 120)},${i % 2 ? 'read' : 'wanted'}`,
    )
    await file(page, ['title,year,shelf', ...lines])
    // Nothing can be imported before somebody has said what the rows are.
    await page.getByLabel('Tag', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /Import/ }).count()).toBe(0)
    await page.getByLabel('Tag', { exact: true }).selectOption('new')
    await page.getByText('Give the new tag a name above.').waitFor()
    await page.getByLabel('Name of the new tag').fill('Book')
    expect(await page.getByLabel('What year becomes').inputValue()).toBe('Number')
    expect(await page.getByLabel('What shelf becomes').inputValue()).toBe('Select')
    const rows = await hold(page, 'POST', '**/api/items/bulk')
    await page.getByRole('button', { name: 'Make the tag Book and import 5,000 items' }).click()
    await rows.asked
    await expect.poll(() => page.getByLabel('What year becomes').isDisabled()).toBe(true)
    rows.send()
    await page.getByText('Imported 5,000 items.').waitFor({ timeout: 50_000 })
    const { groups } = await client.ok('POST', '/api/items/aggregate', { group_by: ['Book.shelf'] })
    expect(groups.map(({ count }: { count: number }) => count)).toEqual([2500, 2500])
    await page.getByRole('link', { name: 'Look at them' }).click()
    await page.getByRole('heading', { level: 1, name: 'Book' }).waitFor()
  })

  flow(
    'reads a sheet as people write it, and asks where that is not clear',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const company = await client.ok('POST', '/api/tags', { name: 'Company', fields: {} })
      const names = Array.from({ length: 30 }, (_, i) => `Company ${i}`)
      const tags = [{ tag_ref: { Existing: company.tag_id } }]
      await client.ok('POST', '/api/items/bulk', { items: names.map((name) => ({ name, tags })) })
      await page.goto('/import')
      await paste(page, [
        'name;Company;Amount;Closed;Due;Sold',
        ...Array.from(
          { length: 200 },
          (_, i) =>
            `Sale ${i};Company ${i % 30};${i === 7 ? 'n/a' : `1.${100 + i},50`};${(i % 28) + 1}/3/2026;1/2/2026;yes`,
        ),
      ])
      await page.getByLabel('Tag', { exact: true }).selectOption('new')
      await page.getByLabel('Name of the new tag').fill('Sale')
      await expect
        .poll(() => page.getByLabel('What Company becomes').inputValue())
        .toBe(`Reference ${company.tag_id}`)
      const types = ['Amount', 'Closed', 'Due', 'Sold'].map((each) =>
        page.getByLabel(`What ${each} becomes`).inputValue(),
      )
      expect(await Promise.all(types)).toEqual(['Number', 'Date', 'Date', 'Boolean'])
      expect(await page.getByLabel('How Closed is written').inputValue()).toBe('DMY')
      expect(await page.getByLabel('How Amount is written').inputValue()).toBe(',')
      await page.getByText('Say above how “Due” is written: it can be read in two ways.').waitFor()
      await picture(page, 'import-new')
      await axe()
      expect(await page.getByRole('button', { name: /^Make the tag Sale/ }).isDisabled()).toBe(true)
      await page.getByLabel('How Due is written').selectOption('MDY')
      await page.getByRole('cell', { name: 'expected a number like 1.234,5' }).waitFor()
      await page.getByRole('button', { name: 'Make the tag Sale and import 199 items' }).waitFor()
      await page.getByRole('button', { name: 'Leave 1 value of “Amount” empty' }).click()
      await page.getByText('“Amount”: 1 value that does not fit stays empty.').waitFor()
      // A type is changed on the page.
      await page.getByLabel('What Sold becomes').selectOption('String')
      await page.getByRole('button', { name: 'Make the tag Sale and import 200 items' }).click()
      await page.getByText('Imported 200 items.').waitFor()
      const found = async (name: string) => {
        const [item] = await client.ok('POST', '/api/items/search', {
          filter: { name: { eq: name } },
          expand: true,
        })
        const [values] = Object.values<{ field_values: object }>(item.tags)
        return {
          values: values.field_values,
          refers: Object.values<{ name: string }>(item.references)[0].name,
        }
      }
      expect(await found('Sale 8')).toMatchObject({
        values: { Amount: 1108.5, Closed: '2026-03-09', Due: '2026-01-02', Sold: 'yes' },
        refers: 'Company 8',
      })
      expect((await found('Sale 7')).values).not.toHaveProperty('Amount')
      // The tag and its items go by one key.
      await page.keyboard.press('Control+z')
      await page.getByText('Undone: Imported 200 items').first().waitFor()
      expect((await client.ok('GET', '/api/tags')).map(({ name }: { name: string }) => name)).toEqual([
        'Company',
      ])
    },
  )

  flow('keeps the table while the tag is mended', async ({ page, signIn }) => {
    const client = await signIn()
    const deal = await newDeals(client)
    await page.goto(`/import?tag=${deal}`)
    await paste(page, deals(3))
    await page.getByRole('button', { name: 'Import 3 items' }).waitFor()
    await page.getByRole('link', { name: 'Change its fields' }).click()
    await page.getByRole('heading', { level: 1, name: 'Deal' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Import 3 items' }).waitFor()
    expect(await page.getByLabel('or paste rows from a spreadsheet').inputValue()).toContain('Deal 2,lost,2')
  })

  flow('notices what is there already, and updates it', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const deal = await newDeals(client)
    await page.goto(`/import?tag=${deal}`)
    await paste(page, ['name,amount,code', 'Oak,1,a', 'Elm,2,b'])
    await page.getByRole('button', { name: 'Import 2 items' }).click()
    await page.getByText('Imported 2 items.').waitFor()
    await page.getByRole('button', { name: 'Another table' }).click()
    await paste(page, ['name,amount,code', 'Oak,10,a', 'Elm,,b', 'Ash,3,c'])
    await page.getByText(/Names of this table are in Deal already, so those items are updated/).waitFor()
    await picture(page, 'import-again', { widths: ['wide'] })
    await axe()
    // Whoever wants doubles says so, and is told.
    const match = page.getByLabel('Where an item is there already')
    await match.selectOption('Make every row a new item')
    await page.getByText('they will be there twice').waitFor()
    await page.getByRole('button', { name: 'Import 3 items' }).waitFor()
    await match.selectOption('Update it where code is equal')
    await page.getByRole('button', { name: 'Update 2 items and make 1 item' }).click()
    await page.getByText('Made 1 item and updated 2 items.').waitFor()
    const all = await client.ok('POST', '/api/items/search', {
      filter: { has_tag: 'Deal' },
      sort: [{ by: 'name' }],
    })
    const told = all.map(
      ({ name, tags }: { name: string; tags: Record<string, { field_values: object }> }) => [
        name,
        tags[deal].field_values,
      ],
    )
    // An empty cell leaves what is there.
    expect(told).toEqual([
      ['Ash', { amount: 3, code: 'c' }],
      ['Elm', { amount: 2, code: 'b' }],
      ['Oak', { amount: 10, code: 'a' }],
    ])
  })

  flow('goes on with the list that it began with', async ({ page, signIn }) => {
    const client = await signIn()
    const deal = await newDeals(client)
    await page.goto(`/import?tag=${deal}`)
    const [heading, ...lines] = deals(2500)
    await file(page, [`${heading},code`, ...lines.map((line, i) => `${line},${i < 1000 ? `x${i}` : ''}`)])
    const rows = await hold(page, 'POST', '**/api/items/bulk')
    await page.getByRole('button', { name: 'Import 2,500 items' }).click()
    await rows.asked
    await page.getByRole('button', { name: 'Stop' }).click()
    rows.send()
    await page.getByRole('button', { name: 'Go on with 1,500 items' }).waitFor()
    // Meanwhile rows that are made already would be faulty: what is left is counted from its own beginning.
    await client.ok('PUT', `/api/tags/${deal}`, {
      fields: { stage: { type: 'Select', variants: ['won', 'lost'] }, amount: 'Number', code: 'Number' },
    })
    await page.getByRole('button', { name: 'Go on with 1,500 items' }).click()
    await page.getByText('Imported 2,500 items.').waitFor()
    const { groups } = await client.ok('POST', '/api/items/aggregate', {
      filter: { has_tag: 'Deal' },
      metrics: [{ count_distinct: 'Deal.amount' }],
    })
    expect(groups).toMatchObject([{ count: 2500, metrics: [2500] }])
  })

  flow('is one thing to be taken back, whatever its size', async ({ page, signIn }) => {
    const client = await signIn()
    const deal = await newDeals(client)
    await page.goto(`/import?tag=${deal}`)
    await file(page, deals(2500))
    await page.getByRole('button', { name: 'Import 2,500 items' }).click()
    await page.getByText('Imported 2,500 items.').waitFor()
    await page.getByRole('link', { name: 'history', exact: true }).click()
    const lines = page.getByRole('list', { name: 'Changes' })
    await lines.getByRole('link', { name: 'Created 2,500 items with Deal' }).waitFor()
    await page.getByText('In 3 parts').waitFor()
    await picture(page, 'history-import', { widths: ['wide'] })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deal' }).click()
    const head = page.getByRole('banner').or(page.locator('header')).first()
    await head.getByText('2,500').waitFor()
    await page.getByRole('row', { name: /Deal 2499/ }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: Imported 2,500 items').first().waitFor()
    await page.getByText('Nothing in Deal yet').waitFor()
    expect(await page.getByRole('row', { name: /Deal 2499/ }).count()).toBe(0)
    // And done again.
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('Done again: Imported 2,500 items').first().waitFor()
    const { groups } = await client.ok('POST', '/api/items/aggregate', { filter: { has_tag: 'Deal' } })
    expect(groups).toMatchObject([{ count: 2500 }])
  })
})
