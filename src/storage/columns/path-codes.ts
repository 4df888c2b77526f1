import { isMulti, type ValuePath } from '#src/filter/meaning/value-path.ts'
import { CodedColumn, type NumberColumn } from '#src/storage/columns/column.ts'
import type { Columns } from '#src/storage/columns/columns.ts'
import { NumberTable } from '#src/storage/columns/number-table.ts'
import { hasColumn } from '#src/storage/columns/read-column.ts'

/** The values at a path by row id: each item's code, and what the codes stand for (null: no value that fits). */
export interface PathCodes {
  readonly codes: Uint16Array | Int32Array
  readonly values: readonly (string | number | null)[]
}

export const hasCodes = (path: ValuePath): path is ValuePath & { kind: 'field' } =>
  path.kind === 'field' && !isMulti(path) && hasColumn(path.field)

/** Undefined where a column is missing. The codes are to be made in one go, once all columns are there. */
export async function codesAt(
  columns: Columns,
  { hops, field }: ValuePath & { kind: 'field' },
): Promise<(() => PathCodes) | undefined> {
  const references: NumberColumn[] = []
  for (const hop of hops) {
    const column = await columns.field(hop)
    if (!column || column instanceof CodedColumn) return undefined
    references.push(column)
  }
  const column = await columns.field(field)
  if (!column) return undefined
  return () => {
    const own = column instanceof CodedColumn ? column : coded(column, columns.rows)
    return references.length ? followed(references, own, columns.rows) : own
  }
}

function coded({ numbers }: NumberColumn, rows: number): PathCodes {
  const codes = new Int32Array(rows)
  const table = new NumberTable(rows)
  for (let row = 0; row < rows; row++)
    if (Number.isFinite(numbers[row])) codes[row] = table.positionOf(numbers[row]!) + 1
  table.free()
  return { codes, values: [null, ...table.numbers] }
}

/** What the items have that these refer to. */
function followed(
  references: readonly NumberColumn[],
  { codes, values }: PathCodes,
  rows: number,
): PathCodes {
  const found = new Int32Array(rows)
  for (let row = 0; row < rows; row++) {
    let at = row
    for (const { numbers } of references) at = numbers[at] ?? NaN
    found[row] = codes[at] ?? 0
  }
  return { codes: found, values }
}
