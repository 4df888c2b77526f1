import { MAX_CELL, MAX_ROW } from '#src/imports/bounds.ts'
import { headingRow, type PlacedRow } from '#src/imports/heading-row.ts'
import { textFault } from '#src/imports/kept-text.ts'
import { ColumnNames } from '#src/imports/table-names.ts'
import { RecordBatch } from '#src/imports/record-batch.ts'
import {
  type Cell,
  type FaultPlace,
  ImportFault,
  isBlankCell,
  isEmpty,
  isRich,
  type RowFault,
  type TextReading,
} from '#src/imports/source.ts'

/** Why a cell cannot be taken. */
type FaultOf = (column: string, cell: Cell) => string | undefined

interface TableReading {
  read_as?: TextReading
  faultOf?: FaultOf | undefined
  /** The line of the headings; without it they are looked for. */
  header_row?: number | undefined
}

/** Makes records of rows whose cells come in the order of the columns; the first row that is no title has their headings. */
export class TableRows extends RecordBatch {
  private readonly table: string
  private readonly place: FaultPlace
  private readonly columns: ColumnNames
  private readonly read_as: TextReading | undefined
  /** Of the headings, until a row is below them. */
  private headingLine: number | undefined
  private isNamed = false
  /** Of the headings, once they are known. */
  header_line = 0
  /** Until it is known which of them has the headings. */
  private first: PlacedRow[] = []
  private readonly faultOf: FaultOf | undefined
  private readonly header_row: number | undefined

  constructor(table: string, place: FaultPlace, { read_as, faultOf, header_row }: TableReading = {}) {
    super()
    this.read_as = read_as
    this.faultOf = faultOf
    this.header_row = header_row
    this.table = table
    this.place = place
    this.columns = new ColumnNames(place)
  }

  /** A row without anything but blanks in it is none. @throws ImportFault */
  take(line: number, cells: readonly Cell[]): void {
    if (cells.every(isBlankCell)) return
    if (this.isNamed) return this.takeRow(line, cells)
    if (this.header_row === line) return this.takeHeadings(line, cells)
    if (this.header_row !== undefined) return
    this.first.push({ line, cells })
    this.name(false)
  }

  /** No row comes any more; why there is no table: `empty`, or none has the headings. */
  end(empty: string): string | null {
    if (!this.isNamed && this.first.length) this.name(true)
    if (this.isNamed) return null
    return this.header_row === undefined
      ? empty
      : `nothing is in line ${this.header_row}, which is to have the headings`
  }

  private name(isWhole: boolean): void {
    const at = headingRow(this.first, isWhole)
    if (at === undefined) return
    const rows = this.first
    this.first = []
    this.takeHeadings(rows[at]!.line, rows[at]!.cells)
    if (at) this.leaveTitles(rows.slice(0, at), rows[at]!.line)
    for (const { line, cells } of rows.slice(at + 1)) this.takeRow(line, cells)
  }

  private takeRow(line: number, cells: readonly Cell[]): void {
    this.widen(line, cells)
    this.headingLine = undefined
    const row = new Map<string, Cell>()
    let fault: RowFault | undefined
    let length = 0
    for (const [i, cell] of cells.entries()) {
      if (isEmpty(cell)) continue
      const column = this.columns.names[i]!
      length += typeof cell === 'string' ? cell.length : 8
      const message = cellFault(cell) ?? this.faultOf?.(column, cell)
      if (message !== undefined) fault ??= { column, message }
      else row.set(column, cell)
    }
    if (length > MAX_ROW) throw new ImportFault('the row is longer than 8 MiB', { ...this.place, line })
    this.add({ is: 'row', table: this.table, line, cells: row, ...(fault && { fault }) })
  }

  private leaveTitles(rows: readonly PlacedRow[], headings: number): void {
    const [from, to] = [rows[0]!.line, rows.at(-1)!.line]
    const name = `${from === to ? `line ${from}` : `lines ${from} to ${to}`} of ${this.table}`
    this.add({ is: 'left_out', name, reason: `a title above the headings, which are in line ${headings}` })
  }

  private takeHeadings(line: number, cells: readonly Cell[]): void {
    const last = cells.findLastIndex((cell) => !isEmpty(cell))
    for (const cell of cells.slice(0, last + 1)) this.columns.add(headingOf(cell), line)
    this.isNamed = true
    this.headingLine = line
    this.header_line = line
    this.tell(0)
  }

  /** A cell behind the last heading. */
  private widen(line: number, cells: readonly Cell[]): void {
    const before = this.columns.names.length
    if (cells.length <= before) return
    const last = cells.findLastIndex((cell) => !isEmpty(cell))
    for (let i = before; i <= last; i++) this.columns.add('', line)
    if (last < before) return
    this.tell(before)
    if (this.headingLine !== undefined) this.remark(before, this.headingLine)
  }

  /** A title, and not headings, is often what the first row has less of than the second. */
  private remark(before: number, line: number): void {
    const { length } = this.columns.names
    const columns = length - before === 1 ? `column ${length}` : `columns ${before + 1} to ${length}`
    const reason = `line ${line}, which is taken for the headings, has none there: if it is a title, say which line has the headings (header_row), or delete what is above them and import the file again`
    this.add({ is: 'left_out', name: `headings of ${columns} of ${this.table}`, reason })
  }

  private tell(from: number): void {
    const columns = this.columns.names.slice(from)
    const { table, read_as } = this
    const header_row = this.headingLine
    this.add({ is: 'table', table, columns, ...(!from && { header_row, ...(read_as && { read_as }) }) })
  }
}

/** What no text of Facet may be. */
export function cellFault(cell: Cell): string | undefined {
  if (typeof cell !== 'string') return undefined
  if (cell.length > MAX_CELL) return `the cell is longer than 1 MiB`
  const fault = textFault(cell)
  return fault && `the cell ${fault}`
}

function headingOf(cell: Cell): string {
  if (isRich(cell)) return 'error' in cell ? cell.error : ''
  return typeof cell === 'object' ? '' : String(cell)
}
