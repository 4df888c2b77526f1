import { isRecord } from '#src/domain/is-record.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { ColumnNames, ownColumn, UNTAGGED } from '#src/imports/table-names.ts'
import { RecordBatch } from '#src/imports/record-batch.ts'
import { type Cell, ImportFault, type RowFault, type SourceRecord } from '#src/imports/source.ts'
import { cellFault } from '#src/imports/table-rows.ts'

/** An item as our exports in JSON Lines, and our lists, have it. */
interface OwnItem {
  item_id: string
  name: string
  description?: string | null
  tags: Record<string, { tag_name: string; field_values: Record<string, unknown> }>
}

const MAX_TAGS = 1000
const ALWAYS = ['item_id', 'name', 'description']

export const isOwnItem = (value: unknown): value is OwnItem =>
  isRecord(value) &&
  typeof value['item_id'] === 'string' &&
  parseUlid(value['item_id']) !== null &&
  typeof value['name'] === 'string' &&
  ['string', 'undefined'].includes(typeof (value['description'] ?? undefined)) &&
  isRecord(value['tags']) &&
  Object.values(value['tags']).every(
    (tag) => isRecord(tag) && typeof tag['tag_name'] === 'string' && isRecord(tag['field_values']),
  )

/** Items of ours: a table for each tag, and one for what has none. */
export class OwnItems extends RecordBatch {
  private readonly file: string
  private readonly tables = new Map<string, { names: ColumnNames; byField: Map<string, string> }>()

  constructor(file: string) {
    super()
    this.file = file
  }

  /** @throws ImportFault */
  take(value: unknown, line: number): void {
    if (!isOwnItem(value)) return this.leave(line, { message: 'expected an item, as the first one is' })
    const { item_id, name, description, tags } = value
    const id = parseUlid(item_id)!
    const own = new Map<string, Cell>([
      ['item_id', id],
      ['name', name],
    ])
    const found = [...own.values(), description ?? null].map(cellFault).find(Boolean)
    if (found !== undefined) return this.leave(line, { message: found })
    const first = new Map(own)
    if (description) first.set('description', { own_html: description })
    const all = Object.values(tags)
    if (!all.length) this.addRow(UNTAGGED, { line, id }, first)
    for (const [i, { tag_name, field_values }] of all.entries())
      this.addRow(
        tag_name,
        i ? { line, same_as: id, id: undefined } : { line, id },
        i ? own : first,
        field_values,
      )
  }

  private addRow(
    table: string,
    { line, id, same_as }: { line: number; id: string | undefined; same_as?: string },
    own: ReadonlyMap<string, Cell>,
    field_values: Readonly<Record<string, unknown>> = {},
  ): void {
    this.begin(table, line)
    const cells = new Map(own)
    let fault: RowFault | undefined
    for (const [field, stored] of Object.entries(field_values)) {
      if (stored === null) continue
      const column = this.columnOf(table, field, line)
      const message = storedFault(stored)
      if (message === undefined) cells.set(column, { stored })
      else fault ??= { column, message }
    }
    this.add({
      is: 'row',
      table,
      line,
      cells,
      ...(id !== undefined && { id }),
      ...(same_as !== undefined && { same_as }),
      ...(fault && { fault }),
    })
  }

  leave(line: number, fault: RowFault): void {
    this.begin(UNTAGGED, line)
    this.add({ is: 'row', table: UNTAGGED, line, cells: new Map(), fault })
  }

  private begin(table: string, line: number): void {
    if (this.tables.has(table)) return
    if (this.tables.size > MAX_TAGS)
      throw new ImportFault(`there are more than ${MAX_TAGS} tags`, { file: this.file, line })
    const names = new ColumnNames({ file: this.file })
    for (const column of ALWAYS) names.add(column)
    this.tables.set(table, { names, byField: new Map() })
    this.add({ is: 'table', table, columns: ALWAYS, ...(table === UNTAGGED && { tag: null }) })
  }

  private columnOf(table: string, field: string, line: number): string {
    const { names, byField } = this.tables.get(table)!
    let column = byField.get(field)
    if (column !== undefined) return column
    column = names.add(ownColumn(field), line)
    byField.set(field, column)
    const told: SourceRecord = {
      is: 'table',
      table,
      columns: [column],
      tag: { columns: { [column]: field } },
    }
    this.add(told)
    return column
  }
}

function storedFault(stored: unknown): string | undefined {
  if (!Array.isArray(stored)) return cellFault(stored as Cell)
  return stored.map((each) => cellFault(each as Cell)).find((message) => message !== undefined)
}
