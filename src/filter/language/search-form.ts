import { nearest } from '#src/domain/nearest.ts'
import type { FilterFault } from '#src/filter/language/filter-fault.ts'

export const SEARCH_PLACES = ['name', 'description', 'values'] as const
export type SearchPlace = (typeof SEARCH_PLACES)[number]

/** What is under `search`. */
export interface SearchForm {
  text: string
  /** Undefined: name and description. */
  in?: readonly SearchPlace[]
  /** The text as a whole, which it is without it, or all of its words in any order and place. */
  match?: (typeof MATCHES)[number]
}

const MATCHES = ['phrase', 'words'] as const
const PROPERTIES = ['text', 'in', 'match']
/** Each is a condition of its own. */
const MAX_WORDS = 100

/** Either a text alone, or `{"text": …, "in": […], "match": …}`. */
export function readSearchForm(
  value: unknown,
  path: string,
  { bareOnly }: { bareOnly: boolean },
): SearchForm | FilterFault {
  if (typeof value === 'string') return { text: value }
  if (bareOnly || typeof value !== 'object' || value === null || Array.isArray(value))
    return { path, message: `'search' requires a string` }
  const { text, in: places, match } = value as Record<string, unknown>
  const other = Object.keys(value).find((key) => !PROPERTIES.includes(key))
  if (other !== undefined) {
    const meant = nearest(other, PROPERTIES)
    return {
      path: `${path}.${other}`,
      message: `Unknown property '${other}'. Expected: ${PROPERTIES.join(', ')}`,
      ...(meant !== undefined && { suggestion: `Did you mean '${meant}'?` }),
    }
  }
  if (typeof text !== 'string') return { path: `${path}.text`, message: `'text' requires a string` }
  if (places !== undefined && !arePlaces(places))
    return {
      path: `${path}.in`,
      message: `'in' requires a list of at least one of ${SEARCH_PLACES.join(', ')}`,
    }
  if (match !== undefined && match !== 'words' && match !== 'phrase')
    return { path: `${path}.match`, message: `'match' is one of ${MATCHES.join(', ')}` }
  if (match === 'words' && wordsOf(text).length > MAX_WORDS)
    return { path: `${path}.text`, message: `'search' takes at most ${MAX_WORDS} words` }
  return { text, ...(places && { in: [...new Set(places)] }), ...(match && { match }) }
}

/** The words of a text, which are parted by white space. */
export const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '')

const arePlaces = (value: unknown): value is SearchPlace[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => (SEARCH_PLACES as readonly unknown[]).includes(each))
