import { MAX_CELL, MAX_ROW } from '#src/imports/bounds.ts'
import { textFault } from '#src/imports/kept-text.ts'
import { ColumnNames } from '#src/imports/table-names.ts'
import { RecordBatch } from '#src/imports/record-batch.ts'
import {
  type Cell,
  type FaultPlace,
  ImportFault,
  type RowFault,
  type TextReading,
} from '#src/imports/source.ts'

/** Makes records of rows whose cells come in the order of the columns; the first row has their headings. */
export class TableRows extends RecordBatch {
  private readonly table: string
  private readonly place: FaultPlace
  private readonly columns: ColumnNames
  private readonly read_as: TextReading | undefined
  private isNamed = false

  constructor(table: string, place: FaultPlace, read_as?: TextReading) {
    super()
    this.read_as = read_as
    this.table = table
    this.place = place
    this.columns = new ColumnNames(place)
  }

  /** A row without anything but blanks in it is none. @throws ImportFault */
  take(
    line: number,
    cells: readonly Cell[],
    faultOf?: (column: string, cell: Cell) => string | undefined,
  ): void {
    if (cells.every((cell) => isEmpty(cell) || (typeof cell === 'string' && !cell.trim()))) return
    if (!this.isNamed) return this.takeHeadings(line, cells)
    this.widen(line, cells)
    const row = new Map<string, Cell>()
    let fault: RowFault | undefined
    let length = 0
    for (const [i, cell] of cells.entries()) {
      if (isEmpty(cell)) continue
      const column = this.columns.names[i]!
      length += typeof cell === 'string' ? cell.length : 8
      const message = cellFault(cell) ?? faultOf?.(column, cell)
      if (message !== undefined) fault ??= { column, message }
      else row.set(column, cell)
    }
    if (length > MAX_ROW) throw new ImportFault('the row is longer than 8 MiB', { ...this.place, line })
    this.add({ is: 'row', table: this.table, line, cells: row, ...(fault && { fault }) })
  }

  get hasColumns(): boolean {
    return this.isNamed
  }

  private takeHeadings(line: number, cells: readonly Cell[]): void {
    const last = cells.findLastIndex((cell) => !isEmpty(cell))
    for (const cell of cells.slice(0, last + 1)) this.columns.add(headingOf(cell), line)
    this.isNamed = true
    this.tell(0)
  }

  /** A cell behind the last heading. */
  private widen(line: number, cells: readonly Cell[]): void {
    const before = this.columns.names.length
    if (cells.length <= before) return
    const last = cells.findLastIndex((cell) => !isEmpty(cell))
    for (let i = before; i <= last; i++) this.columns.add('', line)
    if (last >= before) this.tell(before)
  }

  private tell(from: number): void {
    const columns = this.columns.names.slice(from)
    const { table, read_as } = this
    this.add({ is: 'table', table, columns, ...(!from && read_as && { read_as }) })
  }
}

export const isEmpty = (cell: Cell | undefined): boolean => cell === null || cell === undefined || cell === ''

/** What no text of Facet may be. */
export function cellFault(cell: Cell): string | undefined {
  if (typeof cell !== 'string') return undefined
  if (cell.length > MAX_CELL) return `the cell is longer than 1 MiB`
  const fault = textFault(cell)
  return fault && `the cell ${fault}`
}

const headingOf = (cell: Cell): string => (typeof cell === 'object' ? '' : String(cell))
