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

/**
 * The name that a tag of a segment `<-Tag.ref` would have if the segment were a plain `Tag.field`; undefined of others.
 * Names of tags may begin with `<-`, and one that does is meant by its name.
 */
export function nameWithReverse(segment: string): string | undefined {
  return segment.startsWith(REVERSE) && splits(segment)
    ? segment.slice(0, segment.lastIndexOf('.'))
    : undefined
}

/** Whether a segment asks who refers to an item; `names` are those of tags that begin with `<-`. */
export const isReverse = (segment: string, names: ReadonlySet<string>): boolean =>
  segment.startsWith(REVERSE) && !names.has(nameWithReverse(segment) ?? '')

/** References that a key follows, forwards and back. */
export function hopsOf(key: string, names: ReadonlySet<string> = new Set()): number {
  const segments = key.split(ARROW)
  return segments.length - 1 + (segments.some((segment) => isReverse(segment, names)) ? 1 : 0)
}

/** Whether there is something on both sides of the last dot. */
export function splits(reference: string): boolean {
  const dot = reference.lastIndexOf('.')
  return dot > 0 && dot < reference.length - 1
}
