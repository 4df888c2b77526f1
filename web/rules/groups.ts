import { type Column, columnsOf, type ColumnTag, type FieldColumn } from '#web/rules/column.ts'
import type { Filter } from '#web/rules/filter-edits.ts'

/** What a group's rows have in common, as the service tells it. */
export type GroupKey =
  | string
  | number
  | boolean
  | null
  | { item_id: string; name: string | null }
  | { tag_id: string; name: string }

/** Of few values: they make a chart as well. */
const GROUPED = new Set(['Select', 'MultiSelect', 'Boolean', 'Reference', 'MultiReference'])
/** Of many: rows alone are grouped by them, dates by their month. */
const ALSO = new Set(['String', 'Number', 'Date'])

/** Items of all tags are grouped by their tags. */
export const BY_TAG = 'has_tag'

export interface Grouping {
  /** As in the address and in `group_by`: `Task.status`, `has_tag`. */
  path: string
  label: string
}

export const isGrouped = (column: Column): column is FieldColumn =>
  column.kind === 'field' && GROUPED.has(column.field.type)

/** The column whose values group the rows. */
export const groupingColumn = (columns: readonly Column[], path: string): FieldColumn | undefined =>
  columns.find((column): column is FieldColumn => column.kind === 'field' && pathOf(column) === path)

/** What the service is asked to group by. */
export const groupBy = (path: string, type: string | undefined): GroupBy =>
  type === 'Date' ? { by: path, bucket: 'month' } : path

type GroupBy = string | { by: string; bucket: 'month' }

export const pathOf = ({ tag, field }: FieldColumn): string => `${tag.name}.${field.name}`

/** What rows can be grouped by. */
export function groupings(tags: readonly ColumnTag[]): Grouping[] {
  const fields = columnsOf(tags).filter(
    (column): column is FieldColumn =>
      column.kind === 'field' && (GROUPED.has(column.field.type) || ALSO.has(column.field.type)),
  )
  return [
    ...fields.map((column) => ({ path: pathOf(column), label: column.label })),
    ...(tags.length ? [] : [{ path: BY_TAG, label: 'Tag' }]),
  ]
}

/** True of the rows of one group; those without a value are a group too. */
export function groupFilter(path: string, key: GroupKey, type?: string): Filter {
  if (path === BY_TAG)
    return { has_tag: key === null ? null : { id: (key as { tag_id: string }).tag_id, exact: true } }
  if (key === null) return { not: { [path]: { exists: true } } }
  const range = type === 'Date' && typeof key === 'string' ? bucketRange(key) : null
  if (range) return { and: [{ [path]: { gte: range.from } }, { [path]: { lt: range.before } }] }
  if (type === 'String') return { [path]: { eq: key } }
  if (typeof key === 'object') return { [path]: { in: ['item_id' in key ? key.item_id : key.tag_id] } }
  return { [path]: typeof key === 'string' ? { in: [key] } : { eq: key } }
}

export function groupLabel(key: GroupKey, type?: string): string {
  if (key === null) return 'Nothing'
  if (typeof key === 'string') return type === 'Date' ? sayMonth(key) : key.trim() || 'Blank'
  if (typeof key === 'number') return key.toLocaleString(undefined, { maximumFractionDigits: 20 })
  if (typeof key === 'boolean') return key ? 'Yes' : 'No'
  return key.name ?? 'A deleted item'
}

const sayMonth = (key: string) =>
  new Date(`${key}-01T00:00:00Z`).toLocaleDateString(undefined, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** The days of a bucket: from the first, before the other. */
export function bucketRange(key: string): { from: string; before: string } | null {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(key) ?? []
  if (!year) return null
  const start = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const end = new Date(start)
  const { length } = key
  if (length === 4) end.setUTCFullYear(end.getUTCFullYear() + 1)
  else if (length === 7) end.setUTCMonth(end.getUTCMonth() + 1)
  else end.setUTCDate(end.getUTCDate() + 1)
  const text = (date: Date) => date.toISOString().slice(0, 'YYYY-MM-DD'.length)
  return { from: text(start), before: text(end) }
}
