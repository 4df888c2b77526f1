import { foldInSlices } from '#src/domain/decompose.ts'
import { columnsOf, type ColumnTag, type FieldColumn } from '#web/rules/column.ts'
import { faultOfValue, valueFromText } from '#web/rules/cell-value.ts'
import { readDate, readMoment } from '#web/rules/date-text.ts'
import type { Reading } from '#web/rules/guess-columns.ts'
import { readNumber } from '#src/domain/number-text.ts'

/** Where a column of the file goes: the item's name, its description, a field by its key, or nowhere. */
export type Target = 'name' | 'description' | 'skip' | { field: string }

export interface CellFault {
  /** Of the rows without the heading, from 0. */
  row: number
  column: number
  message: string
}

/** A reference by name is looked up before anything is made. */
export interface NameToFind {
  row: number
  column: number
  name: string
  of: readonly string[]
}

export interface ImportItem {
  row: number
  name: string
  description?: string
  values: Record<string, unknown>
}

export interface ImportPlan {
  items: ImportItem[]
  faults: CellFault[]
  names: NameToFind[]
  /** How many values that did not fit are left out, by column. */
  emptied: Map<number, number>
}

/** How a column is read, and what becomes of what does not fit: a fault, or nothing. */
export interface ColumnReading extends Reading {
  isEmptied?: boolean
}

export const fieldColumns = (tag: ColumnTag): FieldColumn[] =>
  columnsOf([tag]).filter((column): column is FieldColumn => column.kind === 'field')

/** Headings are compared without case, accents, blanks and what joins words. */
const foldHeading = (text: string) =>
  foldInSlices(text, (slice) => slice.replaceAll(/[\u0300-\u036f\s_.-]/g, '').toLowerCase())
const NAMES = new Set(['name', 'title', 'item', 'subject', 'task', 'betreff', 'titel'])

/** Headings that are called like fields go there; the first that looks like a name, or else the first of all, is the name. */
export function guessTargets(headings: readonly string[], tag: ColumnTag | null): Target[] {
  const fields = (tag ? fieldColumns(tag) : []).map(({ field: { name } }) => ({
    name,
    folded: foldHeading(name),
  }))
  const taken = new Set<string>()
  const called = headings.map(foldHeading)
  const targets = called.map((heading): Target => {
    const field = fields.find(({ name, folded }) => folded === heading && !taken.has(name))
    if (field) {
      taken.add(field.name)
      return { field: field.name }
    }
    return heading === 'description' ? 'description' : 'skip'
  })
  const free = (at: number) => targets[at] === 'skip'
  const likeName = called.findIndex((heading, at) => free(at) && NAMES.has(heading))
  const name =
    likeName >= 0
      ? likeName
      : Math.max(
          0,
          headings.findIndex((_, at) => free(at)),
        )
  return targets.with(name, 'name')
}

const UUID_LIKE = /^[0-9A-HJKMNP-TV-Z]{26}$/i

/** Columns whose values can be read in two ways: somebody is to say which one is meant. */
export function askedColumns(
  targets: readonly Target[],
  tag: ColumnTag | null,
  readings: readonly Reading[],
): number[] {
  const types = new Map((tag ? fieldColumns(tag) : []).map(({ field }) => [field.name, field.type]))
  return targets.flatMap((target, column) => {
    const type = typeof target === 'object' ? types.get(target.field) : undefined
    return isOpen(type, readings[column]) ? [column] : []
  })
}

const isOpen = (type: string | undefined, reading: Reading | undefined): boolean =>
  ((type === 'Date' || type === 'DateTime') && !reading?.order) || (type === 'Number' && !reading?.sign)

/** What the rows make of items, with every fault by its cell. */
export function planImport(
  rows: readonly (readonly string[])[],
  targets: readonly Target[],
  tag: ColumnTag | null,
  readings: readonly ColumnReading[] = [],
): ImportPlan {
  const fields = new Map((tag ? fieldColumns(tag) : []).map((column) => [column.field.name, column]))
  const plan: ImportPlan = { items: [], faults: [], names: [], emptied: new Map() }
  for (const [row, cells] of rows.entries()) {
    const item: ImportItem = { row, name: '', values: {} }
    for (const [column, target] of targets.entries()) {
      const text = (cells[column] ?? '').trim()
      if (target === 'skip' || !text) continue
      if (target === 'name') item.name = text
      else if (target === 'description') item.description = text
      else
        readCell(
          { field: fields.get(target.field), reading: readings[column], text, row, column },
          item,
          plan,
        )
    }
    if (!item.name)
      plan.faults.push({ row, column: targets.indexOf('name'), message: 'An item needs a name' })
    plan.items.push(item)
  }
  return plan
}

interface Cell {
  field: FieldColumn | undefined
  reading: ColumnReading | undefined
  text: string
  row: number
  column: number
}

