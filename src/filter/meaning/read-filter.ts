import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { checkFilter } from '#src/filter/meaning/check-filter.ts'
import { filterError } from '#src/filter/language/filter-fault.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/**
 * A filter that came from outside, ready to be run.
 * @throws BadRequest with every fault
 */
export async function readFilter(
  input: unknown,
  catalog: TagCatalog,
  path?: string,
): Promise<{ filter: BoundFilter; plan: FilterPlan; warnings: readonly string[] }> {
  const { faults, filter, plan, warnings } = await checkFilter(input, catalog, path)
  if (!filter) throw filterError(faults)
  return { filter, plan, warnings }
}
