import { parseUlid } from '#src/domain/ulid.ts'
import { MAX_FIELD_NAME } from '#src/domain/check-field-schema.ts'
import { exportedField, exportedTag, isTold } from '#src/domain/column-heading.ts'
import { listCell } from '#src/domain/csv-text.ts'
import { fileIdOf } from '#src/domain/file-values.ts'
import type { DecimalSign } from '#src/domain/number-text.ts'
import { ColumnStats } from '#src/imports/look/column-stats.ts'
import type { GuessedColumn } from '#src/imports/look/guessed-column.ts'
import { upTo } from '#src/imports/table-names.ts'
import { plainOf } from '#src/imports/values/stored-value.ts'
import type {
  Cell,
  ColumnType,
  ImportFormat,
  SourceRecord,
  SourceRow,
  SourceTable,
  SourceTag,
  TextReading,
} from '#src/imports/source.ts'

/** Names of rows that are remembered, to see whether another table means them. */
const MOST_NAMES = 200_000
const MOST_LEFT_OUT = 1000
const MOST_FILES = 10_000
/** Rows that are shown as they are, and the characters of them all and of a cell. */
const FIRST_ROWS = 5
const MOST_SHOWN = 20_000
const LONGEST_SHOWN = 120

/** Null: nowhere. */
export type Place = null | 'item_id' | 'name' | 'description' | { field: string }

export interface LookedColumn extends GuessedColumn {
  name: string
  /** Where it goes, if nobody says otherwise. */
  to: Place
  /** Names of tables and tags. */
  of?: string[]
}

export interface LookedTable {
  name: string
  rows: number
  columns: LookedColumn[]
  /** Its first rows, as texts by column. */
  first: Record<string, string>[]
  read_as?: TextReading
  /** The line of its headings. */
  header_row?: number
  /** Its items have no tag, if nobody says otherwise. */
  untagged?: true
  /** What a new tag is made like. */
  tag?: Pick<SourceTag, 'description' | 'fields' | 'extends' | 'look'>
}

export interface Look {
  tables: LookedTable[]
  left_out: { name: string; reason: string }[]
  rows: number
  /** What the file is, where its name said otherwise. */
  format?: ImportFormat
  /** Where its headings are, as it was said. */
  header_row?: number
  /** Files of ours that it names without their bytes; gone once it is known which the base has. */
  files?: { file_id: string; name: string }[]
}

/** What a file has, and what its columns seem to be. */
export class Looker {
  private readonly tables = new Map<string, TableLook>()
  private readonly left_out: Look['left_out'] = []
  private unnamed = 0
  private readonly ids = new Set<string>()
  /** Names of files by their ids. */
  private readonly files = new Map<string, string>()

  take(records: readonly SourceRecord[]): void {
    for (const record of records)
      if (record.is === 'row') {
        this.table(record.table).take(record)
        this.takeIds(record)
      } else if (record.is === 'table') this.table(record.table).widen(record)
      else if (this.left_out.length < MOST_LEFT_OUT)
        this.left_out.push({ name: record.name, reason: record.reason })
      else this.unnamed++
  }

  end(): Look {
    const tables = [...this.tables.values()].map((each) => each.look())
    for (const table of tables)
      for (const column of table.columns) {
        if (column.ids?.every((id) => this.ids.has(id))) toReferences(column)
        this.referTo(table.name, column)
      }
    if (this.unnamed) this.left_out.push({ name: `${this.unnamed} more`, reason: 'not named here' })
    const files = [...this.files].map(([file_id, name]) => ({ file_id, name }))
    return {
      tables,
      left_out: this.left_out,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      ...(files.length && { files }),
    }
  }

  private takeIds({ id, cells }: SourceRow): void {
    if (id !== undefined && this.ids.size < MOST_NAMES && parseUlid(id) !== null) this.ids.add(id)
    for (const cell of cells.values()) {
      if (typeof cell !== 'object' || cell === null || this.files.size >= MOST_FILES) continue
      if ('stored' in cell && Array.isArray(cell.stored))
        for (const each of cell.stored as unknown[]) {
          const file_id = fileIdOf(each)
          if (file_id === null) continue
          const { name } = each as { name?: unknown }
          this.files.set(file_id, typeof name === 'string' ? name : file_id)
        }
      else if ('own_html' in cell)
        for (const [, file_id = ''] of cell.own_html.matchAll(FILE_ADDRESS))
          if (!this.files.has(file_id.toUpperCase())) this.files.set(file_id.toUpperCase(), file_id)
    }
  }

