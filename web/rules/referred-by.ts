import { type CellRow, cellValue } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'

/** Ids of the items to which a cell refers. */
export function referredBy(column: Column, row: CellRow): string[] {
  if (column.kind !== 'field' || !/Reference/.test(column.field.type)) return []
  const value = cellValue(column, row)
  return (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string')
}
