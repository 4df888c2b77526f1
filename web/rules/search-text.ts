import type { Filter } from '#web/rules/filter-edits.ts'

/** How the words of a text are looked for: all of them, or any of them, best first. */
export type SearchMatch = 'words' | 'any'

/** Without one there is nothing that any of the words could be. */
const HAS_WORD = /[\p{L}\p{Nd}]/u

/** Whether a text can be looked for by any of its words. */
export const hasWord = (text: string): boolean => HAS_WORD.test(text)

/** The service takes no more of which all are wanted: what is longer is looked for as it stands. */
const MOST_WORDS = 100

/** What a typed text asks for; null where nothing is typed. */
export function searchFor(text: string, match: SearchMatch = 'words'): Filter | null {
  const sought = text.trim()
  if (!sought) return null
  if (match === 'words' && sought.split(/\s+/u).length > MOST_WORDS) return { search: sought }
  return { search: { text: sought, match } }
}
