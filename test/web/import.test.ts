import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { hold } from '#test/web/support/hold.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('import', () => {
  flow(
    'takes rows with references by name, and gives the faulty ones back',
    async ({ page, signIn, service, axe }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 3)
      await page.goto(`/import?tag=${task}`)
      const rows = [
        'Title;due;effort;status;assignee',
        'Paint the gate;1.3.2027;1,5;open;Ada',
        '"Mend; the gate";2027-03-02;2;doing;Grace',
        'Sell the gate;soon;3;open;Nobody',
      ]
      await page.getByLabel('or paste rows from a spreadsheet').fill(rows.join('\n'))
      await expect.poll(() => page.getByLabel('Between the columns').inputValue()).toBe(';')
      await expect.poll(() => page.getByLabel('Where Title goes').inputValue()).toBe('name')
      await page.getByRole('cell', { name: 'There is no item called “Nobody”' }).waitFor()
      await picture(page, 'import')
      await axe()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save these rows as a file' }).click()
      const path = join(service.folder, 'faulty.csv')
      await (await saved).saveAs(path)
      const file = await readFile(path, 'utf8')
      expect(file.split('\r\n')).toHaveLength(2)
      expect(file).toContain('Sell the gate')
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
    const buffer = Buffer.from(`title,year,shelf\n${lines.join('\n')}`)
    await page
      .getByLabel('Choose a CSV or TSV file')
      .setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('or make a new tag of the columns').fill('Book')
    await page.getByText('Its fields would be year (Number), shelf (Select).').waitFor()
    // The tag is slow to come: until it is there nothing can be imported without it.
    const tag = await hold(page, 'POST', '**/api/tags')
    await page.getByRole('button', { name: 'Make this tag' }).click()
    await tag.asked
    await expect.poll(() => page.getByRole('button', { name: 'Import 5,000 items' }).isDisabled()).toBe(true)
    tag.send()
    const rows = await hold(page, 'POST', '**/api/items/bulk')
    await page.getByRole('button', { name: 'Import 5,000 items' }).click()
    await rows.asked
    await expect.poll(() => page.getByLabel('Where year goes').isDisabled()).toBe(true)
    rows.send()
    await page.getByText('Imported 5,000 items.').waitFor({ timeout: 50_000 })
    const { groups } = await client.ok('POST', '/api/items/aggregate', { group_by: ['Book.shelf'] })
    expect(groups.map(({ count }: { count: number }) => count)).toEqual([2500, 2500])
    await page.getByRole('link', { name: 'Look at them' }).click()
    await page.getByRole('heading', { level: 1, name: 'Book' }).waitFor()
  })
})
