import type { DateOrder } from '#src/domain/date-text.ts'
import type { FieldType } from '#src/domain/field-schema.ts'

/** What a column seems to be. */
export interface GuessedColumn {
  type: FieldType
  variants?: string[]
  /** How its dates or numbers are written; undefined where that is usual or cannot be recognized. */
  format?: DateOrder | '1.234,5'
  /** What a field of numbers says of them: one unit stands beside them all. */
  hints?: NumberHints
  samples: string[]
  /** All of its different values, and the parts of its lists, where they may be names of items. */
  names?: string[]
  parts?: string[]
  /** Ids that its values are, where all are such: maybe those of items. */
  ids?: string[]
}

/** Hints of a Number, as a tag's schema has them. */
export type NumberHints =
  | { format: 'percent' }
  | { unit: string; unit_at: 'before' | 'behind'; decimals?: number }
