import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { imported, lookAt } from '#test/support/imports.ts'
import { startService, type Service } from '#test/support/service.ts'
import { workbook } from '#test/support/workbook.ts'

// Files made by hand in the shape that spreadsheets and Airtable document. No file of a product itself was tried; which
// version each imitates stands beside it. Notion's zips and Obsidian's vaults have tests of their own.

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

interface Column {
  name: string
  type: string
  variants?: string[]
}
const typesOf = (columns: Column[]) => Object.fromEntries(columns.map(({ name, type }) => [name, type]))
async function valuesOf(tag: string) {
  const items = await client.ok('POST', '/api/items/search', {
    filter: { has_tag: tag },
    sort: [{ by: 'name' }],
  })
  return items.map(({ name, tags }: { name: string; tags: object }) => ({
    name,
    ...Object.values<{ field_values: object }>({ ...tags })[0]!.field_values,
  }))
}

/** Each as Excel for Microsoft 365 saves the same sheet under German settings (2019 and later do the same). */
const GERMAN =
  'Name;Fällig;Betrag;Bezahlt\r\nMüller & Söhne;31.01.2026;1.234,50;WAHR\r\nWeiß;13.02.2026;12,00;FALSCH\r\n'
it.each<[kind: string, bytes: Buffer]>([
  ['CSV (Trennzeichen-getrennt), in Windows-1252', Buffer.from(GERMAN, 'latin1')],
  ['CSV UTF-8, with a mark', Buffer.from(`\uFEFF${GERMAN}`)],
  ['Unicode Text, in UTF-16 with tabs', Buffer.from(`\uFEFF${GERMAN.replaceAll(';', '\t')}`, 'utf16le')],
])('Excel: %s', async (_, content) => {
  const looked = await lookAt(client, 'Rechnung.csv', content)
  expect(typesOf(looked.body.tables[0].columns)).toEqual({
    Name: 'String',
    Fällig: 'Date',
    Betrag: 'Number',
    Bezahlt: 'Boolean',
  })
  const { done } = await imported(client, { name: 'Rechnung.csv', content })
  expect(done).toMatchObject({ created: 2, fault_count: 0 })
  expect((await valuesOf('Rechnung')).slice(0, 2)).toEqual([
    { name: 'Müller & Söhne', Fällig: '2026-01-31', Betrag: 1234.5, Bezahlt: true },
    { name: 'Weiß', Fällig: '2026-02-13', Betrag: 12, Bezahlt: false },
  ])
  await client.ok('POST', `/api/imports/${done.import_id}/undo`, {})
})

/** As Excel for Microsoft 365 writes it: texts shared, dates as days by the style, what was computed beside its formula. */
it('Excel: a workbook', async () => {
  const content = await workbook({
    Orders: [
      '<row r="1" spans="1:4"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Due</t></is></c><c r="C1" t="inlineStr"><is><t>Sum</t></is></c><c r="D1" t="inlineStr"><is><t>Paid</t></is></c></row>',
      '<row r="2" spans="1:4"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>46053</v></c><c r="C2"><f>SUM(1,0.5)</f><v>1.5</v></c><c r="D2" t="b"><v>1</v></c></row>',
    ],
  })
  const { done } = await imported(client, { name: 'book.xlsx', content })
  expect(done).toMatchObject({ format: 'xlsx', created: 1, fault_count: 0 })
  expect(await valuesOf('Orders')).toEqual([{ name: 'Ada & Co', Due: '2026-01-31', Sum: 1.5, Paid: true }])
})

/** As Google Sheets of 2025 downloads a sheet as CSV: UTF-8 without a mark, CRLF, values as they are shown, no last line end. */
it('Google Sheets: CSV', async () => {
  const content =
    'Task,Due,Cost,Done,Labels\r\n"Plan, then do",1/31/2026,"1,234.50",TRUE,"home, garden"\r\n' +
    'Dig,2/13/2026,12.00,FALSE,garden\r\nRest,2/14/2026,,FALSE,"home, rest"\r\nPaint,3/1/2026,7.00,TRUE,"rest, garden"'
  const { mapped, done } = await imported(client, { name: 'Tasks - Sheet1.csv', content })
  expect(typesOf(mapped.tables[0].columns)).toEqual({
    Task: 'String',
    Due: 'Date',
    Cost: 'Number',
    Done: 'Boolean',
    Labels: 'MultiSelect',
  })
  expect(done).toMatchObject({ created: 4, fault_count: 0 })
  expect((await valuesOf(mapped.tables[0].name))[2]).toEqual({
    name: 'Plan, then do',
    Due: '2026-01-31',
    Cost: 1234.5,
    Done: true,
    Labels: ['home', 'garden'],
  })
})

/**
 * As Airtable of 2025 downloads a grid view: a mark, `checked` or nothing, ISO dates where the field has them, files as
 * `name (URL)`, which are not fetched. Lists are parted by a comma alone there, which a text may have too: they stay
 * text until somebody says that they are lists.
 */
it('Airtable: a view as CSV', async () => {
  const content =
    '\uFEFFName,Status,Done,Due,Pictures,Linked\n' +
    'Garden,Todo,checked,2026-01-31,roses.png (https://v5.airtableusercontent.com/v3/u/1/roses.png),"Ada,Bob"\n' +
    '"Shed, old",Doing,,2026-02-13,,Ada\nHouse,Todo,checked,,,\nPond,Doing,,,,\n'
  const { mapped, done } = await imported(client, { name: 'Projects-Grid view.csv', content })
  expect(mapped.tables[0].columns.slice(0, 4)).toMatchObject([
    { name: 'Name', type: 'String' },
    { name: 'Status', type: 'Select', variants: ['Todo', 'Doing'] },
    { name: 'Done', type: 'Boolean' },
    { name: 'Due', type: 'Date' },
  ])
  expect(done).toMatchObject({ created: 4, fault_count: 0 })
  expect((await valuesOf(mapped.tables[0].name))[0]).toMatchObject({
    name: 'Garden',
    Status: { variant: 'Todo' },
    Done: true,
    Due: '2026-01-31',
    Pictures: 'roses.png (https://v5.airtableusercontent.com/v3/u/1/roses.png)',
    Linked: 'Ada,Bob',
  })
})
