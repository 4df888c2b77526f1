import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { breakItem, mendItem } from '#test/support/broken-item.ts'
import { TestClock } from '#test/support/clock.ts'
import { givenUp, lookAt, mapTo } from '#test/support/imports.ts'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { hold } from '#test/web/support/hold.ts'
import { messySheet, ROWS } from '#test/web/support/messy-sheet.ts'
import { picture } from '#test/web/support/pictures.ts'

const put = (page: Page, label: string, words: string) =>
  choose(page.getByLabel(label, { exact: true }), words)
const see = (page: Page) => page.getByRole('button', { name: 'See what it would do' }).click()

describe('import', () => {
  flow('opens no file that is dropped beside its field', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/import')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const drop = (within: string) =>
      page.locator(within).evaluate((element) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['a,b'], 'a.csv'))
        const give = (type: string) => {
          const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
          element.dispatchEvent(event)
          return event.defaultPrevented
        }
        return [give('dragover'), give('drop')]
      })
    expect(await drop('h1')).toEqual([true, true])
    expect(await drop('body')).toEqual([true, true])
    // What is no file is not touched.
    expect(
      await page.locator('body').evaluate((element) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.setData('text/plain', 'words')
        const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
        return element.dispatchEvent(event)
      }),
    ).toBe(true)
  })

  flow('keeps rows that are typed where another file is taken, one of those dropped', async (given) => {
    const { page, signIn } = given
    await signIn()
    await page.goto('/import')
    const rows = page.getByLabel('or paste rows from a spreadsheet')
    await rows.fill('name,amount\nOne,1')
    await page.getByRole('group', { name: 'File to import' }).evaluate((element) => {
      const dataTransfer = new DataTransfer()
      for (const name of ['first.csv', 'second.csv']) dataTransfer.items.add(new File(['Name\nA\n'], name))
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })
    await page.getByText('One file at a time: first.csv is taken, not second.csv').first().waitFor()
    await page.getByRole('button', { name: 'See what it would do' }).waitFor()
    await page.goBack()
    await expect.poll(() => rows.inputValue()).toBe('name,amount\nOne,1')
    await page.getByRole('button', { name: 'Look at these rows' }).click()
    await page.getByRole('button', { name: 'See what it would do' }).waitFor()
    await page.goBack()
    await expect.poll(() => rows.inputValue()).toBe('')
  })

  flow(
    'stops a file that does not arrive, and takes no one back to it who has left',
    async ({ page, signIn }) => {
      await signIn()
      await page.goto('/import')
      await page.route('**/api/files?*', () => undefined)
      const picker = page.locator('input[type=file]')
      const sheet = { name: 'sheet.csv', mimeType: 'text/csv', buffer: Buffer.from('Name\nA\n') }
      await picker.setInputFiles(sheet)
      await page.getByRole('button', { name: 'Stop sending sheet.csv' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
      await page.unroute('**/api/files?*')
      const held = await hold(page, 'POST', '**/api/imports')
      await picker.setInputFiles(sheet)
      await held.asked
      await page.getByRole('link', { name: 'Items', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Items' }).waitFor()
      const made = page.waitForResponse('**/api/imports')
      held.send()
      await made
      await page.goBack()
      await page.getByRole('link', { name: /sheet.csv/ }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/import')
    },
  )

  flow('says of a file that is none of these what its name may end in', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/import')
    const buffer = Buffer.from('%PDF-1.4')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.pdf', mimeType: 'application/pdf', buffer })
    await page.getByText("The name 'x.pdf' does not say of what format the file is").waitFor()
    await page.getByText(/Give it a name that ends in \.csv, .*\.xlsx/).waitFor()
  })

  flow(
    'asks for the name of the new tag where it goes, and says what is amiss',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Deal', fields: {} })
      await page.goto('/import')
      const paste = page.getByLabel('or paste rows from a spreadsheet')
      await paste.fill('Title;Stage\nOak;won')
      await page.getByRole('button', { name: 'Look at these rows' }).click()
      await page.getByText('1 row ·').waitFor()
      const name = page.getByLabel('Name of the new tag')
      await see(page)
      await page.getByText('Name of the new tag is wanted').waitFor()
      expect(await name.evaluate((input) => input === document.activeElement)).toBe(true)
      await axe()
      await name.fill('Deal')
      await see(page)
      await page.getByText('Use that tag, or choose another name').waitFor()
      expect(await page.getByRole('main').innerText()).not.toContain(tag_id)
      await name.fill('Deal 2')
      await put(page, 'Where Title goes', 'Leave out')
      await see(page)
      await page.getByText('no column is the name of the items: let one go to "name"').waitFor()
      expect(await page.getByRole('main').innerText()).not.toContain('tables')
      await page.getByRole('link', { name: 'Another file' }).click()
      await paste.fill('Oak')
      await page.getByRole('button', { name: 'Look at these rows' }).click()
      await name.fill('Tree')
      await see(page)
      await page.getByText('There is no row but the first, which names the columns').waitFor()
    },
  )

  flow('reads the headings in the line that is chosen', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/import')
    const paste = page.getByLabel('or paste rows from a spreadsheet')
    await paste.fill('Deals;2026\nTitle;Stage\nOak;won')
    await page.getByRole('button', { name: 'Look at these rows' }).click()
    await page.getByText('2 rows ·').waitFor()
    await put(page, 'Headings', 'Headings in line 2')
    await page.getByText('1 row ·').waitFor()
    await page.getByLabel('Where Stage goes').waitFor()
  })

  flow(
    'takes a large sheet with messy dates, and gives its faulty rows back as a file',
    async ({ page, signIn }) => {
      const client = await signIn()
      await page.goto('/import')
      await page.locator('input[type=file]').setInputFiles({
        name: 'Visit.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(messySheet()),
      })
      await page.getByText('20,000 rows').waitFor({ timeout: 30_000 })
      expect(await page.getByLabel('Where seen on goes').innerText()).toBe('Date')
      expect(await page.getByLabel('Where price goes').innerText()).toBe('Number')
      await see(page)
      await page.getByText('14 rows have faults and stay out:').waitFor({ timeout: 30_000 })
      const faults = page.getByRole('group', { name: 'Faults' })
      await faults
        .getByText(/31\.2\.2019/)
        .first()
        .waitFor()
      await page.getByRole('group', { name: 'First rows' }).getByText('Visit 0').waitFor()
      const save = page.getByRole('button', { name: 'Save these rows as a file' })
      await save.scrollIntoViewIfNeeded()
      await picture(page, 'import-faults', { widths: ['wide', 'phone'] })
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      expect(download.suggestedFilename()).toBe('Visit - rows with faults.csv')
      const saved = await text(await download.createReadStream())
      expect(saved.split('\r\n').slice(0, 2)).toEqual([
        'title,seen on,state,price,Line,What is wrong',
        'Visit 7,31.2.2019,open,"7,5",9,"seen on: \'31.2.2019\' is no date written day, month, year"',
      ])
      expect(saved.trim().split('\r\n')).toHaveLength(15)
      await page.getByRole('button', { name: 'Import 19,986 items, without 14 rows' }).click()
      await page.getByText('Imported 19,986 items.').waitFor({ timeout: 120_000 })
      await page.getByText('14 rows have faults, and stayed out.').waitFor()
      const { groups } = await client.ok('POST', '/api/items/aggregate', { group_by: ['Visit.state'] })
      expect(groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(ROWS - 14)
      // Corrected, they come in as well: what was said behind them is no field.
      await page.getByRole('link', { name: 'Another file' }).first().click()
      await page.locator('input[type=file]').setInputFiles({
        name: 'Visit.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(saved.replaceAll(/31\.2\.2019|soon/g, '28.2.2019')),
      })
      await page.getByText('14 rows').first().waitFor()
      expect(await page.getByLabel('Where What is wrong goes').innerText()).toBe('Leave out')
      await see(page)
      await page.getByRole('button', { name: 'Import 14 items' }).click()
      await page.getByText('Imported 14 items.').waitFor()
      const [tag] = await client.ok('GET', '/api/tags')
      expect(Object.keys(tag.fields)).toEqual(['seen on', 'state', 'price'])
    },
  )

  flow(
    'shows what pasted rows would do, by line, before anything is written',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { tag_id } = await client.ok('POST', '/api/tags', {
        name: 'Deal',
        fields: { stage: { type: 'Select', variants: ['won', 'lost'] }, due: 'Date', code: 'String' },
      })
      await page.goto(`/import?tag=${tag_id}`)
      await picture(page, 'import-file')
      await axe()
      const rows = 'Title;Stage;Due;Code\nOak;won;1.3.2027;a\nElm;maybe;2.3.2027;b\nAsh;lost;13.3.2027;c'
      await page.getByLabel('or paste rows from a spreadsheet').fill(rows)
      await page.getByRole('button', { name: 'Look at these rows' }).click()
      await page.getByText('3 rows · UTF-8, parted by semicolons').waitFor()
      // The columns go to the fields that are called alike.
      await see(page)
      await page.getByRole('cell', { name: /unknown variant 'maybe'/ }).waitFor()
      await page.getByRole('group', { name: 'First rows' }).getByText('1.3.2027').waitFor()
      await picture(page, 'import-looked')
      await axe()
      // What is said otherwise is looked at anew.
      await page.getByLabel('Make what is missing of Stage').check()
      await see(page)
      await page.getByRole('button', { name: 'Import 3 items' }).click()
      await page.getByText('Imported 3 items.').waitFor()
      await picture(page, 'import-done', { widths: ['wide', 'phone'] })
      await axe()
      const found = await client.ok('POST', '/api/items/search', { filter: { name: { eq: 'Elm' } } })
      expect(found[0].tags[tag_id].field_values).toEqual({
        stage: { variant: 'maybe' },
        due: '2027-03-02',
        code: 'b',
      })
      // The same rows once more, by a key: one differs.
      await page.getByRole('link', { name: 'Another file' }).first().click()
      await page.getByRole('link', { name: 'pasted.csv' }).waitFor()
      await page.getByLabel('or paste rows from a spreadsheet').fill(rows.replace('lost', 'won'))
      await page.getByRole('button', { name: 'Look at these rows' }).click()
      await put(page, 'What a row is', 'Deal')
      await put(page, 'Where an item is there already', 'Update it where Code is equal')
      await see(page)
      await page.getByRole('button', { name: 'Update 1 item' }).click()
      await page.getByText('Updated 1 item.').waitFor()
      await page.getByRole('button', { name: 'Undo all of it' }).click()
      await page.getByText('All of it was taken back.').waitFor()
      const ash = await client.ok('POST', '/api/items/search', { filter: { name: { eq: 'Ash' } } })
      expect(ash).toHaveLength(1)
      expect(ash[0].tags[tag_id].field_values.stage).toEqual({ variant: 'lost' })
    },
  )

  flow(
    'makes a tag of a file, goes on when the page is left, and is one thing to be taken back',
    async ({ page, signIn }) => {
      const client = await signIn()
      await page.goto('/import')
      const lines = Array.from(
        { length: 4000 },
        (_, i) => `Book ${i},${1900 + (i % 120)},${i % 2 ? 'read' : 'wanted'}`,
      )
      await page.locator('input[type=file]').setInputFiles({
        name: 'Book.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(['title,year,shelf', ...lines].join('\n')),
      })
      await page.getByText('4,000 rows').waitFor()
      expect(await page.getByLabel('Name of the new tag').inputValue()).toBe('Book')
      expect(await page.getByLabel('Where year goes').innerText()).toBe('Number')
      expect(await page.getByLabel('Where shelf goes').innerText()).toBe('One of a list (Select)')
      await put(page, 'Where year goes', 'Text')
      // Another page and back: what was said is there.
      await page.getByRole('link', { name: 'Another file' }).click()
      await page.getByRole('link', { name: 'Book.csv' }).click()
      await expect.poll(() => page.getByLabel('Where year goes').innerText()).toBe('Text')
      await see(page)
      await page.getByText('New: the tag “Book”.').waitFor()
      await page.getByRole('button', { name: 'Import 4,000 items' }).click()
      await page.getByRole('heading', { name: /^4\./ }).waitFor()
      await page.reload()
      await page.getByText('Imported 4,000 items.').waitFor({ timeout: 50_000 })
      const done = page.url()
      const { groups } = await client.ok('POST', '/api/items/aggregate', { group_by: ['Book.shelf'] })
      expect(groups.map(({ count }: { count: number }) => count)).toEqual([2000, 2000])
      await page.getByRole('link', { name: 'Look at them' }).click()
      await page.getByRole('heading', { level: 1, name: 'Book' }).waitFor()
      // What the bell says of it leads back to it.
      await page.keyboard.press('g')
      await page.keyboard.press('n')
      const told = page.getByRole('list', { name: 'Notifications', exact: true })
      await told.getByRole('link', { name: 'Your import has ended' }).click()
      await page.waitForURL(done)
      await page.getByRole('button', { name: 'Undo all of it' }).click()
      await page.getByText('All of it was taken back.').waitFor({ timeout: 50_000 })
      expect(await client.ok('GET', '/api/tags')).toEqual([])
    },
  )

  const clock = new TestClock()
  flow(
    'says why the service has given an import up, and goes on with it',
    async ({ page, signIn, service, axe }) => {
      const client = await signIn()
      const lines = Array.from({ length: 600 }, (_, i) => `Torn ${i},${i}`)
      const { body } = await lookAt(client, 'Torn.csv', ['name,n', ...lines].join('\n'))
      await mapTo(client, body.import_id, {})
      await breakItem(service.database_url, 'Torn 500')
      await client.post(`/api/imports/${body.import_id}/run`, {})
      expect(await givenUp(client, body.import_id, clock)).toMatchObject({ state: 'failed' })
      await page.goto(`/import/${body.import_id}`)
      await page.getByText(/could not go on, which was tried 6 times/).waitFor()
      await page.getByText(/run it again: it goes on behind the rows that it has written/).waitFor()
      await axe()
      await mendItem(service.database_url)
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByText('Imported 600 items.').waitFor()
      expect(await page.getByRole('button', { name: 'Go on' }).count()).toBe(0)
    },
    { clock: clock.now },
  )
})
