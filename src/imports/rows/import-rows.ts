import { isReference } from '#src/domain/field-schema.ts'
import { valueOf } from '#src/domain/field-values.ts'
import { decodedAddress } from '#src/imports/decoded-address.ts'
import { newMark, withMark, withRows } from '#src/imports/rows/row-addresses.ts'
import { cellText, keyText, nameText, Survey } from '#src/imports/rows/survey.ts'
import type { ColumnTarget, ImportRow, Ref, TableTarget } from '#src/imports/rows/targets.ts'
import {
  type Cell,
  type ImportFormat,
  isEmpty,
  isRich,
  type Link,
  type SourceRow,
} from '#src/imports/source.ts'
import {
  isItemId,
  isWhole,
  type Plain,
  type Reading,
  readCell,
  textOf,
} from '#src/imports/values/read-cell.ts'

/** Of an item, as the value of an attribute. */
const ITEM_ADDRESS = /(?<=href\s*=\s*["']?)\/items\/([0-7][0-9A-HJKMNP-TV-Z]{25})(?=["'\s>])/gi

interface TableReading {
  target: TableTarget
  columns: { column: string; to: Exclude<ColumnTarget['to'], object> | Reading }[]
}

const isBlank = (cell: Cell | undefined, to: TableReading['columns'][number]['to']): boolean =>
  typeof cell === 'string' && !cell.trim() && (typeof to === 'string' || !isWhole(cell, to))

const errorFault = (error: string): { message: string; suggestion?: string } =>
  error
    ? { message: `the cell is the error ${error.slice(0, 100)}` }
    : {
        message: 'the cell is a formula that was never computed',
        suggestion: 'Open the file in a spreadsheet program, save it there and import it again',
      }

/** Makes rows of a file what they become. */
export class RowReader {
  private readonly survey: Survey
  private readonly tables: TableReading[]
  private readonly of: { format: ImportFormat; time_zone: string }
  private readonly mark = newMark()

  constructor(
    targets: readonly TableTarget[],
    survey: Survey,
    of: { format: ImportFormat; time_zone: string },
  ) {
    this.survey = survey
    this.of = of
    this.tables = targets.map((target, t) => ({
      target,
      columns: target.columns.map(({ column, to }) => ({
        column,
        to: typeof to === 'string' ? to : this.reading(t, target, column, to),
      })),
    }))
  }

  /** Undefined for a row of a table that is left out. */
  read(row: SourceRow, n: number): ImportRow | undefined {
    const t = this.survey.tableOf(row)
    if (t === undefined) return undefined
    const { line, file, fault, same_as, id = same_as } = row
    const read: ImportRow = { n, t, line, values: {}, refs: {}, ...(file !== undefined && { file }) }
    if (fault) return this.withName({ ...read, fault }, row)
    const first = id === undefined ? undefined : this.survey.rowWithId(id)
    if (first !== undefined) read.kept = true
    const same = same_as === undefined || first === n ? undefined : first
    if (same !== undefined) {
      read.same = same
      this.mean(read, same)
    }
    const { target, columns } = this.tables[t]!
    for (const { column, to } of columns) {
      const cell = row.cells.get(column)
      if (isEmpty(cell) || isBlank(cell, to)) this.takeEmpty(read, target, column, to)
      else if (isRich(cell) && 'error' in cell) read.fault = { column, ...errorFault(cell.error) }
      else if (to === 'name') read.name = nameText(target, cell)
      else this.takeCell(read, column, to, cell as Exclude<Cell, null>)
      if (read.fault) return this.withName(read, row)
    }
    if (same === undefined) this.takeKey(read, target, row)
    return read
  }

  /** Of a row with a fault, which others may lead to, unless they mean the later row with its key. */
  private withName(read: ImportRow, { cells }: SourceRow): ImportRow {
    const { target, columns } = this.tables[read.t]!
    delete read.name
    const isKeyed = target.key !== undefined
    if (isKeyed && this.survey.isOvertaken(read.t, keyText(target, cells), read.n)) return read
    const cell = cells.get(columns.find(({ to }) => to === 'name')?.column ?? '')
    if (!isEmpty(cell) && !(isRich(cell) && 'error' in cell)) read.name = nameText(target, cell)
    return read
  }

  private reading(
    t: number,
    { key, has_own_texts }: TableTarget,
    column: string,
    to: Exclude<ColumnTarget['to'], string>,
  ): Reading {
    const { format, time_zone } = this.of
    // Nobody writes blanks into the quotes of JSON by accident, but keys come from elsewhere.
    const texts = format === 'json' && column !== key ? 'texts' : undefined
    const keeps_blanks = has_own_texts ? 'all' : texts
    const folded = to.variants && new Map(to.variants.toReversed().map((each) => [each.toLowerCase(), each]))
    return { ...to, list_sign: this.survey.listSign(t, column), folded, time_zone, keeps_blanks }
  }

  private takeEmpty(
    read: ImportRow,
    { clear, key }: TableTarget,
    column: string,
    to: TableReading['columns'][number]['to'],
  ): void {
    if (!clear || column === key) return
    if (to === 'description') read.description = null
    else if (typeof to === 'object') read.values[to.field] = null
  }

  private takeCell(
    read: ImportRow,
    column: string,
    to: Exclude<TableReading['columns'][number]['to'], 'name'>,
    cell: Exclude<Cell, null>,
  ): void {
    if (to === 'item_id') read.item_id = cellText(cell)
    else if (to === 'description') this.takeDescription(read, cell)
    else if (to.type === 'File' && typeof cell === 'object' && 'files' in cell)
      (read.files ??= {})[to.field] = [...cell.files]
    else if (to.type === 'File' && !isRich(cell)) (read.file_texts ??= {})[to.field] = textOf(cell).trim()
    else {
      const found = readCell(cell, to)
      if ('message' in found) read.fault = { column, ...found }
      else if ('value' in found) read.values[to.field] = found.value
      else this.takeNames(read, to, found.names)
    }
  }

  private takeNames(read: ImportRow, to: Reading, names: readonly Link[]): void {
    read.refs[to.field] = names.map(({ name, id, outside }): Ref => {
      if (outside) return { name, outside }
      const n = id === undefined ? undefined : this.survey.rowWithId(id)
      if (n !== undefined) {
        this.mean(read, n)
        return { name, n, ...(this.survey.isLeftOut(n) && { left_out: true }) }
      }
      return { name, ...this.survey.rowsNamed(name, to) }
    })
    if (read.refs[to.field]!.some(({ n, rows }) => n !== undefined || rows)) read.kept = true
  }

  private takeDescription(read: ImportRow, cell: Exclude<Cell, null>): void {
    if (typeof cell !== 'object' || Array.isArray(cell)) read.description = textOf(cell as Plain)
    else if ('html' in cell) {
      const { mark } = this
      read.from_markdown = true
      if (cell.file_names) read.file_names = cell.file_names
      this.takeHtml(
        read,
        withRows(withMark(cell.html, mark), mark, (id) => this.rowAddress(read, decodedAddress(id))),
      )
    } else if ('own_html' in cell) {
      const html = cell.own_html.replaceAll(
        ITEM_ADDRESS,
        (address, id: string) => this.rowAddress(read, id.toUpperCase()) ?? address,
      )
      this.takeHtml(read, html)
    }
  }

  private takeHtml(read: ImportRow, html: string): void {
    read.description = html
    if (html.includes(this.mark)) Object.assign(read, { linked: this.mark, kept: true })
  }

  private rowAddress(read: ImportRow, id: string): string | undefined {
    const n = this.survey.rowWithId(id)
    if (n === undefined) return undefined
    this.mean(read, n)
    return `${this.mark}row:${n}`
  }

  /** The item of a row that has a key may be there already, and is that of its last row. */
  private mean(read: ImportRow, n: number): void {
    const { t, text } = this.survey.keyOf(n) ?? {}
    if (t === undefined || text === undefined) return
    const { target, columns } = this.tables[t]!
    const { to } = columns.find(({ column }) => column === target.key)!
    const found = typeof to === 'string' ? { value: text } : readCell(text, to)
    if ('value' in found) (read.means ??= {})[n] = { t, key: found.value }
  }

  private takeKey(read: ImportRow, target: TableTarget, row: SourceRow): void {
    const { key, columns } = target
    if (key === undefined) return
    const text = keyText(target, row.cells)
    const to = columns.find(({ column }) => column === key)!.to
    if (text !== '' && this.survey.isOvertaken(read.t, text, read.n)) {
      read.overtaken = true
      return
    }
    if (to === 'item_id') {
      if (text && !isItemId(text))
        read.fault = {
          column: key,
          message: `'${text.slice(0, 100)}' is no id of an item`,
          suggestion: 'Ids of your own are kept in a field: say {"field": "…"} of this column',
        }
      return
    }
    read.key =
      to === 'name'
        ? read.name
        : typeof to === 'object' && !isReference(to.type)
          ? valueOf(read.values, to.field)
          : undefined
    if (read.key === undefined || read.key === null)
      read.fault = {
        column: key,
        message: 'the key is empty, so it is not known which item is meant',
        suggestion: 'Fill the cell, or import without a key',
      }
  }
}
