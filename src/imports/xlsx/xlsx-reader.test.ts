import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { xlsxReader } from '#src/imports/xlsx/xlsx-reader.ts'
import { workbook } from '#test/support/workbook.ts'
import { zipOf } from '#test/support/zip-of.ts'

const folder = mkdtempSync(join(tmpdir(), 'facet-xlsx-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(bytes: Buffer) {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const records = []
  const file = { path, name: 'book.xlsx', size: bytes.length }
  for await (const list of xlsxReader.read(file, { signal: new AbortController().signal }))
    records.push(...list)
  return records.map((each) =>
    each.is === 'row'
      ? [each.table, each.line, Object.fromEntries(each.cells)]
      : Object.values(each.is === 'table' ? { is: each.is, table: each.table, columns: each.columns } : each),
  )
}

test('each sheet is a table, its cells what they are', async () => {
  const bytes = await workbook({
    People: [
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Born</t></is></c><c r="D1" t="str"><v>On</v></c></row>',
      '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>45000</v></c><c r="C3"><v>1.5</v></c><c r="D3" t="b"><v>1</v></c></row>',
      '<row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" s="2"><v>45000.5</v></c></row>',
    ],
    Empty: [],
  })
  expect(await read(bytes)).toEqual([
    ['table', 'People', ['Name', 'Born', 'Column 3', 'On']],
    ['People', 3, { Name: 'Ada & Co', Born: '2023-03-15', 'Column 3': 1.5, On: true }],
    ['People', 4, { Name: 'rich text', Born: '2023-03-15 12:00:00' }],
    ['left_out', 'Empty', 'the sheet is empty'],
  ])
})

/** What one cell of a format is. */
async function cellOf(format: string, value: number | string, from_1904 = false) {
  const rows = [
    '<row r="1"><c r="A1" t="str"><v>Name</v></c></row>',
    `<row r="2"><c r="A2" s="3"><v>${value}</v></c></row>`,
  ]
  const [, row] = await read(await workbook({ Sheet: rows }, { formats: [format], from_1904 }))
  return (row as [string, number, { Name: unknown }])[2].Name
}

test.each([
  ['[h]:mm', 1.5, '36:00:00'],
  ['[hh]:mm:ss', 0.25, '06:00:00'],
  ['[mm]:ss', -1.5, '-36:00:00'],
  ['[ss].0', 1.5 / 86_400, '00:00:01.5'],
  ['[h]:mm', 1e300, 1e300],
  ['#,##0.00\\ _D_M', 1.5, 1.5],
  ['_-* #,##0.00\\ _S_I_T_-;\\-* #,##0.00\\ "days"', 1.5, 1.5],
  ['[Red]#,##0.00_);*d0', 1.5, 1.5],
  ['h:mm AM/PM', 0.75, '18:00:00'],
  ['h:mm', 45_000.75, '2023-03-15 18:00:00'],
  ['mm:ss', 0, '00:00:00'],
  ['mm:ss.000', 0.75 + 0.25 / 86_400, '18:00:00.250'],
  ['yyyy-mm-dd hh:mm:ss.000', 45_000 + 36_930.123 / 86_400, '2023-03-15 10:15:30.123'],
  // What a sum of days leaves, and what other programs write of a third, is no millisecond.
  ['yyyy-mm-dd hh:mm:ss', 45_000.4999999999, '2023-03-15 12:00:00'],
  ['yyyy-mm-dd hh:mm:ss', 45_000.4274305556, '2023-03-15 10:15:30'],
  ['mmm', 45_000, '2023-03-15'],
  ['[$-409]d\\-mmm\\-yy;@', 45_000, '2023-03-15'],
])('a cell of the format %s and the number %d is %s', async (format, value, expected) => {
  expect(await cellOf(format, value)).toBe(expected)
})

test.each([
  ['12345678901234567', '12345678901234567'],
  ['-112233445566778899', '-112233445566778899'],
  ['9007199254740992', 9_007_199_254_740_992],
  ['1234567890123456', 1_234_567_890_123_456],
  ['1.2345678901234567E+16', 12_345_678_901_234_568],
  ['0.30000000000000004', 0.1 + 0.2],
])('the number %s is %s: an integer that would be rounded is a text', async (value, expected) => {
  expect(await cellOf('0', value)).toBe(expected)
})

test.each([
  [1, '1900-01-01'],
  [1.5, '1900-01-01 12:00:00'],
  [59, '1900-02-28'],
  [61, '1900-03-01'],
  [0.5, '12:00:00'],
])('day %d from 1900 is %s', async (value, expected) => {
  expect(await cellOf('dd/mm/yyyy', value)).toBe(expected)
})

test.each([
  ['dd/mm/yyyy', 0, '1904-01-01'],
  ['dd/mm/yyyy', 0.5, '1904-01-01 12:00:00'],
  ['h:mm', 0.5, '12:00:00'],
  ['dd/mm/yyyy', 59, '1904-02-29'],
])('of days from 1904 a cell of the format %s and the number %d is %s', async (format, value, expected) => {
  expect(await cellOf(format, value, true)).toBe(expected)
})

test('texts have no escapes of characters that XML lets nobody write, or changes', async () => {
  const rows = [
    '<row r="1"><c r="A1" t="str"><v>Name</v></c><c r="B1" t="str"><v>Text</v></c></row>',
    '<row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2" t="inlineStr"><is><t>a_x000D_\nb_x005F_x000D_</t></is></c></row>',
    '<row r="3"><c r="A3" t="str"><v>_x00e9_t_xD83D__xDE00_</v></c><c r="B3" t="str"><v>x_x12_y_x000g_</v></c></row>',
  ]
  expect(await read(await workbook({ Sheet: rows }))).toEqual([
    ['table', 'Sheet', ['Name', 'Text']],
    ['Sheet', 2, { Name: 'line\r\nfeed', Text: 'a\r\nb_x000D_' }],
    ['Sheet', 3, { Name: 'ét😀', Text: 'x_x12_y_x000g_' }],
  ])
})

test.each([
  [
    'entities of its own',
    ['<!DOCTYPE x [<!ENTITY a "b">]><row r="1"><c r="A1" t="str"><v>&a;</v></c></row>'],
    'line 1: this is no XML',
  ],
  ['what is no XML', ['<row r="3"><c>'], 'line 3: this is no XML'],
  [
    'a cell of 50 MB',
    [`<row r="7"><c r="A7" t="str"><v>${'xy'.repeat(25e5)}</v></c></row>`],
    'line 7: a cell is longer than 1 MiB',
  ],
  [
    'too many columns',
    ['<row r="2"><c r="XFD2" t="str"><v>x</v></c></row>'],
    'line 2: a table has at most 1000 columns',
  ],
  [
    'a text that is not there',
    ['<row r="2"><c r="A2" t="s"><v>999</v></c></row>'],
    'line 2: a cell names a text that the file does not have',
  ],
])('%s ends with the place', async (_, rows, message) => {
  await expect(read(await workbook({ Sheet: rows }, { padded: true }))).rejects.toThrow(message)
})

const MAIN = 'xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"'
const RELATIONS = 'http://purl.oclc.org/ooxml/officeDocument/relationships'

/** A workbook of one sheet, whose parts lie and name each other as a test wants it. */
const oddBook = (given: {
  book?: string
  sheet?: string
  target: string
  attribute?: string
  kind?: string
}) => {
  const {
    book = 'xl/workbook.xml',
    sheet = 'xl/worksheets/sheet1.xml',
    attribute = 'r:id="a"',
    kind = 'worksheet',
  } = given
  const at = book.lastIndexOf('/') + 1
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  return zipOf({
    '_rels/.rels': `<Relationships>${relation('x', 'officeDocument', book)}</Relationships>`,
    [book]: `<workbook ${MAIN} xmlns:r="${RELATIONS}" xmlns:d1="${RELATIONS}"><sheets><sheet name="Sheet" sheetId="1" ${attribute}/></sheets></workbook>`,
    [`${book.slice(0, at)}_rels/${book.slice(at)}.rels`]: `<Relationships>${relation('a', kind, given.target)}${relation('s', 'sharedStrings', '/xl/Texts.xml')}</Relationships>`,
    'xl/texts.xml': `<sst ${MAIN}><si><t>Name</t></si></sst>`,
    [sheet]: `<worksheet ${MAIN}><sheetData><row><c t="s"><v>0</v></c></row><row><c t="str"><v>Ada</v></c></row></sheetData></worksheet>`,
  })
}

test.each([
  ['from the root', { target: '/xl/worksheets/sheet1.xml' }],
  ['from the root without a sign', { target: 'xl/worksheets/sheet1.xml' }],
  ['by a way around', { target: './worksheets/../worksheets/sheet1.xml' }],
  ['written otherwise', { target: 'Worksheets/Sheet1.xml' }],
  ['with backslashes', { target: 'worksheets\\sheet1.xml' }],
  ['with escapes', { target: 'my%20sheets/1.xml', sheet: 'xl/my sheets/1.xml' }],
  ['by another prefix', { target: 'worksheets/sheet1.xml', attribute: 'd1:id="a"' }],
  [
    'in a workbook elsewhere',
    { target: '../sheet.xml', book: 'office/book/workbook2.xml', sheet: 'office/sheet.xml' },
  ],
])('a sheet is read that is named %s', async (_, parts) => {
  expect(await read(await oddBook(parts))).toEqual([
    ['table', 'Sheet', ['Name']],
    ['Sheet', 2, { Name: 'Ada' }],
  ])
})

test.each([
  [{ target: 'worksheets/sheet2.xml' }, "the file lacks the sheet, 'worksheets/sheet2.xml'"],
  [
    { target: 'worksheets/sheet1.xml', attribute: 'r:id="b"' },
    'the workbook does not say where the sheet is',
  ],
  [
    { target: 'worksheets/sheet1.xml', kind: 'chartsheet' },
    'the sheet is a chartsheet, which has no cells of a table',
  ],
])('a sheet that cannot be read is named with the reason: %j', async (parts, reason) => {
  const told: unknown[] = []
  const path = join(folder, 'odd')
  const bytes = await oddBook(parts)
  writeFileSync(path, bytes)
  const file = { path, name: 'odd.xlsx', size: bytes.length }
  const reading = async () => {
    for await (const list of xlsxReader.read(file, { signal: new AbortController().signal }))
      told.push(...list)
  }
  await expect(reading()).rejects.toThrow('there is nothing in it')
  expect(told).toEqual([{ is: 'left_out', name: 'Sheet', reason }])
})

test('what is no workbook is reported', async () => {
  await expect(read(Buffer.from('Name\nAda\n'))).rejects.toMatchObject({
    message: 'book.xlsx: it is no workbook of the format .xlsx',
    suggestion: expect.stringContaining('format: "csv"'),
  })
  await expect(read(Buffer.from('D0CF11E0A1B11AE1 0000', 'hex'))).rejects.toMatchObject({
    message: 'book.xlsx: it is a workbook of Excel 97 to 2003, or one with a password',
    suggestion: expect.stringContaining('without a password'),
  })
})

test('a formula that no program has computed is no empty cell', async () => {
  const bytes = await workbook({
    Sheet: [
      '<row r="1"><c r="A1" t="str"><v>Name</v></c><c r="B1" t="str"><v>Sum</v></c></row>',
      '<row r="2"><c r="A2" t="str"><v>none</v></c><c r="B2"><f>1+1</f><v/></c></row>',
      '<row r="3"><c r="A3" t="str"><v>neither</v></c><c r="B3"><f>1+1</f></c></row>',
      '<row r="4"><c r="A4" t="str"><v>empty text</v></c><c r="B4" t="str"><f>""</f><v></v></c></row>',
      '<row r="5"><c r="A5" t="str"><v>number</v></c><c r="B5"><f>1+1</f><v>2</v></c></row>',
      '<row r="6"><c r="A6" t="str"><v>no formula</v></c><c r="B6"/></row>',
    ],
  })
  const [, ...rows] = (await read(bytes)) as [string, number, { Sum?: unknown }][]
  expect(rows.map(([, , { Sum }]) => Sum)).toEqual([{ error: '' }, { error: '' }, undefined, 2, undefined])
})

test('merged cells and links whose addresses are not shown are named', async () => {
  const cell = (at: string, text: string) => `<c r="${at}" t="str"><v>${text}</v></c>`
  const rows = [
    `<row r="1">${cell('A1', 'All of 2026')}</row>`,
    `<row r="3">${cell('A3', 'Name')}${cell('B3', 'Site')}${cell('C3', 'Area')}</row>`,
    `<row r="4">${cell('A4', 'Ada')}${cell('B4', 'her page')}${cell('C4', 'North')}</row>`,
    `<row r="5">${cell('A5', 'Bob')}${cell('B5', 'bob@x.org')}</row>`,
    '</sheetData><mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="C4:C5"/></mergeCells><hyperlinks>' +
      '<hyperlink ref="B4" r:id="rId1"/><hyperlink ref="B5" r:id="rId2"/><hyperlink ref="A5" location="Other!A1"/></hyperlinks><sheetData>',
  ]
  const told = await read(await workbook({ People: rows }))
  expect(told.filter(([is]) => is === 'left_out')).toEqual([
    ['left_out', 'line 1 of People', expect.stringContaining('a title')],
    ['left_out', 'merged cells of People', expect.stringContaining('(C4:C5)')],
    ['left_out', 'addresses of links of People', expect.stringContaining('(1)')],
  ])
  const plain = await read(await workbook({ People: rows.slice(0, 4) }))
  expect(plain).toHaveLength(4)
})
