import { checkFilter, type ReadFilter } from '#src/filter/meaning/check-filter.ts'
import { filterError } from '#src/filter/language/filter-fault.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/**
 * A filter that came from outside, ready to be run.
 * @throws BadRequest with every fault
 */
export async function readFilter(
  input: unknown,
  catalog: TagCatalog,
  path?: string,
): Promise<ReadFilter & { warnings: readonly string[] }> {
  const checked = await checkFilter(input, catalog, path)
  if (!checked.filter) throw filterError(checked.faults)
  const { filter, plan, planOf, warnings } = checked
  return { filter, plan, planOf, warnings }
}
