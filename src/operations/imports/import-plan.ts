import type { TagLook } from '#src/domain/tag-look.ts'
import type { FieldMap, FieldType } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { equalityKey } from '#src/filter/meaning/equality-key.ts'
import type { FieldTarget, ImportRow, TableTarget } from '#src/imports/rows/targets.ts'

/** What an import is going to do, as its mapping settled it. */
export interface ImportPlan {
  targets: TableTarget[]
  /** For each target. */
  tags: PlannedTag[]
}

/** Which tag the rows of a table get; null: none. */
export type PlannedTag = {
  /** Null where it is still to be made. */
  tag_id: Ulid | null
  name: string
  /** All fields that it is to have; references to tables of the import are without them in `of`. */
  fields: FieldMap
  /** Whether `fields` are others than the tag has. */
  isChanged: boolean
  /** Of a tag that is there: what of `fields` it lacks. */
  makes: { fields: string[]; variants: Record<string, string[]> }
  /** Tables whose tags a field refers to, by the name of the field. */
  of_tables: Record<string, number[]>
  /** Of a new one: what else it is made with, `extends` by names. */
  description?: string | null
  extends?: string[]
  look?: TagLook | null
} | null

/** What somebody wants of the columns of a table (further §15). */
export type ColumnWish =
  | null
  | 'item_id'
  | 'name'
  | 'description'
  | {
      field: string
      type?: FieldType
      variants?: string[]
      of?: string[]
      make?: boolean
      format?: 'DMY' | 'MDY' | 'YMD' | '1.234,5'
    }

export interface TableWish {
  name: string
  tag?: { id: string } | { new: { name: string; fields?: Record<string, unknown> } } | null
  key?: string
  clear?: boolean
  columns?: Record<string, ColumnWish>
}

export interface Mapping {
  tables?: TableWish[]
}

/** An item that is there, or that is to be made. */
export type MadeItem = { id: Ulid } | { make: string }

export interface RowPlanning {
  plan: ImportPlan
  /** Row id of the import; null while it is only looked what would be. */
  import: number | null
  /** The newest event when the rows were checked, before any was written. */
  newest?: Ulid | null
  /** References to rows that are not there yet are left for later. */
  isSecond: boolean
  /** Descriptions are held against those of their items as Markdown, which takes long. */
  compares_texts?: boolean
}

export const targetOf = (plan: ImportPlan, t: number, field: string): FieldTarget =>
  plan.targets[t]!.columns.map(({ to }) => to).find(
    (to): to is FieldTarget => typeof to === 'object' && to.field === field,
  )!

/** Of a row that meets an item by its name or a value: the same as that of the item, however either is written. */
export function keyOfRow({ targets }: ImportPlan, row: Pick<ImportRow, 't' | 'key'>): string {
  const { key, columns } = targets[row.t]!
  const to = columns.find(({ column }) => column === key)?.to
  return equalityKey(typeof to === 'object' ? to.type : 'name', row.key)
}
