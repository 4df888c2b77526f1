import { fold } from '#src/domain/fold.ts'
import { filterError, type FilterFault } from '#src/filter/language/filter-fault.ts'
import { parseTagFilter } from '#src/filter/language/parse-filter.ts'
import { bindFilter } from '#src/filter/meaning/bind-filter.ts'
import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { parseByNames } from '#src/filter/meaning/parse-by-names.ts'
import { planFilter } from '#src/filter/meaning/plan-filter.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/** What became of a filter: every fault at once, or the bound filter with its plan. */
export type CheckedFilter =
  | { faults: readonly FilterFault[]; warnings: readonly string[]; filter: undefined; plan: undefined }
  | ({ faults: readonly []; warnings: readonly string[] } & ReadFilter)

/** A filter and its plan; `planOf` makes one of a part of it. */
export interface ReadFilter {
  filter: BoundFilter
  plan: FilterPlan
  planOf: (part: BoundFilter) => FilterPlan
}

/** Parses, binds and plans a filter that came from outside: the stages in order. `path` is where it is in its input. */
export async function checkFilter(
  input: unknown,
  catalog: TagCatalog,
  path = 'filter',
): Promise<CheckedFilter> {
  const { tree, faults } = await parseByNames(input, catalog, path)
  if (!tree) return { faults, warnings: [], filter: undefined, plan: undefined }
  const bound = await bindFilter(tree, catalog)
  const all = [...faults, ...bound.faults]
  const { filter } = bound
  if (!filter) return { faults: all, warnings: [], filter: undefined, plan: undefined }
  const { plan, warnings } = planFilter(filter, bound.rowIds)
  return all.length
    ? { faults: all, warnings, filter: undefined, plan: undefined }
    : { faults: [], warnings, filter, plan, planOf: (part) => planFilter(part, bound.rowIds).plan }
}

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
