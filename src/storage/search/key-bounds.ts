import type { FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { prefixRange } from '#src/filter/sql/value-condition.ts'
import { isCutInIndex } from '#src/filter/sql/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Range } from '#src/sql/filter-dialect.ts'
import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import type { IndexedKey } from '#src/storage/search/search-order.ts'

/**
 * Between what values of a sort key the items of a plan lie, where the plan says so: only there its index is walked.
 * Undefined where the plan leaves the key free; else every item has a value that fits.
 */
export function boundsOf(plan: FilterPlan, key: IndexedKey, { filter }: Dialect): Range | undefined {
  for (const part of conjunctsOf(plan)) {
    const range = isOf(part, key) ? rangeOf(part.test) : undefined
    if (range && ![range.lower, range.upper].some((bound) => isCutInIndex(bound?.value, filter))) return range
  }
  return undefined
}

const isOf = (
  part: FilterPlan,
  { column, field }: IndexedKey,
): part is Extract<FilterPlan, { test: ValueTest }> =>
  (part.kind === 'field' && part.field.id === field?.id) || (part.kind === 'text' && part.column === column)

function rangeOf(test: ValueTest): Range | undefined {
  switch (test.test) {
    case 'range':
      return test.also ? undefined : { lower: test.lower, upper: test.upper }
    case 'prefix':
      return prefixRange(test.text)
    case 'one_of': {
      const [value] = test.values
      const bound = { value: value!, inclusive: true }
      return test.values.length === 1 ? { lower: bound, upper: bound } : undefined
    }
    case 'present':
    case 'dangling':
    case 'misfit':
    case 'absent':
    case 'none_of':
    case 'substring':
    case 'regex':
    case 'any_substring':
    case 'same_set':
      return undefined
  }
}
