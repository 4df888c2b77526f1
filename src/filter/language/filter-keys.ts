import { COLUMN_TYPES } from '#src/filter/language/subject.ts'

/** What a filter may speak of. */
export interface FilterKeys {
  keys: readonly string[]
  columns: readonly string[]
  /** Whether `has_tag` and `Tag.field` are known. */
  tags: boolean
  unknown: string
}
export const ITEM_KEYS: FilterKeys = {
  keys: ['and', 'or', 'not', 'search', 'has_tag', 'changed_between', ...Object.keys(COLUMN_TYPES)],
  columns: Object.keys(COLUMN_TYPES),
  tags: true,
  unknown: 'Unknown filter. Expected: and, or, not, search, has_tag, name, description, or Tag.field',
}
export const TAG_KEYS: FilterKeys = {
  keys: ['and', 'or', 'not', 'search', 'name', 'description'],
  columns: ['name', 'description'],
  tags: false,
  unknown: 'Unknown filter. Expected: and, or, not, search, name, or description',
}

export const ARROW = '->'
export const REVERSE = '<-'

/** References that a key follows. */
export const hopsOf = (key: string): number => key.split(ARROW).length - 1 + (key.includes(REVERSE) ? 1 : 0)

/** Whether there is something on both sides of the last dot. */
export function splits(reference: string): boolean {
  const dot = reference.lastIndexOf('.')
  return dot > 0 && dot < reference.length - 1
}
