import type { ItemEdits } from '#web/data/item-edits.ts'
import type { Row, RowSource } from '#web/data/row-source.ts'
import { bringUp } from '#web/data/save-all.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import { cellValue, rowWith, whyReadOnly } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { today } from '#web/rules/say-time.ts'
import { type Cursor, isOneCell, type Place, rangeOf } from '#web/table/cursor.ts'
import { saveCells, type CellEdit } from '#web/table/save-edits.ts'

/** A table at this moment. */
export interface TableNow {
  source: RowSource
  shown: readonly Column[]
  edits: ItemEdits
  cursor: Cursor
  readOnly: boolean
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A row as it is shown; undefined where it is not read yet. */
export function rowAt({ source, edits }: TableNow, index: number): Row | undefined {
  const row = source.row(index)
  return row && edits.shown(row)
}

/** Rows as they are shown; those that have not been in the viewport are read first. */
export async function readRows(
  { source, edits }: TableNow,
  first: number,
  last: number,
): Promise<readonly Row[]> {
  return (await source.read(first, last)).map((row) => edits.shown(row))
}

export function canEdit(now: TableNow, { row, column }: Place): boolean {
  const item = rowAt(now, row)
  return !now.readOnly && item !== undefined && whyReadOnly(now.shown[column]!, item) === undefined
}

/** The next cell that can be edited, forth or back; one that is not read yet is gone to, so that it is read. */
export function nextEditable(now: TableNow, from: Place, step: 1 | -1): Place | undefined {
  const width = now.shown.length
  const count = now.source.total * width
  if (now.readOnly) return undefined
  for (let i = from.row * width + from.column + step; i >= 0 && i < count; i += step) {
    const place = { row: Math.floor(i / width), column: i % width }
    if (!now.source.row(place.row) || canEdit(now, place)) return place
  }
  return undefined
}

/** The rows of the range, all of them: those that have not been in the viewport are read first. */
export async function rangeRows(now: TableNow): Promise<readonly Row[]> {
  const { top, bottom } = rangeOf(now.cursor)
  return readRows(now, top, bottom)
}

/** The cells of the range that can be written, with a value for each; undefined leaves one as it is. */
async function rangeEdits(
  now: TableNow,
  valueFor: (row: Row, column: Column) => unknown,
): Promise<CellEdit[]> {
  const { shown, cursor, readOnly } = now
  const { left, right } = rangeOf(cursor)
  if (readOnly) return []
  return (await rangeRows(now)).flatMap((row) => {
    const given = shown.slice(left, right + 1).flatMap((column) => {
      const value = valueFor(row, column)
      return value === undefined ? [] : [{ row, column, value }]
    })
    const then = rowWith(row, given)
    return given.filter(({ column, value }) => !whyReadOnly(column, value === null ? row : then))
  })
}

/** Names stay: an item needs one. */
export async function clearRange(now: TableNow): Promise<void> {
  const cellEdits = await rangeEdits(now, (row, column) =>
    column.kind === 'name' || cellValue(column, row) === null ? undefined : null,
  )
  const [only] = cellEdits
  if (!only) return
  const words =
    cellEdits.length === 1
      ? `Emptied ${only.column.label} of ${only.row.name}`
      : `Emptied ${cellEdits.length} cells`
  void saveCells(now.edits, cellEdits, words)
  if (cellEdits.length > 1) toast({ text: `${words}. Ctrl Z takes it back.` })
}

/** From the first row of the range, or from the row above one cell. */
export async function fillDown(now: TableNow): Promise<void> {
  const { top } = rangeOf(now.cursor)
  const first = isOneCell(now.cursor) ? top - 1 : top
  const [from] = first < 0 ? [] : await readRows(now, first, first)
  if (!from) return
  const cellEdits = await rangeEdits(now, (row, column) => {
    const value = cellValue(column, from)
    return column.kind === 'name' || row.item_id === from.item_id || same(value, cellValue(column, row))
      ? undefined
      : value
  })
  if (cellEdits.length)
    void saveCells(
      now.edits,
      cellEdits,
      `Filled ${cellEdits.length === 1 ? '1 cell' : `${cellEdits.length} cells`}`,
    )
}

export async function setToday(now: TableNow): Promise<void> {
  const cellEdits = await rangeEdits(now, (_, column) => {
    if (column.kind !== 'field') return undefined
    if (column.field.type === 'Date') return today()
    return column.field.type === 'DateTime' ? new Date().toISOString() : undefined
  })
  if (cellEdits.length) void saveCells(now.edits, cellEdits, 'Set to today')
}

/** Yes, no, none; a letter says which. */
export function toggleBoolean(now: TableNow, row: Row, column: Column, typed: string | null): void {
  const before = cellValue(column, row)
  const isNamed = typed !== null && /^[ytn]$/i.test(typed)
  if (typed !== null && typed !== ' ' && !isNamed) return
  const next = before === true ? false : before === false ? null : true
  const value = isNamed ? !/n/i.test(typed) : next
  void saveCells(now.edits, [{ row, column, value }], `Changed ${column.label} of ${row.name}`)
}

/** Moves the items of the range to the present version of the tag. */
export async function bringRangeUp(now: TableNow): Promise<void> {
  const { shown, edits, cursor, readOnly } = now
  const column = shown[cursor.at.column]
  if (readOnly || column?.kind !== 'field') return
  const { tag_id, schema_version, name } = column.tag
  const old = (await rangeRows(now)).filter(
    ({ tags }) => (tags[tag_id]?.schema_version ?? schema_version) < schema_version,
  )
  if (!old.length) return say(`Up to date with ${name}`)
  await bringUp(edits, tag_id, old)
}
