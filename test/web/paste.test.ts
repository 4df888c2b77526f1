import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { flow } from '#test/web/support/flow.ts'

const FIELDS = {
  done: 'Boolean',
  kind: { type: 'Select', variants: ['note', { name: 'book', fields: { pages: 'Number' } }] },
  author: 'Reference',
  readers: 'MultiReference',
  scan: 'File',
  shelf: 'String',
}

describe('what is pasted', () => {
  flow('finds items by their names, and says in words what does not fit', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { tag, ids, valuesOf } = await makeTitles(client)
    const dialog = page.getByRole('dialog')
    await open(page, tag)
    await go(page, 'Title 2', 'done')
    await paste(
      page,
      'WAHR\tbook\t320\tAda\t"Grace; ""Doe, Jane"""\nmaybe\tnote\t\tTwin\tNobody\tscan.png\n\tnote\t\tNobody',
    )
    await dialog.getByText('This will change 7 cells of 3 items.').waitFor()
    for (const said of [
      'maybe is neither yes nor no',
      '2 items are called Twin: choose the one in its cell',
      'No item is called Nobody',
      'A file is no text: choose it in the cell, or paste the file itself',
    ])
      await dialog.getByText(said).first().waitFor()
    // What is refused stands as it was copied, and nothing where nothing can be is no fault.
    await dialog.getByRole('cell', { name: /^scan\.png/ }).waitFor()
    expect(await dialog.getByText('deleted item').count()).toBe(0)
    expect(await dialog.getByText(/^Only where/).count()).toBe(0)
    await axe()
    await dialog.getByRole('button', { name: 'Change the 7 that fit' }).click()
    await expect.poll(() => valuesOf(2)).toEqual({ kind: { variant: 'note' } })
    expect(await valuesOf(0)).toEqual({
      done: true,
      kind: { variant: 'book' },
      pages: 320,
      author: ids['Ada'],
      readers: [ids['Grace'], ids['Doe, Jane']],
    })
  })

  flow('is not cut off without a word', async ({ page, signIn }) => {
    const client = await signIn()
    const { tag, valuesOf } = await makeTitles(client)
    const dialog = page.getByRole('dialog')
    await open(page, tag)
    await go(page, 'Title 4', 'shelf')
    await paste(page, 'A\nC')
    await dialog
      .getByText('1 row more was copied than there is from here on; an import makes new items.')
      .waitFor()
    await dialog.getByRole('button', { name: 'Change 1 cell' }).click()
    await expect.poll(() => valuesOf(2)).toEqual({ shelf: 'A' })
    // The columns that the service keeps stand at the right of all fields.
    await go(page, 'Title 4', 'Changed')
    await paste(page, 'A\tB\tC')
    await dialog.getByText('2 columns more were copied than there are to the right.').waitFor()
  })

  flow('or filled down goes into fields that it makes possible', async ({ page, signIn }) => {
    const client = await signIn()
    const { tag, valuesOf, fill } = await makeTitles(client)
    await fill(0, { kind: { variant: 'book' }, pages: 7 })
    await open(page, tag)
    await go(page, 'Title 2', 'kind')
    for (const key of ['Shift+ArrowRight', 'Shift+ArrowDown', 'Control+d']) await page.keyboard.press(key)
    await expect.poll(() => valuesOf(1)).toEqual({ kind: { variant: 'book' }, pages: 7 })
    // And both are emptied together.
    await page.keyboard.press('Delete')
    await expect.poll(() => valuesOf(1)).toEqual({ kind: null, pages: null })
  })
})

/** Three items of a tag, and four that have none. */
async function makeTitles(client: Client) {
  const { tag_id: tag } = await client.ok('POST', '/api/tags', { name: 'Title', fields: FIELDS })
  const names = ['Ada', 'Grace', 'Doe, Jane', 'Twin', 'Twin']
  const titles = ['Title 2', 'Title 3', 'Title 4']
  const made: { item_id: string }[] = await client.ok('POST', '/api/items/bulk', {
    items: [...names, ...titles.map((name) => ({ name, tags: [{ tag_ref: { Existing: tag } }] }))],
  })
  const idOf = (i: number) => made[names.length + i]!.item_id
  return {
    tag: tag as string,
    ids: Object.fromEntries(names.map((name, i) => [name, made[i]!.item_id])),
    valuesOf: async (i: number) =>
      (await client.ok('GET', `/api/items/${idOf(i)}`)).data[tag].field_values as Record<string, unknown>,
    fill: (i: number, field_values: object) =>
      client.ok('PUT', `/api/items/${idOf(i)}/tags/${tag}`, { field_values }),
  }
}

async function open(page: Page, tag: string): Promise<void> {
  await page.setViewportSize({ width: 2000, height: 800 })
  await page.goto(`/tags/${tag}?s=created_at`)
  await page.getByRole('row', { name: /Title 2/ }).waitFor()
}

async function go(page: Page, name: string, label: string): Promise<void> {
  const heading = page.getByRole('columnheader').filter({ hasText: new RegExp(`^${label}`) })
  const at = await heading.first().getAttribute('aria-colindex')
  await page
    .getByRole('row', { name: new RegExp(name) })
    .locator(`[aria-colindex="${at}"]`)
    .click()
}

/** As a spreadsheet hands it over. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', copied)
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)
}
