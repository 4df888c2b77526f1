import { foldInSlices } from '#src/domain/decompose.ts'
import { columnsOf, type ColumnTag, type FieldColumn } from '#web/rules/column.ts'
import { faultOfValue, valueFromText } from '#web/rules/cell-value.ts'

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

/** What the rows make of items, with every fault by its cell. */
export function planImport(
  rows: readonly (readonly string[])[],
  targets: readonly Target[],
  tag: ColumnTag | null,
): ImportPlan {
  const fields = new Map((tag ? fieldColumns(tag) : []).map((column) => [column.field.name, column]))
  const plan: ImportPlan = { items: [], faults: [], names: [] }
  for (const [row, cells] of rows.entries()) {
    const item: ImportItem = { row, name: '', values: {} }
    for (const [column, target] of targets.entries()) {
      const text = (cells[column] ?? '').trim()
      if (target === 'skip' || !text) continue
      if (target === 'name') item.name = text
      else if (target === 'description') item.description = text
      else readCell(fields.get(target.field), text, { row, column }, item, plan)
    }
    if (!item.name)
      plan.faults.push({ row, column: targets.indexOf('name'), message: 'An item needs a name' })
    plan.items.push(item)
  }
  return plan
}

function readCell(
  field: FieldColumn | undefined,
  text: string,
  { row, column }: { row: number; column: number },
  item: ImportItem,
  plan: ImportPlan,
): void {
  if (!field) return
  const { name, type } = field.field
  const value = valueFromText(field, type === 'Date' ? isoDate(text) : text)
  item.values[name] = value
  if (type === 'Reference' || type === 'MultiReference') {
    const given = (Array.isArray(value) ? value : [value]) as string[]
    for (const each of given)
      if (!UUID_LIKE.test(each)) plan.names.push({ row, column, name: each, of: field.of })
    return
  }
  const message = faultOfValue(field, value)
  if (message) plan.faults.push({ row, column, message })
}

/** `2026-3-1`, `1.3.2026` and `2026/03/01` are said one way only; what can be read two ways is left as it is. */
function isoDate(text: string): string {
  const two = (part: string) => part.padStart(2, '0')
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? []
  if (year) return `${year}-${two(month!)}-${two(day!)}`
  const [, d, m, y] = /^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})$/.exec(text) ?? []
  return y ? `${y}-${two(m!)}-${two(d!)}` : text
}

/** Puts the ids of found names into the items; a name that none or several have is a fault of its cell. */
export function resolveNames(
  plan: ImportPlan,
  targets: readonly Target[],
  found: ReadonlyMap<string, readonly string[]>,
): ImportPlan {
  const faults = [...plan.faults]
  for (const { row, column, name } of plan.names) {
    const ids = found.get(name) ?? []
    if (ids.length === 1) continue
    const message = ids.length
      ? `${ids.length} items are called “${name}”: give the id of the one that is meant`
      : `There is no item called “${name}”`
    faults.push({ row, column, message })
  }
  const idOf = (text: unknown) => (typeof text === 'string' ? (found.get(text)?.[0] ?? text) : text)
  const referring = new Set(plan.names.map(({ column }) => targets[column]))
  const items = plan.items.map((item) => {
    const values = { ...item.values }
    for (const target of referring) {
      if (typeof target !== 'object') continue
      const value = values[target.field]
      if (Array.isArray(value)) values[target.field] = value.map(idOf)
      else if (value !== undefined) values[target.field] = idOf(value)
    }
    return { ...item, values }
  })
  return { ...plan, items, faults }
}