  private table(name: string): TableLook {
    let found = this.tables.get(name)
    if (!found) this.tables.set(name, (found = new TableLook(name)))
    return found
  }

  /** Makes a column whose values, or the parts of its lists, are all names of a table a reference to it. */
  private referTo(table: string, column: LookedColumn): void {
    if (column.to === null || typeof column.to === 'string') return
    // A column may name rows of its own table, as a parent does.
    const own = this.tables.get(table)!
    const others = [...this.tables.values()].filter((each) => each !== own)
    for (const [names, isMany] of namesOf(column))
      for (const other of own.isSelf(column.name) ? others : [...others, own])
        if (other.hasNames(names)) return toReference(column, other.name, isMany)
  }
}

const FILE_ADDRESS = /\/api\/files\/([0-7][0-9A-HJKMNP-TV-Z]{25})(?=["'\s>])/gi

/** Makes a column of ids one that refers to their items. */
export function toReferences(column: LookedColumn): void {
  column.type = column.type === 'MultiSelect' ? 'MultiReference' : 'Reference'
  delete column.variants
  delete column.ids
}

/** What of a column may be names of items, whole cells first. */
export const namesOf = ({ names, parts }: LookedColumn): [names: string[], isMany: boolean][] => [
  ...(names?.length ? [[names, false] as [string[], boolean]] : []),
  ...(parts?.length ? [[parts, true] as [string[], boolean]] : []),
]

export function toReference(column: LookedColumn, of: string, isMany: boolean): void {
  column.type = isMany ? 'MultiReference' : 'Reference'
  column.of = [of]
  delete column.variants
}

class TableLook {
  readonly name: string
  private rows = 0
  private readonly columns = new Map<string, ColumnStats>()
  private readonly types = new Map<string, ColumnType>()
  private names: Set<string> | null = new Set()
  /** Columns in which a row has its own name. */
  private readonly selves = new Set<string>()
  private nameColumn: string | undefined
  /** One alone is the text of items. */
  private textColumn: string | undefined
  private idColumn: string | undefined
  private untagged = false
  private readonly first: Record<string, string>[] = []
  private shown = 0
  private read_as: TextReading | undefined
  private header_row: number | undefined
  private tag: LookedTable['tag']
  /** Where columns go, as the format says. */
  private readonly fields = new Map<string, string>()

  constructor(name: string) {
    this.name = name
  }

  widen({ columns, types = {}, tag, read_as, header_row }: SourceTable): void {
    this.read_as ??= read_as
    this.header_row ??= header_row
    if (tag?.fields) {
      const { columns: _, ...rest } = tag
      this.tag ??= rest
    }
    if (tag === null) this.untagged = true
    for (const [column, field] of Object.entries(tag?.columns ?? {})) this.fields.set(column, field)
    for (const column of columns) if (!this.columns.has(column)) this.columns.set(column, new ColumnStats())
    for (const [column, type] of Object.entries(types)) this.types.set(column, type)
    const names = [...this.columns.keys()]
    this.nameColumn = nameColumnOf(names)
    const others = names.filter((each) => each !== this.nameColumn)
    this.textColumn = columnCalled('description', others)
    this.idColumn = columnCalled('item_id', names)
  }

  take({ cells }: SourceRow): void {
    this.rows++
    if (this.first.length < FIRST_ROWS && this.shown < MOST_SHOWN) this.show(cells)
    const name = textOf(cells.get(this.nameColumn ?? ''))
    if (name) {
      this.names?.add(name)
      if (this.names && this.names.size > MOST_NAMES) this.names = null
    }
    for (const [column, cell] of cells) {
      this.columns.get(column)?.take(cell)
      if (name && column !== this.nameColumn && cell === name) this.selves.add(column)
    }
  }

  private show(cells: SourceRow['cells']): void {
    const row = [...cells].map(([column, cell]) => [column, shownText(cell).slice(0, LONGEST_SHOWN)] as const)
    for (const [column, text] of row) this.shown += column.length + text.length
    this.first.push(Object.fromEntries(row))
  }

  hasNames(names: readonly string[]): boolean {
    return this.names !== null && names.every((name) => this.names!.has(name))
  }

  isSelf(column: string): boolean {
    return this.selves.has(column)
  }

  look(): LookedTable {
    const taken = new Set<string>()
    const exported = exportedTag([...this.columns.keys()])
    const sign = this.sign()
    const columns = [...this.columns].map(([name, stats]): LookedColumn => {
      const guessed = stats.guess(sign)
      const to = this.placeOf(name, guessed, taken, exported)
      const type = this.types.get(name) as GuessedColumn | undefined
      const { samples } = guessed
      // A column that goes to no field is a text, whatever it looks like.
      if (to === null || typeof to === 'string') return { name, type: 'String', samples, to }
      return type ? { name, ...type, samples, to } : { name, ...guessed, to }
    })
    const { name, rows, first, read_as, header_row, tag } = this
    return {
      name,
      rows,
      columns,
      first,
      ...(read_as && { read_as }),
      ...(header_row !== undefined && { header_row }),
      ...(this.untagged && { untagged: true }),
      ...(tag && { tag }),
    }
  }

  /** How numbers of the table are written, where all that show it agree. What an export of ours has is written as programs do. */
  private sign(): DecimalSign | undefined {
    const shown = new Set([...this.columns.values()].flatMap((stats) => stats.sign ?? []))
    return shown.size === 1 && !this.isOurs ? [...shown][0] : undefined
  }

  /** Whether it is a table of items that an export made. */
  private get isOurs(): boolean {
    const ids = this.idColumn === 'item_id' && this.columns.get('item_id')?.guess().samples
    return ids ? ids.length > 0 && ids.every((each) => parseUlid(each) !== null) : false
  }

  private placeOf(
    column: string,
    { samples }: GuessedColumn,
    taken: Set<string>,
    exported: string | null,
  ): Place {
    if (column === this.nameColumn) return 'name'
    if (column === this.idColumn && samples.every((each) => parseUlid(each) !== null)) return 'item_id'
    if (column === this.textColumn) return 'description'
    if (isTold(column) && !this.fields.has(column) && this.isOurs) return null
    const own = exportedField(column)
    const called = own && own.tag === exported ? own.field : column
    const field = this.fields.get(column)
    let unique = field ?? fieldName(called)
    for (let i = 2; taken.has(unique); i++) unique = fieldName(field ?? called, ` ${i}`)
    taken.add(unique)
    return { field: unique }
  }
}

const columnCalled = (name: string, columns: readonly string[]): string | undefined =>
  columns.find((each) => each.toLowerCase() === name)

/** The column called name or title, else the first. */
function nameColumnOf(columns: readonly string[]): string | undefined {
  return (
    columnCalled('name', columns) ??
    columnCalled('title', columns) ??
    columns.find((each) => each.toLowerCase() !== 'item_id')
  )
}

/** What a cell says to a reader. */
export function shownText(cell: Cell): string {
  if (cell === null || typeof cell !== 'object') return cell === null ? '' : String(cell)
  if (Array.isArray(cell)) return listCell(cell as readonly string[])
  if ('error' in cell) return cell.error
  if ('html' in cell) return withoutMarks(cell.html)
  if ('own_html' in cell) return withoutMarks(cell.own_html)
  if ('stored' in cell) return [plainOf(cell.stored)].flat().join(', ')
  const named: readonly { name: string }[] = 'links' in cell ? cell.links : (cell as { files: [] }).files
  return named.map(({ name }) => name).join(', ')
}

const withoutMarks = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').trim()

const textOf = (cell: Cell | undefined): string =>
  typeof cell === 'string' ? cell.trim() : typeof cell === 'number' ? String(cell) : ''

/** A heading as the name of a field, which has no dots and arrows, with what tells it from another. */
export function fieldName(heading: string, end = ''): string {
  const whole = heading.replaceAll('->', ' ').replaceAll('.', ' ').trim()
  const name = upTo(MAX_FIELD_NAME - end.length, whole)
  return (name && name !== '__proto__' ? name : 'Column') + end
}
