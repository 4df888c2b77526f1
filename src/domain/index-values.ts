import { isDate, toDateTime } from '#src/domain/date-time.ts'
import type { FieldType } from '#src/domain/field-schema.ts'
import { chosenVariant } from '#src/domain/field-values.ts'
import { elementsOf } from '#src/domain/file-values.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'

/**
 * One row of the value index, before an engine writes it. `type_mismatch` (a value that the field's current type does not
 * fit) and `empty` (a MultiSelect, MultiReference or File without elements) make `exists` true and match nothing else.
 */
export type IndexEntry =
  | { as: 'text'; text: string }
  | { as: 'number'; number: number }
  | { as: 'reference'; item: number }
  | { as: 'type_mismatch' }
  | { as: 'empty' }

/** Row id of an item, live, deleted or purged; undefined where there never was one. */
export type TargetRow = (item_id: Ulid) => number | undefined

/** The rows that a value leaves in the index under a field of this type; none for null. */
export function indexValues(type: FieldType, value: unknown, targetRow: TargetRow): IndexEntry[] {
  if (value === null || value === undefined) return []
  return ENTRIES[type](value, targetRow) ?? [{ as: 'type_mismatch' }]
}

const ENTRIES: Record<FieldType, (value: unknown, targetRow: TargetRow) => IndexEntry[] | null> = {
  String: (value) => (typeof value === 'string' ? [{ as: 'text', text: value }] : null),
  Number: (value) => (typeof value === 'number' ? [{ as: 'number', number: value }] : null),
  Boolean: (value) => (typeof value === 'boolean' ? [{ as: 'number', number: value ? 1 : 0 }] : null),
  Date: (value) => (isDate(value) ? [{ as: 'text', text: value }] : null),
  DateTime: (value) => {
    const text = toDateTime(value)
    return text === null ? null : [{ as: 'text', text }]
  },
  Reference: (value, targetRow) => {
    const item = rowOf(value, targetRow)
    return item === undefined ? null : [{ as: 'reference', item }]
  },
  MultiReference: (value, targetRow) => {
    if (!Array.isArray(value)) return null
    if (value.length === 0) return [{ as: 'empty' }]
    const items = [...new Set(value.map((each) => rowOf(each, targetRow)))]
    return items.every((item) => item !== undefined) ? items.map((item) => ({ as: 'reference', item })) : null
  },
  // A variant that the schema has no longer is kept by its name: it can still be found (decisions §6).
  Select: (value) => {
    const chosen = chosenVariant(value)
    return chosen === null ? null : [{ as: 'text', text: chosen }]
  },
  MultiSelect: (value) => {
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return null
    if (value.length === 0) return [{ as: 'empty' }]
    return [...new Set<string>(value)].map((text) => ({ as: 'text', text }))
  },
  File: (value) => {
    const elements = elementsOf(value)
    if (!Array.isArray(value) || elements.length < value.length) return null
    if (value.length === 0) return [{ as: 'empty' }]
    return [...new Set(elements.map(({ name }) => name))].map((text) => ({ as: 'text', text }))
  },
}

function rowOf(value: unknown, targetRow: TargetRow): number | undefined {
  const item_id = typeof value === 'string' ? parseUlid(value) : null
  return item_id === null ? undefined : targetRow(item_id)
}
