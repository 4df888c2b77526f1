import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { MAX_ROW } from '#src/imports/bounds.ts'
import { decoded, encodingOf, type Encoding } from '#src/imports/csv/encoding.ts'
import { CSV, separatorOf } from '#src/imports/csv/separator.ts'
import { type Cell, type ImportFile, ImportFault, type ImportReader } from '#src/imports/source.ts'
import { tableName } from '#src/imports/table-name.ts'
import { TableRows } from '#src/imports/table-rows.ts'

interface Parsed {
  record: string[]
  info: { lines: number }
}

/** CSV and TSV. */
export const csvReader: ImportReader = {
  async *read(file, { signal }) {
    const encoding = await encodingOf(file.path)
    const head = await headOf(file, encoding)
    const delimiter = separatorOf(head)
    const parser = parse({ ...CSV, delimiter, info: true, max_record_size: MAX_ROW })
    // What goes wrong with the one ends the other.
    pipeline(Readable.from(decoded(file.path, encoding, signal)), parser, () => {})
    const rows = new TableRows(tableName(file.name), { file: file.name })
    const lines = new LineCount()
    const faultOf = encoding.broken ? brokenIn(encoding) : undefined
    try {
      for await (const { record, info } of parser as AsyncIterable<Parsed>) {
        rows.take(lines.startOf(record, info.lines), record.map(unguarded), faultOf)
        if (rows.isFull) yield rows.give()
      }
    } catch (error) {
      throw inWords(error, file, lines.next)
    }
    if (!rows.hasColumns) throw new ImportFault('there is nothing in it', { file: file.name })
    yield rows.give()
  },
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

/** Our own CSV has a `'` before what a spreadsheet would carry out. */
const unguarded = (cell: string): string => (/^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell)

const brokenIn =
  ({ label, broken }: Encoding) =>
  (_: string, cell: Cell): string | undefined =>
    typeof cell === 'string' && broken!.test(cell)
      ? `the cell has bytes that are ${label === 'windows-1252' ? 'neither UTF-8 nor Windows-1252' : `no ${label.toUpperCase()}`}`
      : undefined

/** At which line of the file a row begins: the parser counts a CRLF inside quotes as two. */
class LineCount {
  next = 1
  private doubled = 0

  startOf(record: readonly string[], counted: number): number {
    let breaks = 0
    for (const cell of record) {
      if (!cell.includes('\n') && !cell.includes('\r')) continue
      const pairs = cell.split('\r\n').length - 1
      breaks += cell.split(/[\r\n]/).length - 1 - pairs
      this.doubled += pairs
    }
    const end = counted - this.doubled
    this.next = end + 1
    return end - breaks
  }
}

function inWords(error: unknown, { name }: ImportFile, line: number): unknown {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new ImportFault(
      'the row is longer than 8 MiB',
      { file: name, line },
      'Look for a quote there that is not closed',
    )
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new ImportFault(
      'a quote is not closed',
      { file: name, line },
      'Close it, or double it inside a text',
    )
  return code?.startsWith('CSV_') ? new ImportFault(message, { file: name, line }) : error
}
