import { wouldBeRounded } from '#src/domain/number-text.ts'
import { MAX_CELL, MAX_COLUMNS } from '#src/imports/bounds.ts'
import { fileHead } from '#src/imports/file-head.ts'
import {
  type Cell,
  type ImportFile,
  ImportFault,
  type ImportReader,
  type SourceRecord,
} from '#src/imports/source.ts'
import { TableRows } from '#src/imports/table-rows.ts'
import { SheetRemarks } from '#src/imports/xlsx/sheet-remarks.ts'
import { plainText, readWorkbook, relationId, type Sheet, type Workbook } from '#src/imports/xlsx/workbook.ts'
import { readXml, type XmlHandler } from '#src/imports/xlsx/xml-stream.ts'
import { Archive } from '#src/imports/zip/archive.ts'
import { beginsAsZip } from '#src/imports/zip/zip.ts'

/** `.xlsx`: each sheet is a table, whose first row that has anything has the headings. */
export const xlsxReader: ImportReader = {
  async *read(file, { signal, header_row }) {
    await requireWorkbook(file)
    const archive = await Archive.open(file, { signal })
    try {
      const book = await readWorkbook(archive, file.name)
      let hasRows = false
      let missing: string | null = null
      for (const sheet of book.sheets) {
        if ('reason' in sheet) {
          yield [{ is: 'left_out', ...sheet } satisfies SourceRecord]
          continue
        }
        const rows = new TableRows(sheet.name, { file: file.name, table: sheet.name }, { header_row })
        const handler = new SheetHandler(sheet, book, rows)
        for await (const _ of readXml(sheet.file, handler)) if (rows.isFull) yield rows.give()
        missing = rows.end('the sheet is empty')
        hasRows ||= missing === null
        if (missing === null) yield [...rows.give(), ...handler.remarks.of(sheet.name, rows.header_line)]
        else yield [{ is: 'left_out', name: sheet.name, reason: missing } satisfies SourceRecord]
      }
      if (!hasRows)
        throw new ImportFault(header_row && missing ? missing : 'there is nothing in it', { file: file.name })
    } finally {
      await archive.close()
    }
  },
}

/** What workbooks of Excel 97 to 2003 begin with, and those that are encrypted. */
const COMPOUND_FILE = Buffer.from('D0CF11E0A1B11AE1', 'hex')

/** @throws ImportFault where it is something else that is called so */
async function requireWorkbook({ path, name }: ImportFile): Promise<void> {
  const head = await fileHead(path, COMPOUND_FILE.length)
  if (beginsAsZip(head)) return
  throw head.equals(COMPOUND_FILE)
    ? new ImportFault(
        'it is a workbook of Excel 97 to 2003, or one with a password',
        { file: name },
        'Save it as .xlsx, without a password, and import that',
      )
    : new ImportFault(
        'it is no workbook of the format .xlsx',
        { file: name },
        'Save it as .xlsx, or say what it is, e.g. format: "csv"',
      )
}

/** Makes rows of the cells of a sheet. */
class SheetHandler implements XmlHandler {
  private readonly sheet: Sheet
  private readonly book: Workbook
  private readonly rows: TableRows
  line = 0
  private cells: Cell[] = []
  private at = 0
  private type = 'n'
  private style = 0
  private value = ''
  private isValue = false
  private isFormula = false
  private phonetic = 0
  private reference = ''
  readonly remarks = new SheetRemarks()

  constructor(sheet: Sheet, book: Workbook, rows: TableRows) {
    this.sheet = sheet
    this.book = book
    this.rows = rows
  }

