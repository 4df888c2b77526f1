import { chosenVariant } from '#src/domain/field-values.ts'
import { type CellRow, cellValue, outdatedFault, variantNames } from '#web/rules/cell-value.ts'
import type { FieldColumn } from '#web/rules/column.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { groupFilter, type GroupKey, groupLabel, groupsInOrder, pathOf } from '#web/rules/groups.ts'

/** What the items of one column of a board have in common. */
export interface BoardColumn {
  /** Different for each column of a board. */
  id: string
  key: GroupKey
  /** True of its items. */
  filter: Filter
  name: string
  count: number
  /** Of the chosen Number; null where nothing has a value. */
  sum: number | null
}

/** As the service reports it. */
export interface BoardGroup {
  key: readonly unknown[]
  count: number
  metrics: readonly unknown[]
}

/** An item that may be referred to, though nothing here does. */
export interface Candidate {
  item_id: string
  name: string
}

export const NONE_ID = 'none'

/**
 * All variants in their order, also those of no item; yes and no; the items that are referred to, and those that may
 * be. What has no value is always a column, and the last one.
 */
export function boardColumns(
  field: FieldColumn,
  groups: readonly BoardGroup[],
  candidates: readonly Candidate[] = [],
): BoardColumn[] {
  const ordered = groupsInOrder(groups, field).filter(({ key }) => key[0] !== null)
  const found = new Map(groups.map((group) => [columnId(group.key[0] as GroupKey), group]))
  const first = firstKeys(field, candidates)
  const isReference = field.field.type === 'Reference'
  const known = isReference ? ordered.map(({ key }) => key[0] as GroupKey) : first
  const more = isReference ? first : ordered.map(({ key }) => key[0] as GroupKey)
  const keys = new Map([...known, ...more, null].map((key) => [columnId(key), key]))
  return [...keys].map(([id, key]) => {
    const { count = 0, metrics = [] } = found.get(id) ?? {}
    const [sum] = metrics
    const filter = groupFilter(pathOf(field), key, field.field.type, [...keys.values()])
    return { id, key, filter, name: nameOf(field, key), count, sum: typeof sum === 'number' ? sum : null }
  })
}

function firstKeys(field: FieldColumn, candidates: readonly Candidate[]): GroupKey[] {
  if (field.field.type === 'Select') return variantNames(field)
  if (field.field.type === 'Boolean') return [true, false]
  return candidates.map(({ item_id, name }) => ({ item_id, name }))
}

const nameOf = (field: FieldColumn, key: GroupKey): string =>
  key === null ? `No ${field.field.name}` : groupLabel(key, field.field)

export function columnId(key: GroupKey): string {
  if (key === null) return NONE_ID
  if (typeof key === 'object') return `id ${'item_id' in key ? key.item_id : key.tag_id}`
  return typeof key === 'string' ? `is ${key}` : String(key)
}

/** The column in which an item is. */
export function columnOfRow(field: FieldColumn, row: CellRow): string {
  const value = cellValue(field, row)
  if (field.field.type === 'Select') return columnId(chosenVariant(value) ?? null)
  if (field.field.type === 'Boolean') return columnId(typeof value === 'boolean' ? value : null)
  const isReference = typeof value === 'string' && !outdatedFault(field, row)
  return isReference ? columnId({ item_id: value, name: null }) : NONE_ID
}

/** The value by which an item comes into a column. */
export function valueOfKey(field: FieldColumn, key: GroupKey): unknown {
  if (key === null) return null
  if (field.field.type === 'Select') return { variant: key }
  return typeof key === 'object' && 'item_id' in key ? key.item_id : key
}

export interface CardPlace {
  column: number
  index: number
}

/**
 * Where a key leads from a card; undefined for keys that do not move. Sideways it is the next column that has cards, at
 * the same height.
 */
export function movedCard(
  key: string,
  { column, index }: CardPlace,
  totals: readonly number[],
  page: number,
): CardPlace | undefined {
  const last = (totals[column] ?? 0) - 1
  const within = (to: number) => ({ column, index: Math.max(0, Math.min(last, to)) })
  if (key === 'ArrowDown') return within(index + 1)
  if (key === 'ArrowUp') return within(index - 1)
  if (key === 'PageDown') return within(index + page)
  if (key === 'PageUp') return within(index - page)
  if (key === 'Home') return within(0)
  if (key === 'End') return within(last)
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (!step) return undefined
  for (let to = column + step; to >= 0 && to < totals.length; to += step) {
    const total = totals[to]!
    if (total) return { column: to, index: Math.min(index, total - 1) }
  }
  return { column, index }
}
