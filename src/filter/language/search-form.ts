import { nearest } from '#src/domain/nearest.ts'
import { joinBlanks } from '#src/domain/readable-text.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import { soughtIn } from '#src/domain/words.ts'
import type { FilterFault } from '#src/filter/language/filter-fault.ts'

export const SEARCH_PLACES = ['name', 'description', 'values'] as const
export type SearchPlace = (typeof SEARCH_PLACES)[number]

/** What is under `search`. */
export interface SearchForm {
  /** Several are other words for the same: one of them is enough. */
  text: string | readonly string[]
  /** Undefined: name and description. */
  in?: readonly SearchPlace[]
  /** The text as a whole, which it is without it, all of its words in any order and place, or one of them at least. */
  match?: (typeof MATCHES)[number]
}

export const MATCHES = ['phrase', 'words', 'any'] as const
/** Texts that are given as other words for the same. */
const MAX_TEXTS = 20
/** Characters of a text of which any word is looked for. */
const MAX_ANY = 10_000
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
  if (typeof text !== 'string' && !areTexts(text))
    return {
      path: `${path}.text`,
      message: Array.isArray(text)
        ? `'text' takes a list of 1 to ${MAX_TEXTS} strings, other words for the same`
        : `'text' requires a string`,
    }
  if (places !== undefined && !arePlaces(places))
    return {
      path: `${path}.in`,
      message: `'in' requires a list of at least one of ${SEARCH_PLACES.join(', ')}`,
    }
  if (match !== undefined && !isMatch(match))
    return { path: `${path}.match`, message: `'match' is one of ${MATCHES.join(', ')}` }
  for (const [i, each] of textsOf({ text }).entries()) {
    const fault = faultOf(each, match)
    if (fault) return { path: typeof text === 'string' ? `${path}.text` : `${path}.text[${i}]`, ...fault }
  }
  return { text, ...(places && { in: [...new Set(places)] }), ...(match && { match }) }
}

/** The texts that are other words for the same. */
export const textsOf = ({ text }: Pick<SearchForm, 'text'>): readonly string[] =>
  typeof text === 'string' ? [text] : text

function faultOf(text: string, match: SearchForm['match']): Omit<FilterFault, 'path'> | undefined {
  if (match === 'words' && wordsOf(text).length > MAX_WORDS)
    return { message: `'search' takes at most ${MAX_WORDS} words` }
  if (match !== 'any') return undefined
  if (text.length > MAX_ANY && (text.length > 2 * MAX_ANY || Array.from(text).length > MAX_ANY))
    return { message: `'any' takes a text of at most ${MAX_ANY} characters` }
  if (!soughtIn(foldForSearch(text)).length)
    return {
      message: `'any' requires a text with a word in it`,
      suggestion: `A word is made of letters and digits; 'match': 'phrase' finds signs`,
    }
  return undefined
}

/** The words of a text, which are parted by white space. */
export const wordsOf = (text: string): string[] =>
  joinBlanks(text)
    .split(' ')
    .filter((word) => word !== '')

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_TEXTS &&
  value.every((each) => typeof each === 'string')

const isMatch = (value: unknown): value is (typeof MATCHES)[number] =>
  (MATCHES as readonly unknown[]).includes(value)

const arePlaces = (value: unknown): value is SearchPlace[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => (SEARCH_PLACES as readonly unknown[]).includes(each))