  open(name: string, attributes: Record<string, string>): void {
    const { r, t = 'n', s = '0', ref = '' } = attributes
    if (name === 'row') {
      this.line = r === undefined ? this.line + 1 : Number(r)
      this.cells = []
      this.at = -1
    } else if (name === 'c') {
      this.at = r === undefined ? this.at + 1 : columnOf(r)
      this.reference = r ?? ''
      this.type = t
      this.style = Number(s)
      this.value = ''
      this.isFormula = false
    } else if (name === 'f') this.isFormula = true
    else if (name === 'rPh') this.phonetic++
    else if (name === 'mergeCell') this.remarks.takeMerged(ref)
    // What has no relation leads to a place of the workbook.
    else if (name === 'hyperlink' && relationId(attributes)) this.remarks.takeLink(ref)
    this.isValue = (name === 'v' || name === 't') && !this.phonetic
  }

  text(text: string): void {
    if (!this.isValue) return
    this.value += text
    if (this.value.length > MAX_CELL) throw this.fault('a cell is longer than 1 MiB')
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.isValue = false
    else if (name === 'rPh') this.phonetic--
    else if (name === 'c') this.takeCell()
    else if (name === 'row') this.rows.take(this.line, this.cells)
  }

  private takeCell(): void {
    const cell = this.cellOf()
    if (cell === null || cell === '') return
    if (typeof cell === 'string') this.remarks.takeText(this.reference, cell)
    if (this.at >= MAX_COLUMNS) throw this.fault(`a table has at most ${MAX_COLUMNS} columns`)
    while (this.cells.length < this.at) this.cells.push(null)
    this.cells[this.at] = cell
  }

  private cellOf(): Cell {
    const { value, type } = this
    // Of a text that is empty it says that it is one.
    if (value === '') return this.isFormula && type === 'n' ? { error: '' } : null
    if (type === 's') return this.sharedText(value)
    if (type === 'e') return { error: plainText(value) }
    if (type === 'b') return value === '1'
    if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?$/, '')
    if (type !== 'n') return plainText(value)
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    const kind = this.book.kindOf(this.style)
    // Programs write ids as numbers with more digits than one keeps: such a cell is the text that it is.
    if (kind === 'number') return wouldBeRounded(value) ? value : number
    return kind === 'duration' ? durationOf(number) : dateOf(number, kind, this.book.from_1904)
  }

  private sharedText(index: string): string {
    const text = this.book.texts[Number(index)]
    if (text === undefined) throw this.fault('a cell names a text that the file does not have')
    return text
  }

  private fault(message: string): ImportFault {
    return new ImportFault(message, { file: this.sheet.file.path, table: this.sheet.name, line: this.line })
  }
}

/** `AB12` is column 27, from 0. */
function columnOf(reference: string): number {
  let column = 0
  for (const char of reference) {
    const code = char.charCodeAt(0) - 64
    if (code < 1 || code > 26 || column > MAX_COLUMNS) break
    column = column * 26 + code
  }
  return column - 1
}

const DAY = 86_400_000
const EPOCH = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The 29 February that 1900 did not have, but spreadsheets count: days before it are one less from the epoch. */
const LEAP_1900 = 60

/** Days as a date, with its time where there is one; of a time alone the time. */
function dateOf(days: number, kind: 'date' | 'time', from_1904: boolean): string | number {
  const shift = !from_1904 && days >= 1 && days < LEAP_1900 ? 1 : 0
  const at = new Date((from_1904 ? EPOCH_1904 : EPOCH) + Math.round((days + shift) * DAY))
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || days < 0) return days
  const text = at.toISOString()
  const time = text.slice(11, -1).replace(/\.000$/, '')
  // Days from 1900 begin with 1: before it there are times alone.
  if (days < 1 && (kind === 'time' || !from_1904)) return time
  return time === '00:00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${time}`
}

/** Days as hours, minutes and seconds: 1.5 is `36:00:00`. */
function durationOf(days: number): string | number {
  const ms = Math.round(Math.abs(days) * DAY)
  if (!Number.isSafeInteger(ms)) return days
  const hours = Math.floor(ms / 3_600_000)
  const parts = [hours, Math.floor(ms / 60_000) % 60, (ms % 60_000) / 1000]
  return `${days < 0 ? '-' : ''}${parts.map((part) => (part < 10 ? `0${part}` : part)).join(':')}`
}
