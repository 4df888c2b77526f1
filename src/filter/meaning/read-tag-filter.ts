import { fold } from '#src/domain/fold.ts'
import { filterError } from '#src/filter/language/filter-fault.ts'
import { parseTagFilter } from '#src/filter/language/parse-filter.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { planFilter } from '#src/filter/meaning/plan-filter.ts'

/**
 * A filter of tags that came from outside, ready for `tagFilterToSql`.
 * @throws BadRequest with every fault
 */
export function readTagFilter(
  input: unknown,
  path?: string,
): { plan: FilterPlan; warnings: readonly string[] } {
  const { tree, faults } = parseTagFilter(input, path)
  if (!tree || faults.length) throw filterError(faults)
  return planFilter(tree, new Map(), fold)
}
