import { csvLine, guarded } from '#src/domain/csv-text.ts'
import { conflict } from '#src/domain/errors.ts'
import type { ImportFormat } from '#src/imports/source.ts'
import type { ImportRow } from '#src/imports/rows/targets.ts'
import { lookOf, ownImport, planOf } from '#src/operations/imports/import-record.ts'
import type { ImportPlan } from '#src/operations/imports/import-plan.ts'
import { RowPlanner } from '#src/operations/imports/plan-rows.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineStep } from '#src/runtime/operation.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** What is needed to find the faulty rows of an import again. */
export interface FaultySource {
  file_id: Ulid
  file_name: string
  format: ImportFormat
  header_row?: number | undefined
  plan: ImportPlan
  /** Row id of the import, once it writes. */
  import: number | null
  /** Of the tables that are imported, each once. */
  columns: string[]
  isMany: boolean
}

/** @throws NotFound; Conflict where nobody has said yet what becomes of the columns */
export const findFaultySource = defineStep({
  name: 'findFaultySource',
  effect: 'read',
  async run(context, { import_id }: { import_id: string }): Promise<FaultySource> {
    const record = await ownImport(context, import_id)
    const plan = planOf(record)
    const look = lookOf(record)
    if (!plan || !look || record.file_id === null)
      throw conflict('The rows are not checked yet', {
        suggestion: `Say what becomes of the columns with PUT /api/imports/${record.import_id}`,
      })
    const tables = look.tables.filter(({ name }) => plan.targets.some(({ table }) => table === name))
    return {
      file_id: record.file_id,
      file_name: record.file_name,
      format: record.format as ImportFormat,
      header_row: look.header_row,
      plan,
      import: record.outcome === null ? null : record.id,
      columns: [...new Set(tables.flatMap((table) => table.columns.map(({ name }) => name)))],
      isMany: look.tables.length > 1,
    }
  },
})

/** A row of the file, with what its cells say. */
export type ShownRow = ImportRow & { cells?: Record<string, string> }

interface Wanted {
  plan: ImportPlan
  import: number | null
  columns: readonly string[]
  isMany: boolean
  rows: string
}

/** Those of some rows that have a fault, as lines of CSV. */
export const readFaultyRows = defineStep({
  name: 'readFaultyRows',
  effect: 'read',
  long: true,
  async run(context, { plan, import: id, columns, isMany, rows }: Wanted): Promise<Reply> {
    const planner = await RowPlanner.make(context, { plan, import: id, isSecond: false })
    const planned = await planner.plan(JSON.parse(rows) as ShownRow[])
    const lines = planned.flatMap((each) => {
      if (each.is !== 'fault') return []
      const { table, line, file, column, message } = each.fault
      const { cells = {} } = each.row as ShownRow
      const what = column === undefined ? message : `${column}: ${message}`
      const place = isMany || file !== undefined ? [file ?? table] : []
      return csvLine(
        [
          ...columns.map((name) => (Object.hasOwn(cells, name) ? cells[name]! : '')),
          ...place,
          `${line}`,
          what,
        ].map(guarded),
      )
    })
    return new Reply(lines.join(''))
  },
})
