import type { FieldType } from '#src/domain/field-schema.ts'
import { chosenVariant } from '#src/domain/field-values.ts'
import { isDate } from '#src/domain/is-date.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'

/**
 * One row of the value index, before an engine writes it. `misfit` (a value that the field's current type does not
 * fit) and `empty` (a MultiSelect without variants) make `exists` true and match nothing else.
 */
export type IndexEntry =
  | { as: 'text'; text: string }
  | { as: 'number'; number: number }
  | { as: 'reference'; item: number }
  | { as: 'misfit' }
  | { as: 'empty' }

/** Row id of an item, live, deleted or purged; undefined where there never was one. */
export type TargetRow = (item_id: Ulid) => number | undefined

/** The rows that a value leaves in the index under a field of this type; none for null. */
export function indexValues(type: FieldType, value: unknown, targetRow: TargetRow): IndexEntry[] {
  if (value === null || value === undefined) return []
  return ENTRIES[type](value, targetRow) ?? [{ as: 'misfit' }]
}

const ENTRIES: Record<FieldType, (value: unknown, targetRow: TargetRow) => IndexEntry[] | null> = {
  String: (value) => (typeof value === 'string' ? [{ as: 'text', text: value }] : null),
  Number: (value) => (typeof value === 'number' ? [{ as: 'number', number: value }] : null),
  Boolean: (value) => (typeof value === 'boolean' ? [{ as: 'number', number: value ? 1 : 0 }] : null),
  Date: (value) => (isDate(value) ? [{ as: 'text', text: value }] : null),
  Reference: (value, targetRow) => {
    const item_id = typeof value === 'string' ? parseUlid(value) : null
    const item = item_id === null ? undefined : targetRow(item_id)
    return item === undefined ? null : [{ as: 'reference', item }]
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
}