function readCell({ field, reading, text, row, column }: Cell, item: ImportItem, plan: ImportPlan): void {
  // What can be read in two ways is not read before somebody has said how.
  if (!field || isOpen(field.field.type, reading)) return
  const { name, type } = field.field
  const value = valueOfCell(field, text, reading)
  if (type === 'Reference' || type === 'MultiReference') {
    item.values[name] = value
    const given = (Array.isArray(value) ? value : [value]) as string[]
    for (const each of given)
      if (!UUID_LIKE.test(each)) plan.names.push({ row, column, name: each, of: field.of })
    return
  }
  const message = value === null ? notRead(type, reading) : faultOfValue(field, value)
  if (!message) item.values[name] = value
  else if (reading?.isEmptied) plan.emptied.set(column, (plan.emptied.get(column) ?? 0) + 1)
  else plan.faults.push({ row, column, message })
}

function valueOfCell(field: FieldColumn, text: string, { order, sign }: ColumnReading = NOT_SAID): unknown {
  const { type } = field.field
  if (type === 'Date') return order ? readDate(text, order) : null
  if (type === 'DateTime') return order ? readMoment(text, order) : null
  if (type === 'Number') return sign ? readNumber(text, sign) : null
  return valueFromText(field, text)
}

const NOT_SAID: Reading = { order: undefined, sign: undefined }

const ORDER_WORDS = { DMY: 'day, month, year', MDY: 'month, day, year', YMD: 'year, month, day' } as const

function notRead(type: string, { order, sign }: ColumnReading = NOT_SAID): string {
  if (type === 'Number') return `expected a number like ${sign === ',' ? '1.234,5' : '1,234.5'}`
  return `expected a ${type === 'Date' ? 'date' : 'date and time'}, written ${order ? ORDER_WORDS[order] : ''}`
}

/** Puts the ids of found names into the items; a name that none or several have is a fault of its cell. */
export function resolveNames(
  plan: ImportPlan,
  targets: readonly Target[],
  found: ReadonlyMap<string, readonly string[]>,
  readings: readonly ColumnReading[] = [],
): ImportPlan {
  const faults = [...plan.faults]
  const emptied = new Map(plan.emptied)
  for (const { row, column, name } of plan.names) {
    const ids = found.get(name) ?? []
    if (ids.length === 1) continue
    if (readings[column]?.isEmptied) {
      emptied.set(column, (emptied.get(column) ?? 0) + 1)
      continue
    }
    const message = ids.length
      ? `${ids.length} items are called “${name}”: give the id of the one that is meant`
      : `There is no item called “${name}”`
    faults.push({ row, column, message })
  }
  // What stays without an item is a fault by now, or to be left empty.
  const idOf = (text: unknown): unknown => {
    if (typeof text !== 'string' || UUID_LIKE.test(text)) return text
    const ids = found.get(text) ?? []
    return ids.length === 1 ? ids[0] : undefined
  }
  const referring = new Set(plan.names.map(({ column }) => targets[column]))
  const items = plan.items.map((item) => {
    const values = { ...item.values }
    for (const target of referring) {
      if (typeof target !== 'object') continue
      const value = values[target.field]
      const ids = Array.isArray(value) ? value.map(idOf).filter((id) => id !== undefined) : idOf(value)
      if (ids === undefined || (Array.isArray(ids) && !ids.length)) delete values[target.field]
      else values[target.field] = ids
    }
    return { ...item, values }
  })
  return { ...plan, items, faults, emptied }
}

/** By what rows meet items that are there already: the name, or a field by its key. */
export type MatchBy = 'name' | { field: string }

/** What a row is met by, as the service has it; undefined where the row has nothing there. */
export const matchValue = (item: ImportItem, by: MatchBy): unknown =>
  by === 'name' ? item.name || undefined : (item.values[by.field] ?? undefined)

export interface Matched {
  update: number
  make: number
  /** Rows that say once more what one before them said: the later one counts. */
  again: number
  faults: CellFault[]
}

/** What becomes of rows that meet items by a value: `known` has the ids of the items by each value. */
export function matchRows(
  items: readonly ImportItem[],
  { by, column, known }: { by: MatchBy; column: number; known: ReadonlyMap<unknown, readonly string[]> },
): Matched {
  const matched: Matched = { update: 0, make: 0, again: 0, faults: [] }
  const seen = new Set<unknown>()
  for (const item of items) {
    const value = matchValue(item, by)
    const ids = known.get(value) ?? []
    if (value === undefined && by !== 'name')
      matched.faults.push({
        row: item.row,
        column,
        message: 'Without a value it is not clear which item is meant',
      })
    else if (ids.length > 1)
      matched.faults.push({
        row: item.row,
        column,
        message: `${ids.length} items have this: it is not clear which one is meant`,
      })
    else if (seen.has(value)) matched.again++
    else if (ids.length) matched.update++
    else matched.make++
    seen.add(value)
  }
  return matched
}
