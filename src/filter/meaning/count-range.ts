import type { CountTest } from '#src/filter/language/reverse-form.ts'
import type { BoundField, FilterPlan } from '#src/filter/meaning/plan.ts'

const ALWAYS: FilterPlan = { kind: 'always' }
const NEVER: FilterPlan = { kind: 'never' }

/** The plan of "this many items refer by the field and satisfy the filter"; what is left asks for one at least. */
export function planOfReferring(
  field: BoundField,
  filter: FilterPlan,
  { comparison, count }: CountTest,
): FilterPlan {
  switch (comparison) {
    case 'gt':
      return atLeast(field, filter, count + 1)
    case 'gte':
      return atLeast(field, filter, count)
    case 'lt':
      return inverse(atLeast(field, filter, count))
    case 'lte':
      return inverse(atLeast(field, filter, count + 1))
    case 'eq':
      return exactly(field, filter, count)
    case 'neq':
      return inverse(exactly(field, filter, count))
  }
}

function atLeast(field: BoundField, filter: FilterPlan, min: number): FilterPlan {
  if (min === 0) return ALWAYS
  return filter.kind === 'never' ? NEVER : { kind: 'referred', field, filter, min }
}

function exactly(field: BoundField, filter: FilterPlan, count: number): FilterPlan {
  const some = atLeast(field, filter, count)
  if (count === 0) return inverse(atLeast(field, filter, 1))
  return some.kind === 'referred' ? { ...some, max: count } : some
}

function inverse(plan: FilterPlan): FilterPlan {
  if (plan.kind === 'always') return NEVER
  return plan.kind === 'never' ? ALWAYS : { kind: 'not', child: plan }
}
