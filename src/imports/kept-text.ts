import { ImportFault, type SourceRecord, type SourceRow, type SourceTable } from '#src/imports/source.ts'

/** What no text of Facet may have (decisions §3), to be put behind the name of what has it. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'has a NUL character'
  return text.isWellFormed() ? undefined : 'has half of a surrogate pair, which is no character'
}

/** The same for all texts of a plain value, keys too. */
export function valueFault(value: unknown): string | undefined {
  if (typeof value === 'string') return textFault(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return firstFault(value)
  return firstFault(Object.keys(value)) ?? firstFault(Object.values(value))
}

function firstFault(values: readonly unknown[]): string | undefined {
  for (const each of values) {
    const fault = valueFault(each)
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * The records of any reader, none of whose texts is one that cannot be stored: escapes of a format (YAML, JSON, XML)
 * make such texts of files that hold none. A row with one becomes a fault, so that the others go on.
 * @throws ImportFault where a table or a column would be called so
 */
export async function* keptRecords(
  batches: AsyncIterable<readonly SourceRecord[]>,
  file: string,
): AsyncGenerator<readonly SourceRecord[]> {
  for await (const records of batches)
    yield records.map((record) => {
      if (record.is === 'row') return keptRow(record)
      if (record.is === 'table') refuseNames(record, file)
      return record
    })
}

function refuseNames({ table, columns, types, tag }: SourceTable, file: string): void {
  const name = textFault(table)
  if (name !== undefined) throw new ImportFault(`the name of a table ${name}`, { file })
  const found = valueFault([columns, types, tag])
  if (found !== undefined) throw new ImportFault(`the columns: a name ${found}`, { file, table })
}

function keptRow(row: SourceRow): SourceRow {
  let { fault } = row
  const kept = [...row.cells].filter(([column, cell]) => {
    const found = valueFault(cell)
    if (found !== undefined) fault ??= { column, message: `the cell ${found}` }
    return found === undefined
  })
  return kept.length === row.cells.size ? row : { ...row, cells: new Map(kept), fault: fault! }
}
