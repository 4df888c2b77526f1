import { MAX_ROW } from '#src/imports/bounds.ts'
import { ColumnNames } from '#src/imports/table-names.ts'
import { csvRecords } from '#src/imports/csv/csv-records.ts'
import { notionCell } from '#src/imports/notion/notion-cell.ts'
import { readHead } from '#src/imports/notion/notion-page.ts'
import type { Database, NotionSpace } from '#src/imports/notion/notion-space.ts'
import { PagePool } from '#src/imports/notion/page-pool.ts'
import {
  type Cell,
  type ColumnType,
  ImportFault,
  type RowFault,
  type SourceRecord,
  type SourceRow,
} from '#src/imports/source.ts'
import { cellFault } from '#src/imports/table-rows.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

/** Fields may be called as what every row has. */
const OF_ROWS = /^(?:item_id|description)$/i
const NAMES = /^(?:name|title)$/i

/** A row of a database, before its page is read. */
export interface DatabaseRow {
  row: SourceRow
  page: ArchivedFile | undefined
  headings: ReadonlySet<string>
}

/** The rows of a database: of its CSV, whose first column is the title, and of pages that the CSV does not have. */
export class DatabaseRows {
  missing = 0
  private readonly database: Database
  private readonly space: NotionSpace
  private readonly place: { file: string }
  private readonly columns: ColumnNames
  /** By heading, without the title. */
  private readonly byHeading = new Map<string, string>()
  private headings: string[] = []
  /** What cells of a column are, where they are not texts. */
  private readonly links = new Map<string, { isMany: boolean; of: Set<string> | null }>()
  private readonly files = new Set<string>()

  constructor(database: Database, space: NotionSpace, archive: string) {
    this.database = database
    this.space = space
    this.place = { file: `${archive}/${database.file.path}` }
    this.columns = new ColumnNames(this.place)
  }

  /** @throws ImportFault */
  async *rows(): AsyncGenerator<SourceRecord | DatabaseRow> {
    const { file, pages } = this.database
    let pool: PagePool | undefined
    for await (const { line, cells } of csvRecords(
      textOf(file),
      { delimiter: ',', ltrim: false },
      this.place.file,
    )) {
      if (!pool) {
        yield this.takeHeadings(cells)
        pool = await PagePool.of(pages, new Set(this.headings.slice(1)))
      } else if (cells.some((cell) => cell.trim())) yield* this.rowOf(line, cells, pool)
    }
    if (!pool) return yield { is: 'left_out', name: file.path, reason: 'there is nothing in it' }
    for (const page of pool.left()) yield* this.leftOver(page)
    yield* this.types()
  }

  private takeHeadings(cells: readonly string[]): SourceRecord {
    this.headings = cells.map((each) => each.trim())
    const fields: Record<string, string> = {}
    const title = this.columns.add(this.headings[0] || 'Name')
    this.columns.add('description')
    for (const heading of this.headings.slice(1)) {
      const isTaken = OF_ROWS.test(heading) || NAMES.test(heading)
      const column = this.columns.add(isTaken ? `${heading} (property)` : heading)
      if (isTaken) fields[column] = heading
      if (!this.byHeading.has(heading)) this.byHeading.set(heading, column)
    }
    const { table } = this.database
    this.byHeading.set('', title)
    return { is: 'table', table, columns: [...this.columns.names], tag: { columns: fields } }
  }

  private *rowOf(
    line: number,
    texts: readonly string[],
    pool: PagePool,
  ): Generator<SourceRecord | DatabaseRow> {
    const values = new Map(
      this.headings.slice(1).flatMap((heading, i) => {
        const value = texts[i + 1]?.trim()
        return value ? [[heading, value] as const] : []
      }),
    )
    const { path } = this.database.file
    const page = pool.take(texts[0]!, values)
    yield* this.record(texts[0]!, values, { page, file: path, line })
  }

