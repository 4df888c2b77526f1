import type { FieldColumn } from '#web/rules/column.ts'

/** What others offer for the fields that are columns. */
export interface FieldTools {
  add: () => void
  /** Its name and type. */
  change: (column: FieldColumn) => void
}
