import type { FieldType } from '#src/domain/field-schema.ts'

export const COLUMN_FORMATS = ['DMY', 'MDY', 'YMD', '1.234,5'] as const
export type ColumnFormat = (typeof COLUMN_FORMATS)[number]

/** Where the cells of a column go, as it was settled. */
export interface ColumnTarget {
  column: string
  to: 'item_id' | 'name' | 'description' | FieldTarget
}

export interface FieldTarget {
  field: string
  type: FieldType
  /** Of a Select or MultiSelect; undefined: all that the column has are to be found. */
  variants?: string[]
  /** What is missing is made: items by their names, variants. */
  make: boolean
  format?: ColumnFormat
  /** Of a Number: what may stand beside it in a cell. */
  unit?: string
  /** Of a reference: numbers of tables of the import, and ids of tags, whose items are meant; of none any item. */
  of_tables: number[]
  of_tags: string[]
  /** Of a field that is still to be made: tags by their ids, as they were called. */
  of_names?: Record<string, string>
}

export interface TableTarget {
  table: string
  /** The column by which rows meet items. */
  key?: string
  /** Empty cells clear what the item has. */
  clear: boolean
  /** Its names and texts are those of items of ours, with the blanks at their ends. */
  has_own_texts?: boolean
  columns: ColumnTarget[]
  /**
   * Rows that have a fault, by their numbers, and their names with how many rows each: what no other row is called leads
   * to no item.
   */
  left_out?: [row: string | number, rows: number][]
}

/** By the name of the field: references of a row, as they are looked up. */
export type Ref = {
  name: string
  /** The row of the import that is meant, by its number. */
  n?: number
  /** How many rows of the import that can be meant have the name. */
  rows?: number
  /** There are such rows, or there is that one, and all of them are left out. */
  left_out?: true
  /** It is no row, and need not be there (`Link`). */
  outside?: { item_id?: string }
}

/** A row as it becomes an item. Plain data: it goes to the thread of the database. */
export interface ImportRow {
  /** Number in the whole import, from 0. */
  n: number
  /** Number of its table target. */
  t: number
  line: number
  file?: string
  item_id?: string
  name?: string
  description?: string | null
  /** Null where an empty cell clears. */
  values: Record<string, unknown>
  refs: Record<string, Ref[]>
  /** Files of the archive, by field. */
  files?: Record<string, { path: string; name: string }[]>
  /** By field: what a text says where files are to be, such as the names of those that the item has. */
  file_texts?: Record<string, string>
  /** The description leads to rows of the import (`<linked>row:<n>`) or files (`<linked>file:<path>`). */
  linked?: string
  /** The description was written in Markdown. */
  from_markdown?: true
  /** By their paths: how files that it leads to are called, where that is not what their paths end with. */
  file_names?: Readonly<Record<string, string>>
  /** What it is met by: undefined where the table has no key. */
  key?: unknown
  /** Of rows that it leads to, by their numbers: their tables, and what they are met by. */
  means?: Record<number, { t: number; key: unknown }>
  /** It says more of the item of this row, which came before: it is taken when that is there. */
  same?: number
  /** It names rows of the import, or is named by them: what is set when all are there. */
  kept?: true
  /** A later row of the file has the same key. */
  overtaken?: true
  fault?: { column?: string; message: string; suggestion?: string }
}
