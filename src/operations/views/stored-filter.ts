import { jsonUpTo, MAX_KEPT_FILTER } from '#src/domain/json-up-to.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

/**
 * A view's filter as it is stored, and what can never match in it.
 * @throws BadRequest with every fault
 */
export async function storedFilter(
  context: SqlContext,
  given: unknown,
): Promise<{ filter: string; warnings: readonly string[] }> {
  const { filter, warnings } = await readFilter(given, tagCatalog(context))
  return { filter: jsonUpTo(resolvedFilter(filter), 'filter', MAX_KEPT_FILTER), warnings }
}
