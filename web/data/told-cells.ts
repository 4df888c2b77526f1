import { knownItemName, readItemNames } from '#web/data/item-names.ts'
import { isKnownValue, knownValue, readPathValues } from '#web/data/path-values.ts'
import type { CellRow } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { referredBy } from '#web/rules/referred-by.ts'

const itemsIn = (rows: readonly CellRow[], columns: readonly Column[]): string[] =>
  rows.flatMap((row) => columns.flatMap((column) => referredBy(column, knownValue(column, row))))

/** Whether all is known that cells are told by: names of items, and values behind references. */
export const areTold = (rows: readonly CellRow[], columns: readonly Column[]): boolean =>
  columns.every((column) => rows.every((row) => isKnownValue(column, row))) &&
  itemsIn(rows, columns).every((id) => knownItemName(id) !== undefined)

/** Reads it: of cells that nobody has looked at it is not there. */
export async function readTold(rows: readonly CellRow[], columns: readonly Column[]): Promise<void> {
  await readPathValues(rows, columns)
  await readItemNames(itemsIn(rows, columns))
}