  /** A page without a row: in the folder there are pages too that are no rows. */
  private async *leftOver(page: ArchivedFile): AsyncGenerator<SourceRecord | DatabaseRow> {
    // Of a database that is exported as a view shows it, pages have properties that the CSV lacks.
    const { title, properties } = await readHead(page, this.headingSet(), true)
    for (const heading of properties.keys()) yield* this.addColumn(heading)
    if (properties.size) yield* this.record(title, properties, { page, file: page.path, line: 1 })
  }

  private *record(
    title: string,
    values: ReadonlyMap<string, string>,
    { page, file, line }: { page: ArchivedFile | undefined; file: string; line: number },
  ): Generator<SourceRecord | DatabaseRow> {
    const cells = new Map<string, Cell>([[this.byHeading.get('')!, title.trim() || 'Untitled']])
    let fault = faultOf(this.byHeading.get('')!, title)
    let length = title.length
    for (const [heading, value] of values) {
      const column = this.byHeading.get(heading)!
      fault ??= faultOf(column, value)
      length += value.length
      if (fault) continue
      const { cell, end, missing = 0 } = notionCell(value, file, this.space)
      this.missing += missing
      this.note(column, cell)
      if (cell !== null) cells.set(column, cell)
      if (end !== undefined) yield* this.setEnd(`${heading} (end)`, end, cells)
    }
    if (length > MAX_ROW) throw new ImportFault('the row is longer than 8 MiB', { ...this.place, line })
    const { table } = this.database
    const id = page && { id: page.path }
    yield {
      row: { is: 'row', table, line, file, ...id, cells, ...(fault && { fault }) },
      page,
      headings: this.headingSet(),
    }
  }

  /** Of a range of dates the end has a column of its own. */
  private *setEnd(heading: string, end: string, cells: Map<string, Cell>): Generator<SourceRecord> {
    yield* this.addColumn(heading)
    cells.set(this.byHeading.get(heading)!, end)
  }

  private *addColumn(heading: string): Generator<SourceRecord> {
    if (this.byHeading.has(heading)) return
    const isTaken = OF_ROWS.test(heading) || NAMES.test(heading)
    const column = this.columns.add(isTaken ? `${heading} (property)` : heading)
    this.byHeading.set(heading, column)
    const tag = isTaken ? { columns: { [column]: heading } } : undefined
    yield { is: 'table', table: this.database.table, columns: [column], ...(tag && { tag }) }
  }

  private note(column: string, cell: Cell): void {
    if (typeof cell !== 'object' || cell === null) return
    if ('files' in cell) this.files.add(column)
    if (!('links' in cell)) return
    const known = this.links.get(column) ?? { isMany: false, of: new Set<string>() }
    known.isMany ||= cell.links.length > 1
    for (const { id } of cell.links) {
      const table = this.space.databaseOf(id!)?.table
      // A page of no database has no tag: the field may mean any item then.
      if (table === undefined) known.of = null
      else known.of?.add(table)
    }
    this.links.set(column, known)
  }

  private *types(): Generator<SourceRecord> {
    const types: Record<string, ColumnType> = {}
    for (const column of this.files) types[column] = { type: 'File' }
    for (const [column, { isMany, of }] of this.links)
      types[column] = { type: isMany ? 'MultiReference' : 'Reference', ...(of && { of: [...of] }) }
    if (Object.keys(types).length) yield { is: 'table', table: this.database.table, columns: [], types }
  }

  private headingSet(): ReadonlySet<string> {
    return new Set(this.headings.slice(1))
  }
}

function faultOf(column: string, text: string): RowFault | undefined {
  const message =
    cellFault(text) ?? (text.includes('\ufffd') ? 'the cell has bytes that are no UTF-8' : undefined)
  return message === undefined ? undefined : { column, message }
}

async function* textOf(file: ArchivedFile): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of await file.open()) {
    const text = decoder.decode(piece as Buffer, { stream: true })
    if (text) yield text
  }
  const rest = decoder.decode()
  if (rest) yield rest
}
