import type { Db } from '#src/sql/query.ts'
import { CodedColumn, type Column, FlagColumn, NumberColumn } from '#src/storage/columns/column.ts'
import {
  type ColumnSource,
  eachItem,
  type EntriesOfValue,
  type EntryPlace,
  heldValue,
} from '#src/storage/columns/read-column.ts'

/** A column that is read a number of entries at a time, in calls that may see the base at different moments. */
export class PartialColumn {
  readonly source: ColumnSource
  /** Undefined where it would not be small. */
  column: Column | undefined
  private place: EntryPlace | undefined

  constructor(source: ColumnSource, rows: number) {
    this.source = source
    this.column =
      source.holds === 'flags'
        ? new FlagColumn(rows)
        : source.holds === 'row ids'
          ? new NumberColumn(rows)
          : new CodedColumn(rows)
  }

  /** Whether that were the last ones. They are left alone where the column has moved on meanwhile. */
  async readOn(db: Db, entries: number, isCurrent: () => boolean): Promise<boolean> {
    const { place } = this
    const statement = this.source.after(db, place, entries).compile(db.dialect.builder)
    const rows = (await db.select(statement)) as EntriesOfValue[]
    if (this.place !== place || !isCurrent()) return false
    const last = rows.at(-1)
    if (!last) return true
    for (const { val, items } of rows) if (!this.add(heldValue(val), items)) return true
    const highest = Math.max(place?.highest ?? 0, ...rows.map((row) => row.last))
    this.place = { val: last.val, item: last.last, highest }
    return false
  }

  /** False where no column can be made of it. */
  private add(value: string | number | null, items: string): boolean {
    eachItem(items, (item) => {
      if (this.column && !this.column.set(item, value)) this.uncode(item, value)
    })
    return this.column !== undefined
  }

  /** Of more different values than there are codes: numbers need none, of texts nothing small can be made. */
  private uncode(item: number, value: string | number | null): void {
    const { column } = this
    if (this.source.holds !== 'numbers' || !(column instanceof CodedColumn)) {
      this.column = undefined
      return
    }
    const numbers = new NumberColumn(column.codes.length)
    for (const [row, code] of column.codes.entries()) if (code) numbers.set(row, column.values[code]) // codes from 1 on are of what is there
    numbers.set(item, value)
    this.column = numbers
  }
}
