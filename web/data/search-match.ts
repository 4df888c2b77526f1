import { useQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { both } from '#web/data/counts-query.ts'
import { timeZone } from '#web/data/time-zone.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { hasWord, searchFor, type SearchMatch } from '#web/rules/search-text.ts'

/** By all of the words; by any of them where no item in question has all. */
export function useSearchMatch(base: Filter | null, filter: Filter | null, text: string): SearchMatch {
  const search = searchFor(text)
  const asked = both(both(base, filter), search)
  const { data } = useQuery({
    queryKey: ['found', asked],
    enabled: search !== null && hasWord(text),
    queryFn: async ({ signal }) => {
      const input = { filter: asked!, limit: 1, fields: ['item_id'], time_zone: timeZone() }
      return (await call(searchItems, input, { signal })).data.length > 0
    },
    staleTime: 0,
  })
  return search && data === false ? 'any' : 'words'
}
