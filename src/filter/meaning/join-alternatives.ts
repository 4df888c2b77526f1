import type { FilterPlan } from '#src/filter/meaning/plan.ts'

/**
 * Of alternatives (`or`) those that look for values of the same field, and those that look for tags, become one test
 * of all their values: one look into the index in place of many.
 */
export function joinAlternatives(alternatives: readonly FilterPlan[]): FilterPlan[] {
  const joined = new Map<string, FilterPlan>()
  for (const [i, each] of alternatives.entries()) {
    const key = subjectOf(each) ?? `other ${i}`
    const known = joined.get(key)
    joined.set(key, known ? union(known, each) : each)
  }
  return [...joined.values()]
}

function subjectOf(plan: FilterPlan): string | undefined {
  if (plan.kind === 'has_tag') return 'tags'
  return plan.kind === 'field' && plan.test.test === 'one_of' ? `field ${plan.field.id}` : undefined
}

function union(left: FilterPlan, right: FilterPlan): FilterPlan {
  if (left.kind === 'has_tag' && right.kind === 'has_tag')
    return { ...left, tags: distinct(left.tags, right.tags) }
  if (
    left.kind !== 'field' ||
    left.test.test !== 'one_of' ||
    right.kind !== 'field' ||
    right.test.test !== 'one_of'
  )
    throw new Error('only tests of one subject can be joined')
  return { ...left, test: { test: 'one_of', values: distinct(left.test.values, right.test.values) } }
}

const distinct = <T>(left: readonly T[], right: readonly T[]): T[] => [...new Set([...left, ...right])]
