import { useQuery } from '@tanstack/react-query'
import { both, countQuery } from '#web/data/counts-query.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { hasWord, searchFor, type SearchMatch } from '#web/rules/search-text.ts'

/** By all of the words; by any of them where no item in question has all. */
export function useSearchMatch(base: Filter | null, filter: Filter | null, text: string): SearchMatch {
  const search = searchFor(text)
  const { data } = useQuery({
    ...countQuery(both(both(base, filter), search)),
    enabled: search !== null && hasWord(text),
  })
  return search && data === 0 ? 'any' : 'words'
}
