import { bindFilter } from '#src/filter/meaning/bind-filter.ts'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import type { FilterFault } from '#src/filter/language/filter-fault.ts'
import { parseFilter } from '#src/filter/language/parse-filter.ts'
import { filterWords } from '#src/filter/words/filter-words.ts'
import { type FilterTag, tagCatalog } from '#web/rules/tag-catalog.ts'

export type { FilterFault }

/** What a filter says, as the service reports it. */
export interface FilterMeaning {
  /** In English; undefined where it has faults. */
  words: string | undefined
  faults: readonly FilterFault[]
  warnings: readonly string[]
}

export async function filterMeaning(filter: unknown, tags: readonly FilterTag[]): Promise<FilterMeaning> {
  const { faults, warnings, filter: bound } = await checkFilter(filter, tagCatalog(tags))
  return { words: bound && filterWords(bound), faults, warnings }
}

/** A part of a filter in English, even where other parts are faulty; undefined where it has a fault itself. */
export async function partWords(part: unknown, tags: readonly FilterTag[]): Promise<string | undefined> {
  const { tree, faults } = parseFilter(part)
  if (!tree || faults.length) return undefined
  const bound = await bindFilter(tree, tagCatalog(tags))
  return bound.filter && !bound.faults.length ? filterWords(bound.filter) : undefined
}
