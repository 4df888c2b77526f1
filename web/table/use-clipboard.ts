import type { ClipboardEvent } from 'react'
import { knownItemName } from '#web/data/item-names.ts'
import { readNamedItems } from '#web/data/named-items.ts'
import { knownValue } from '#web/data/path-values.ts'
import type { Row } from '#web/data/row-source.ts'
import { say } from '#web/parts/live-region.tsx'
import {
  cellValue,
  faultOfText,
  faultOfValue,
  listOfOne,
  rowWith,
  valueFromText,
  whyReadOnly,
} from '#web/rules/cell-value.ts'
import {
  tableFromText,
  tableToHtml,
  tableToText,
  type ToldCell,
  toldCell,
} from '#web/rules/clipboard-table.ts'
import type { Column } from '#web/rules/column.ts'
import { itemsCalled, type NamedItems, namesOfItems } from '#web/rules/named-items.ts'
import { thisReader } from '#web/rules/typed-date.ts'
import { thisLocale } from '#web/rules/typed-number.ts'
import { type Cursor, rangeOf } from '#web/table/cursor.ts'
import type { CellEdit } from '#web/table/save-edits.ts'

/** Facet's own form: values as they are, with the type of their column. */
const OWN = 'application/x-facet-cells'

interface OwnCell extends ToldCell {
  type: string
}

/** What a paste would write, cell by cell. */
export interface Pasted extends CellEdit {
  /** Why not. */
  fault?: string
  /** What it was to be read from. */
  text?: string
}

interface Cells {
  cursor: Cursor
  /** Those of the range. */
  rows: readonly Row[]
  columns: readonly Column[]
}

export type Copied = readonly (readonly (OwnCell | string)[])[]

const typeOf = (column: Column) => (column.kind === 'field' ? column.field.type : 'String')
const nameOf = (id: string) => knownItemName(id) ?? id

/** The range as text for anybody, and with ids for Facet itself. */
export function copyCells(event: ClipboardEvent, { cursor, rows, columns }: Cells): void {
  const { left, right } = rangeOf(cursor)
  const locale = thisLocale()
  const cells = rows.map((row) =>
    columns.slice(left, right + 1).map((column): OwnCell => {
      const told = toldCell(column, knownValue(column, row), nameOf, locale)
      return { type: typeOf(column), ...told }
    }),
  )
  event.preventDefault()
  const texts = cells.map((row) => row.map(({ text }) => text))
  event.clipboardData.setData('text/plain', tableToText(texts))
  // One cell alone is a text, not a table.
  if (cells.length > 1 || cells[0]?.length !== 1) event.clipboardData.setData('text/html', tableToHtml(cells))
  event.clipboardData.setData(OWN, JSON.stringify(cells))
  const count = cells.reduce((sum, row) => sum + row.length, 0)
  say(count === 1 ? 'Copied' : `Copied ${count} cells`)
}

/** What is copied, cell by cell; null where it is neither cells nor text: a picture is no empty value. */
export function copiedCells(event: ClipboardEvent): Copied | null {
  const own = event.clipboardData.getData(OWN)
  if (own) return JSON.parse(own) as OwnCell[][]
  const text = event.clipboardData.getData('text/plain')
  return text ? tableFromText(text) : null
}

const isOneValue = (table: Copied) => table.length === 1 && table[0]!.length === 1

/** The last row that it would be written to: one value fills the whole range. */
export function lastPasted(table: Copied, cursor: Cursor): number {
  const { top, bottom } = rangeOf(cursor)
  return isOneValue(table) ? bottom : top + table.length - 1
}

interface Paste {
  row: Row
  column: Column
  cell: OwnCell | string
}

/** The cells of the rows from the top of the range on, with what of the copied is for each. */
function pastes(table: Copied, { cursor, rows, columns }: Cells): Paste[][] {
  const { left, right } = rangeOf(cursor)
  const fills = isOneValue(table)
  const across = columns.slice(left, (fills ? right : left + widthOf(table) - 1) + 1)
  return rows.map((row, r) =>
    across.flatMap((column, c) => {
      const cell = fills ? table[0]![0]! : table[r]![c]
      return cell === undefined ? [] : [{ row, column, cell }]
    }),
  )
}

const widthOf = (table: Copied) => Math.max(...table.map((row) => row.length))

/** Columns of what was copied for which there is none here. */
export const columnsBeyond = (table: Copied, cursor: Cursor, columns: readonly Column[]): number =>
  isOneValue(table) ? 0 : Math.max(0, rangeOf(cursor).left + widthOf(table) - columns.length)

/** What would be written where. Items are found by their names. */
export async function pastedCells(table: Copied, cells: Cells): Promise<Pasted[]> {
  const rows = pastes(table, cells)
  const named = await itemsNamedIn(rows.flat())
  return rows.flatMap((all) => {
    const read = all.map((paste) => readPaste(paste, named))
    const [first] = all
    if (!first) return []
    const then = rowWith(
      first.row,
      read.filter(({ fault }) => !fault),
    )
    return read.map((each) => {
      const { row, column, value, text, fault } = each
      // Nothing where nothing can be asks for nothing.
      const isNothing = column.kind === 'field' && value === null && !text?.trim()
      if (isNothing && cellValue(column, row) === null) return each
      const why = whyReadOnly(column, value === null ? row : then) ?? fault
      return why ? { ...each, fault: why } : each
    })
  })
}

/** By the tags that a column means: several columns may mean the same. */
async function itemsNamedIn(all: readonly Paste[]): Promise<ReadonlyMap<string, NamedItems>> {
  const names = new Map<string, { of: readonly string[]; names: string[] }>()
  for (const { column, cell } of all) {
    const text = textToRead(column, cell)
    if (column.kind !== 'field' || text === undefined) continue
    const known = names.get(column.of.join(' ')) ?? { of: column.of, names: [] }
    known.names.push(...namesOfItems(column, text))
    names.set(column.of.join(' '), known)
  }
  const asked = [...names].filter(([, each]) => each.names.length)
  return new Map(
    await Promise.all(
      asked.map(async ([key, each]) => [key, await readNamedItems(each.names, each.of)] as const),
    ),
  )
}

/** One is a list of one; undefined: it is read from its text. */
function sameValue({ type, value }: OwnCell, column: Column): unknown {
  const wanted = typeOf(column)
  if (type === wanted) return value
  if (value === null || wanted !== `Multi${type}`) return undefined
  return listOfOne(type, value)
}

/** Undefined where it is a value of the column as it is. */
function textToRead(column: Column, cell: OwnCell | string): string | undefined {
  if (typeof cell === 'string') return cell
  return sameValue(cell, column) === undefined ? cell.text : undefined
}

function readPaste({ row, column, cell }: Paste, named: ReadonlyMap<string, NamedItems>): Pasted {
  const text = textToRead(column, cell)
  if (text === undefined) {
    const value = sameValue(cell as OwnCell, column)
    const fault = faultOfValue(column, value)
    return { row, column, value, ...(fault && { fault }) }
  }
  const names = namesOfItems(column, text)
  if (column.kind === 'field' && names.length)
    return { row, column, text, ...itemsCalled(names, named.get(column.of.join(' '))!, column) }
  const reader = thisReader()
  const fault = faultOfText(column, text, reader)
  return { row, column, text, value: valueFromText(column, text, reader), ...(fault && { fault }) }
}
