import type { ClipboardEvent } from 'react'
import { knownItemName } from '#web/data/item-names.ts'
import { knownValue } from '#web/data/path-values.ts'
import type { Row } from '#web/data/row-source.ts'
import { say } from '#web/parts/live-region.tsx'
import { faultOfText, faultOfValue, listOfOne, valueFromText, whyReadOnly } from '#web/rules/cell-value.ts'
import {
  tableFromText,
  tableToHtml,
  tableToText,
  type ToldCell,
  toldCell,
} from '#web/rules/clipboard-table.ts'
import type { Column } from '#web/rules/column.ts'
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

/** What would be written where, in the rows from the top of the range on. */
export function pastedCells(table: Copied, { cursor, rows, columns }: Cells): Pasted[] {
  const { left, right } = rangeOf(cursor)
  const fills = isOneValue(table)
  const width = Math.max(...table.map((row) => row.length))
  const across = columns.slice(left, (fills ? right : left + width - 1) + 1)
  return rows.flatMap((row, r) =>
    across.flatMap((column, c) => {
      const cell = fills ? table[0]![0]! : table[r]![c]
      return cell === undefined ? [] : [pastedCell(row, column, cell)]
    }),
  )
}

/** One is a list of one; undefined: it is read from its text. */
function sameValue({ type, value }: OwnCell, column: Column): unknown {
  const wanted = typeOf(column)
  if (type === wanted) return value
  if (value === null || wanted !== `Multi${type}`) return undefined
  return listOfOne(type, value)
}

function pastedCell(row: Row, column: Column, cell: OwnCell | string): Pasted {
  const reader = thisReader()
  const own = typeof cell === 'string' ? undefined : sameValue(cell, column)
  const text = typeof cell === 'string' ? cell : cell.text
  const value = own ?? valueFromText(column, text, reader)
  const wrong = own === undefined ? faultOfText(column, text, reader) : faultOfValue(column, own)
  const fault = whyReadOnly(column, row) ?? wrong
  return { row, column, value, ...(fault && { fault }) }
}
