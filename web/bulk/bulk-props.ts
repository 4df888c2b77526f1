import type { ComponentType } from 'react'
import type { RowSource } from '#web/data/row-source.ts'
import type { Tag } from '#web/data/tags-query.ts'
import type { Filter } from '#web/rules/filter-edits.ts'

export const BULK_KINDS = ['set', 'add', 'remove', 'delete'] as const
/** What can be done with many. */
export type BulkKind = (typeof BULK_KINDS)[number]

/** Finds items by their names. */
export type ItemsPickerPart = ComponentType<{
  of: readonly string[]
  many: boolean
  value: unknown
  onValue: (value: unknown) => void
}>

export interface BulkBarProps {
  /** Those that are meant. */
  filter: Filter
  /** When the rows that are selected were last changed, as far as they are loaded. */
  seen: ReadonlyMap<string, string>
  count: number
  /** All that match, not these by name. */
  all: boolean
  tags: readonly Tag[]
  /** Those of the table: their fields come first. */
  first: readonly Tag[]
  source: RowSource
  onDone: () => void
  ItemsPicker: ItemsPickerPart
}
