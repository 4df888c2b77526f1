import { type FlatField, isSet, variantsOf } from '#src/domain/field-schema.ts'
import { byName } from '#web/rules/by-name.ts'
import { type Column, columnsOf, type ColumnTag, type FieldColumn } from '#web/rules/column.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { MONTH_OF_YEAR } from '#web/rules/date-names.ts'
import { sayDate } from '#web/rules/say-time.ts'
import { sayAllDigits, sayFigure } from '#web/rules/shown-value.ts'

/** What a group's rows have in common, as the service reports it. */
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
const ALSO = new Set(['String', 'Number', 'Date', 'DateTime'])

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
  isTime(type) ? { by: path, bucket: 'month' } : path

const isTime = (type: string | undefined) => type === 'Date' || type === 'DateTime'

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

/** True of the rows of one group, of those that have the keys; those without a value are a group too. */
export function groupFilter(
  path: string,
  key: GroupKey,
  type?: string,
  keys: readonly GroupKey[] = [],
): Filter {
  if (path === BY_TAG)
    return { has_tag: key === null ? null : { id: (key as { tag_id: string }).tag_id, exact: true } }
  if (key === null) return type ? nothingFilter(path, type, keys) : { not: { [path]: { exists: true } } }
  const within =
    isTime(type) && typeof key === 'string' ? bucketsFilter(path, key, key, type === 'DateTime') : null
  if (within) return within
  if (type === 'String') return { [path]: { eq: key } }
  if (typeof key === 'object') return { [path]: { in: ['item_id' in key ? key.item_id : key.tag_id] } }
  return { [path]: typeof key === 'string' ? { in: [key] } : { eq: key } }
}

/** True of what the service counts as no value: none, an empty list, one that is kept from another type of the field. */
function nothingFilter(path: string, type: string, keys: readonly GroupKey[]): Filter {
  const is = (test: object): Filter => ({ [path]: test })
  // What is of the type may be outdated too: a variant that is gone, a field of a variant that is not chosen.
  const kept = { and: [is({ outdated: true }), { not: countedFilter(is, type, keys) }] }
  return { or: [is({ exists: false }), ...(isSet(type) ? [is({ eq: [] })] : []), kept] }
}

/** True of what has a value of the type. Names of variants that are gone are known by their groups alone. */
function countedFilter(is: (test: object) => Filter, type: string, keys: readonly GroupKey[]): Filter {
  switch (type) {
    case 'String':
      return is({ starts_with: '' })
    case 'Boolean':
      return is({ in: [true, false] })
    case 'Number':
      return { or: [is({ gte: 0 }), is({ lt: 0 })] }
    case 'Date':
    case 'DateTime':
      return { or: [is({ gte: SOME_DAY }), is({ lt: SOME_DAY })] }
    case 'Reference':
    case 'MultiReference':
      return { or: [is({ dangling: true }), is({ dangling: false })] }
    default:
      return is({ in: keys.filter((each) => typeof each === 'string') })
  }
}

const SOME_DAY = '2000-01-01'

/** Of these the service knows the order. */
const IN_ORDER = new Set(['Select', 'Number', 'Date', 'DateTime'])

/** Whether the service is asked for the groups in the order of their keys; else the largest is first. */
export const isInOrder = (type: string | undefined): boolean => type !== undefined && IN_ORDER.has(type)

/** As people look for them: variants in their order, those of one size by their names; what the service orders stays. */
export function groupsInOrder<T extends { key: readonly unknown[]; count: number }>(
  groups: readonly T[],
  column: FieldColumn | undefined,
): T[] {
  const type = column?.field.type
  if (isInOrder(type)) return [...groups]
  const variants: readonly unknown[] =
    type === 'MultiSelect' ? variantsOf(column!.field.schema) : type === 'Boolean' ? [true, false] : []
  const place = ({ key: [key] }: T) => {
    const at = variants.indexOf(key)
    return at < 0 ? variants.length : at
  }
  const name = ({ key: [key] }: T) => groupLabel(key as GroupKey, column?.field)
  return groups.toSorted((a, b) => place(a) - place(b) || b.count - a.count || byName(name(a), name(b)))
}

/** As cells of the field show it, but for digits: groups that differ read differently. */
export function groupLabel(key: GroupKey, field?: Pick<FlatField, 'type' | 'schema'>): string {
  if (key === null) return 'Nothing'
  if (typeof key === 'string') return isTime(field?.type) ? sayMonth(key) : key.trim() || 'Blank'
  if (typeof key === 'number') return sayFigure(field?.schema ?? 'Number', key, sayAllDigits)
  if (typeof key === 'boolean') return key ? 'Yes' : 'No'
  return key.name ?? 'A deleted item'
}

const sayMonth = (key: string, month: 'long' | 'short' = 'long') =>
  new Date(`${key}-01T00:00:00Z`).toLocaleDateString(undefined, { ...MONTH_OF_YEAR, month })

/** A day, a month or a year, as short as can be. */
export const bucketLabel = (key: string): string =>
  key.length === 'YYYY'.length ? key : key.length === 'YYYY-MM'.length ? sayMonth(key, 'short') : sayDate(key)

/** True of what is in one of the buckets from the first to the last; null: these are none. */
export function bucketsFilter(path: string, first: string, last: string, ofMoments: boolean): Filter | null {
  const [start, end] = [bucketRange(first, ofMoments), bucketRange(last, ofMoments)]
  if (!start || !end) return null
  const tests = [
    ...(start.from === undefined ? [] : [{ gte: start.from }]),
    ...(end.before === undefined ? [] : [{ lt: end.before }]),
  ]
  if (!tests.length) return { [path]: { exists: true } }
  const [only, other] = tests.map((test) => ({ [path]: test }))
  return other ? { and: [only!, other] } : only!
}

/**
 * Where a bucket begins and what is not in it any more: days, or of moments the reader's own midnights, by which the
 * service was asked to gather them. Undefined: there is nothing before or behind it, and no way to write it.
 */
export function bucketRange(key: string, ofMoments = false): { from?: string; before?: string } | null {
  const [, year, month = '1', day = '1'] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(key) ?? []
  if (!year) return null
  const parts = [Number(year), Number(month) - 1, Number(day)] as const
  const step = { 4: 0, 7: 1 }[key.length] ?? 2
  const end = parts.map((part, i) => (i === step ? part + 1 : part)) as unknown as typeof parts
  const text = ofMoments ? momentOf : dayOf
  const isFirst = parts.every((part, i) => part === FIRST_DAY[i])
  // Months and days may be too many here: they are the next year's.
  const isLast = new Date(Date.UTC(end[0], end[1], end[2])).getUTCFullYear() > LAST_YEAR
  return { ...(!isFirst && { from: text(parts) }), ...(!isLast && { before: text(end) }) }
}

const FIRST_DAY: Parts = [0, 0, 1]
const LAST_YEAR = 9999

type Parts = readonly [year: number, month: number, day: number]

function momentOf([year, month, day]: Parts): string {
  // The constructor takes 99 for 1999, and some days have no midnight: not the one that is begun with.
  const moment = new Date(2000, 0, 1)
  moment.setFullYear(year, month, day)
  return moment.toISOString()
}

function dayOf([year, month, day]: Parts): string {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length)
}
