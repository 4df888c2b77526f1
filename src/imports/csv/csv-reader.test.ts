import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { csvReader } from '#src/imports/csv/csv-reader.ts'
import type { SourceRow } from '#src/imports/source.ts'

const folder = mkdtempSync(join(tmpdir(), 'facet-csv-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Reading {
  name?: string
  header_row?: number
}

async function read(bytes: string | Buffer, { name = 'table.csv', header_row }: Reading = {}) {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const records = []
  const size = Buffer.byteLength(bytes)
  const { signal } = new AbortController()
  for await (const list of csvReader.read({ path, name, size }, { signal, header_row })) records.push(...list)
  return {
    columns: records.flatMap((each) => (each.is === 'table' ? each.columns : [])),
    rows: records.filter((each) => each.is === 'row'),
    left_out: records.filter((each) => each.is === 'left_out'),
  }
}
const told = ({ line, cells }: SourceRow) => [line, Object.fromEntries(cells)]

test('lines are those of the file, whatever line ends are inside quotes', async () => {
  const { rows } = await read('a,b\r\n1,"x\r\ny"\r\n\r\n2,"l\nm\nn"\r\n3,z\r\n,\r\n4,y')
  expect(rows.map(told)).toEqual([
    [2, { a: '1', b: 'x\r\ny' }],
    [5, { a: '2', b: 'l\nm\nn' }],
    [8, { a: '3', b: 'z' }],
    [10, { a: '4', b: 'y' }],
  ])
})

test.each([
  ['CRLF, then LF', 'Name,X\r\nA,"foo, x"\nB,bar\n'],
  ['LF, then CRLF', 'Name,X\nA,"foo, x"\r\nB,"bar"\r\n'],
  ['LF, then CR', 'Name,X\nA,"foo, x"\rB,"bar"\r'],
  ['CR, then all three', 'Name,X\rA,"foo, x"\r\nB,"bar"\n'],
])('rows end where lines end: %s', async (_, text) => {
  const { rows } = await read(text)
  expect(rows.map(told)).toEqual([
    [2, { Name: 'A', X: 'foo, x' }],
    [3, { Name: 'B', X: 'bar' }],
  ])
})

test('a quoted cell stays whole whatever line ends it has, and those of its row', async () => {
  const { rows } = await read('a,b\r\n1,"x\ry\nz\r\nw"\n2,"\r"\r3,"q\n"\r\n')
  expect(rows.map(told)).toEqual([
    [2, { a: '1', b: 'x\ry\nz\r\nw' }],
    [6, { a: '2', b: '\r' }],
    [8, { a: '3', b: 'q\n' }],
  ])
})

test('a CRLF that two pieces of the file part is one line end', async () => {
  // The file is read 64 KiB at a time.
  const cell = 'x'.repeat(64 * 1024 - 'a,b\r\n1,\r'.length)
  const { rows } = await read(`a,b\r\n1,${cell}\r\n2,y\n`)
  expect(rows.map(({ line, cells }) => [line, cells.get('a')])).toEqual([
    [2, '1'],
    [3, '2'],
  ])
})

test.each([
  ['name, tags\nTV, "a, b"\nRadio,"c, d"\n', ['a, b', 'c, d']],
  ['name, tags\nTV, "a b"\n', ['a b']],
  ['name; tags\nTV; "say ""a; b"""\n', ['say "a; b"']],
  ['sep=|\nname| tags\nTV| "a| b"\n', ['a| b']],
  ['name, tags\nTV, "a" b\n', [' "a" b']],
  ['name,tags\nTV," ""a, b"""\n', [' "a, b"']],
  ['name,tags\nTV, a\n', [' a']],
])('a quote begins a cell behind blanks, too, where rows say so: %j', async (text, cells) => {
  const { rows, columns } = await read(text)
  expect(columns).toEqual(['name', 'tags'])
  expect(rows.map((row) => row.cells.get('tags'))).toEqual(cells)
})

const PLAIN_ROWS = 'Radio, c\n'.repeat(100)

test.each([
  [`name, tags\n${PLAIN_ROWS}TV, "a, b"\n`, 'a, b'],
  [`name, tags\n${PLAIN_ROWS}TV, "a b"\n`, 'a b'],
  [`name, tags\n${PLAIN_ROWS}TV, "a\n b, c"\n`, 'a\n b, c'],
  // Blanks and a quote in two pieces of the file.
  [`name, tags\n${'x'.repeat(64 * 1024 - 'name, tags\n, c\nTV,  '.length)}, c\nTV,  "a, b"\n`, 'a, b'],
  // A quote that nothing closes is one of the text.
  [`name, size\n${PLAIN_ROWS}TV, "wide\n`, ' "wide'],
  [`name, size\n${PLAIN_ROWS}TV, 24"\n`, ' 24"'],
])('a quote behind blanks begins a cell wherever the first such row is', async (text, cell) => {
  const { rows, columns } = await read(text)
  expect(rows.at(-1)!.cells.get(columns[1]!)).toBe(cell)
  expect(rows.at(-1)!.cells.size).toBe(2)
})

test.each(['', PLAIN_ROWS])(
  'where quotes behind blanks begin cells, one that nothing closes is a fault',
  async (rows) => {
    const text = `name, size\nTV, "a, b"\n${rows}TV, "wide\nRadio, c\n`
    await expect(read(text)).rejects.toThrow(`line ${rows ? 103 : 3}: a quote is not closed`)
  },
)

test.each([
  ['"say \\"hi\\", ok"', 'say "hi", ok'],
  ['"\\"hi\\""', '"hi"'],
  ['"C:\\\\dir\\\\ \\"x\\""', 'C:\\dir\\ "x"'],
  ['"a\n\\"b\\""', 'a\n"b"'],
  // Those are doubled, or no quotes of texts.
  ['"C:\\dir\\"', 'C:\\dir\\'],
  ['"say \\""hi"""', 'say \\"hi"'],
  ['say \\"hi\\"', 'say \\"hi\\"'],
  ['"""hi\\"" ok"', '"hi\\" ok'],
])('quotes with a backslash before them are read where rows say so: %j', async (cell, text) => {
  const { rows } = await read(`name,text\nAda,${cell}\n"Bob, B.","x"\n`)
  expect(rows.map(({ cells }) => [...cells.values()])).toEqual([
    ['Ada', text],
    ['Bob, B.', 'x'],
  ])
})

test('a title above the headings leaves the columns parted', async () => {
  const { rows } = await read('Report 2026\n\nname;n;city\nAda;3;Rome\nBob;4;Oslo\n')
  expect(rows.map(({ cells }) => cells.size)).toEqual([3, 3])
})

test.each<[text: string, left_out: string, line: number]>([
  ['Report 2026,,\n\nname,n,city\nAda,3,Rome\n', 'line 1', 4],
  ['Report 2026\nname,n,city\nAda,3,Rome\n', 'line 1', 3],
  ['Report\nas of March\n\nname;n;city\nAda;3;Rome\nBob;4;\n', 'lines 1 to 2', 5],
  // As banks write their statements.
  [
    'Account;DE02\r\nFrom;01.01.2026\r\n\r\nname;n;city;on\r\nAda;1,5;Rome;x\r\nBob;2,5;Oslo;y\r\n',
    'lines 1 to 2',
    5,
  ],
])('titles above the headings are left out, and named: %j', async (text, name, line) => {
  const { columns, rows, left_out } = await read(text)
  expect(columns.slice(0, 3)).toEqual(['name', 'n', 'city'])
  expect([rows[0]!.line, rows[0]!.cells.get('name')]).toEqual([line, 'Ada'])
  expect(left_out).toEqual([
    { is: 'left_out', name: `${name} of table`, reason: expect.stringContaining(`line ${line - 1}`) },
  ])
})

test.each<[text: string, columns: string[], remark: string | null]>([
  ['\nAll of it,2026\n\nname,n,b\nAda,3,4\n', ['All of it', '2026', 'Column 3'], 'column 3'],
  // The row below is no heading: it has values, or the same text twice, or nothing below it.
  ['Report\nAda,3,4\nBob,5,6\n', ['Report', 'Column 2', 'Column 3'], 'columns 2 to 3'],
  ['Report\na,a,b\nAda,5,6\n', ['Report', 'Column 2', 'Column 3'], 'columns 2 to 3'],
  ['Report\na,b,c\n', ['Report', 'Column 2', 'Column 3'], 'columns 2 to 3'],
  ['Name\nAda,x,y\nBob,z,w\n', ['Name', 'Column 2', 'Column 3'], 'columns 2 to 3'],
  ['name,n\nAda,1\nBob,2\n', ['name', 'n'], null],
  ['Shopping\nmilk, eggs, ham\nbread, jam, tea\n', ['Shopping', 'Column 2', 'Column 3'], 'columns 2 to 3'],
  // What is in quotes parts no columns, where another sign does.
  ['Name;Notes\nA;"x, y, z"\nB;"a, b, c"\n', ['Name', 'Notes'], null],
  [`name\n${'x\n'.repeat(20)}a,b,c\nd,e,f\n`, ['name', 'Column 2', 'Column 3'], null],
])('what need not be a title is taken for the headings: %j', async (text, names, remark) => {
  const { columns, left_out } = await read(text)
  expect(columns).toEqual(names)
  const name = `headings of ${remark} of table`
  expect(left_out).toEqual(remark === null ? [] : [{ is: 'left_out', name, reason: expect.any(String) }])
})

test.each<[header_row: number, text: string, columns: string[], left_out: number]>([
  [3, 'Report\nAll of it,2026\nname,n\nAda,3\n', ['name', 'n'], 0],
  [1, 'Report\nname,n,b\nAda,3,4\n', ['Report', 'Column 2', 'Column 3'], 1],
  [2, 'a,b\r1,2\r3,4\r', ['1', '2'], 0],
  [4, 'On, by Ada, for you\n"x\ny",z,w\nname;n\nAda;3\n', ['name', 'n'], 0],
])('the headings are in line %i where that is said: %j', async (header_row, text, names, left) => {
  const { columns, left_out } = await read(text, { header_row })
  expect(columns).toEqual(names)
  expect(left_out).toHaveLength(left)
})

test.each([2, 9])('a line %i without a row has no headings', async (header_row) => {
  const reading = read('name,n\n\nAda,3\n', { header_row })
  await expect(reading).rejects.toThrow(`nothing is in line ${header_row}, which is to have the headings`)
})

test('a zip that is called CSV is refused with the way out', async () => {
  const bytes = Buffer.from('PK\u0003\u0004 and so on,\n')
  await expect(read(bytes)).rejects.toMatchObject({
    message: 'table.csv: this is a zip, as workbooks of Excel are, and no CSV',
    suggestion: expect.stringContaining('xlsx'),
  })
})

test('a cell behind the last heading further below is no sign of a title', async () => {
  expect((await read('a,b\n1,2\n3,4,5\n')).left_out).toEqual([])
  expect((await read('a,b\n1,2,\n')).left_out).toEqual([])
})

test.each<[name: string, bytes: Buffer]>([
  ['UTF-8', Buffer.from('Name;Ort\nMüller;Köln\n')],
  ['UTF-8 with a mark', Buffer.from('\uFEFFName;Ort\nMüller;Köln\n')],
  ['UTF-16 of Windows', Buffer.from('\uFEFFName\tOrt\r\nMüller\tKöln\r\n', 'utf16le')],
  ['UTF-16, big end first', Buffer.from('\uFEFFName|Ort\nMüller|Köln\n', 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from('Name\tOrt\r\nMüller\tKöln\r\n', 'utf16le')],
  ['UTF-16 without a mark, big end first', Buffer.from('Name|Ort\nMüller|Köln\n', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('Name,Ort\nMüller,Köln\n', 'latin1')],
])('%s is read, whatever parts its columns', async (_, bytes) => {
  const { rows } = await read(bytes)
  expect(rows.map(told)).toEqual([[2, { Name: 'Müller', Ort: 'Köln' }]])
})

test.each([
  ['sep=;\r\n', ';'],
  ['SEP=:\n', ':'],
  ['"sep=|"\n', '|'],
  ['sep=\t\n', '\t'],
  ['\uFEFFsep=;\r', ';'],
])('a first line %j says what parts the columns, and is no row', async (said, sign) => {
  const { columns, rows } = await read(`${said}Name${sign}a, b, c\nAda${sign}1, 2, 3\n`)
  expect(columns).toEqual(['Name', 'a, b, c'])
  expect(rows.map(told)).toEqual([[3, { Name: 'Ada', 'a, b, c': '1, 2, 3' }]])
})

test('a heading that only begins so is one', async () => {
  expect((await read('sep=;x\n1;2\n')).columns).toEqual(['sep=', 'x'])
  expect((await read('Name;sep=;\n1;2\n')).columns).toEqual(['Name', 'sep='])
})

test('a row whose bytes are in no encoding is a fault with its line and column', async () => {
  const { rows } = await read(Buffer.from('Name,Ort\nM\xFCller,K\xF6ln\nX,Y\x81\n', 'latin1'))
  expect(rows.map(({ line, fault }) => [line, fault])).toEqual([
    [2, undefined],
    [3, { column: 'Ort', message: expect.stringContaining('neither UTF-8 nor Windows-1252') }],
  ])
})

test('headings are unique, and cells behind the last one have a column too', async () => {
  const { columns, rows } = await read(' Name ,,Name\nAda,x,y,z\n')
  expect(columns).toEqual(['Name', 'Column 2', 'Name 2', 'Column 4'])
  expect(told(rows[0]!)).toEqual([2, { Name: 'Ada', 'Column 2': 'x', 'Name 2': 'y', 'Column 4': 'z' }])
})

test('what an export guards from spreadsheets is taken without the guard', async () => {
  const { rows } = await read(`a,b,c\n'=1+1,''x,'tis\n`)
  expect(told(rows[0]!)).toEqual([2, { a: '=1+1', b: "'x", c: "'tis" }])
})

test.each([
  ['nothing at all', '', 'there is nothing in it'],
  ['a quote that is not closed', 'a,b\n1,2\n3,"x\ny\n', 'line 3: a quote is not closed'],
  ['a row of 50 MB', `a,b\n1,${'x'.repeat(50e6)}`, 'line 2: the row is longer than 8 MiB'],
  ['a million columns', `${','.repeat(1e6)}a\n1`, 'line 1: a table has at most 1000 columns'],
])('%s ends with the place', async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(`table.csv`)
  await expect(read(text)).rejects.toThrow(message)
})

test.each([
  ['NUL', 'a\n\0', 'NUL'],
  ['more than 1 MiB', `a\n${'x'.repeat(2 ** 20 + 1)}`, '1 MiB'],
])('a cell with %s makes its row a fault', async (_, text, message) => {
  const { rows } = await read(text)
  expect(rows).toMatchObject([{ line: 2, fault: { column: 'a', message: expect.stringContaining(message) } }])
})
