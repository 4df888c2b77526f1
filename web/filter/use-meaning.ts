import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FilterMeaning, filterMeaning, partWords } from '#web/rules/filter-meaning.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { newKey } from '#web/rules/new-key.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

/** Tags are a new list whenever one of them has changed. */
const turns = new WeakMap<readonly FilterTag[], string>()
function turnOf(tags: readonly FilterTag[]): string {
  const known = turns.get(tags) ?? newKey()
  turns.set(tags, known)
  return known
}

const MINUTE = 60_000

/** What a filter says, worked out in the browser. */
export function useMeaning(filter: Filter | null, tags: readonly FilterTag[]): FilterMeaning | undefined {
  return useQuery({
    queryKey: ['meaning', filter, turnOf(tags)],
    queryFn: () => filterMeaning(filter, tags),
    enabled: filter !== null,
    staleTime: Infinity,
    gcTime: MINUTE,
    placeholderData: keepPreviousData,
  }).data
}

/** A condition in English; null where it has a fault. */
export function useWords(condition: Filter, tags: readonly FilterTag[]): string | null | undefined {
  return useQuery({
    queryKey: ['words', condition, turnOf(tags)],
    queryFn: async () => (await partWords(condition, tags)) ?? null,
    staleTime: Infinity,
    gcTime: MINUTE,
    placeholderData: keepPreviousData,
  }).data
}
