import { areBlanksStrays } from '#src/imports/csv/blanks-before-quotes.ts'
import { csvRecords } from '#src/imports/csv/csv-records.ts'
import { decoded, encodingOf, type Encoding } from '#src/imports/csv/encoding.ts'
import { areQuotesEscaped } from '#src/imports/csv/escaped-quotes.ts'
import { type Separation, separatorOf, separatorSaid } from '#src/imports/csv/separator.ts'
import { fileHead } from '#src/imports/file-head.ts'
import { type Cell, type ImportFile, ImportFault, type ImportReader } from '#src/imports/source.ts'
import { tableName } from '#src/imports/table-names.ts'
import { TableRows } from '#src/imports/table-rows.ts'
import { beginsAsZip, SIGNATURE_BYTES } from '#src/imports/zip/zip.ts'

/** CSV and TSV. */
export const csvReader: ImportReader = {
  async *read(file, { signal, header_row }) {
    if (beginsAsZip(await fileHead(file.path, SIGNATURE_BYTES)))
      throw new ImportFault(
        'this is a zip, as workbooks of Excel are, and no CSV',
        { file: file.name },
        'Say what it is, e.g. format: "xlsx"',
      )
    const encoding = await encodingOf(file.path)
    const head = await headOf(file, encoding)
    const said = separatorSaid(head)
    const delimiter = said ?? separatorOf(fromLine(head, header_row))
    const text = () => decoded(file.path, encoding, signal)
    const separation = await separationOf(text, delimiter)
    const read_as = { encoding: encoding.label, separator: delimiter }
    const faultOf = encoding.broken ? brokenIn(encoding) : undefined
    const reading = { read_as, faultOf, header_row }
    const rows = new TableRows(tableName(file.name), { file: file.name }, reading)
    for await (const { line, cells } of csvRecords(text(), separation, file.name)) {
      if (line === 1 && said !== undefined) continue
      rows.take(line, cells.map(unguarded))
      if (rows.isFull) yield rows.give()
    }
    const missing = rows.end('there is nothing in it')
    if (missing !== null) throw new ImportFault(missing, { file: file.name })
    yield rows.give()
  },
}

async function separationOf(text: () => AsyncIterable<string>, delimiter: string): Promise<Separation> {
  const separation = { delimiter, ltrim: await areBlanksStrays(text, delimiter) }
  return (await areQuotesEscaped(text, separation)) ? { ...separation, escape: '\\' } : separation
}

const HEAD = 64 * 1024

/** The first rows: the separator is guessed by them. */
async function headOf(file: ImportFile, encoding: Encoding): Promise<string> {
  let head = ''
  for await (const piece of decoded(file.path, encoding)) {
    head += piece
    if (head.length > HEAD) break
  }
  if (head.length <= HEAD) return head
  const end = head.lastIndexOf('\n', HEAD)
  return head.slice(0, end < 0 ? HEAD : end)
}

/** What is above the headings has other columns. */
function fromLine(head: string, line = 1): string {
  let from = 0
  for (const end of head.matchAll(/\r\n|\n|\r/g)) {
    if (--line < 1) break
    from = end.index + end[0].length
  }
  return head.slice(from)
}

/** Our own CSV has a `'` before what a spreadsheet would carry out. */
const unguarded = (cell: string): string => (/^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell)

const brokenIn =
  ({ label, broken }: Encoding) =>
  (_: string, cell: Cell): string | undefined =>
    typeof cell === 'string' && broken!.test(cell)
      ? `the cell has bytes that are ${label === 'windows-1252' ? 'neither UTF-8 nor Windows-1252' : `no ${label.toUpperCase()}`}`
      : undefined
