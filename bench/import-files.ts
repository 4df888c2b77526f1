import { ZipWriter } from '#src/transfer/zip-writer.ts'

const OWNERS = ['Ada', 'Bob', 'Cleo', 'Dana', 'Emil', 'Fay']
const STATES = ['open', 'doing', 'done']

/** A row of ten columns, by its number. */
const rowOf = (n: number) => ({
  name: `Row ${n} of ${OWNERS[n % 6]!}`,
  number: n * 1.5,
  day: `2026-0${1 + (n % 9)}-${10 + (n % 18)}`,
  state: STATES[n % 3]!,
  done: n % 2 === 0,
  code: `C-${n}`,
  owner: OWNERS[n % 6]!,
  place: `Street ${n % 977}, town ${n % 31}`,
  count: n % 1000,
  notes: `Notes of row ${n}, as people write them`,
})

const HEADS = Object.keys(rowOf(0))

const csv = (rows: readonly ReturnType<typeof rowOf>[]) =>
  [HEADS, ...rows.map((row) => Object.values(row))]
    .map((cells) => `${cells.map((cell) => (/,/.test(`${cell}`) ? `"${cell}"` : cell)).join(',')}\n`)
    .join('')

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;' }

/** The sheet that spreadsheet programs write, with its texts in the cells. */
function sheet(rows: readonly ReturnType<typeof rowOf>[]): string {
  const lines = [HEADS, ...rows.map((row) => Object.values(row))].map((cells, r) => {
    const xml = cells.map((cell, c) => {
      const at = `${String.fromCodePoint(65 + c)}${r + 1}`
      if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
      if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`
      return `<c r="${at}" t="inlineStr"><is><t>${cell.replaceAll(/[&<]/g, (each) => ESCAPED[each]!)}</t></is></c>`
    })
    return `<row r="${r + 1}">${xml.join('')}</row>`
  })
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  return `<?xml version="1.0"?><worksheet ${main}><sheetData>${lines.join('')}</sheetData></worksheet>`
}

const BOOK = {
  'xl/workbook.xml':
    '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="x"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<?xml version="1.0"?><Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
}

const note = ({ name, notes, ...rest }: ReturnType<typeof rowOf>) =>
  `---\n${Object.entries(rest)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')}---\n# ${name}\n\n${notes}.\n`

async function zip(files: Iterable<readonly [string, string]>): Promise<Buffer> {
  const writer = new ZipWriter()
  const pieces: Buffer[] = []
  for (const [path, content] of files)
    for await (const piece of writer.add(path, Buffer.from(content), new Date(0))) pieces.push(piece)
  return Buffer.concat([...pieces, ...writer.end()])
}

const ID = '1f0a52c3d4e5461789abcdef01234567'

/** By the name under which it is uploaded: a file of so many rows, in each format. */
export const IMPORT_FILES: Readonly<Record<string, (rows: number) => Promise<Buffer> | Buffer>> = {
  'rows.csv': (count) => Buffer.from(csv(many(count))),
  'rows.xlsx': (count) => zip(Object.entries({ ...BOOK, 'xl/worksheets/sheet1.xml': sheet(many(count)) })),
  'rows.jsonl': (count) =>
    Buffer.from(
      many(count)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    ),
  'vault.zip': (count) => zip(many(count).map((row) => [`Rows/${row.name}.md`, note(row)] as const)),
  'notion.zip': (count) => zip([[`Rows ${ID}.csv`, csv(many(count))]]),
}

const many = (count: number) => Array.from({ length: count }, (_, n) => rowOf(n))
