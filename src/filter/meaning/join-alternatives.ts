import type { FilterPlan } from '#src/filter/meaning/plan.ts'

/**
 * Of alternatives (`or`) those that look for values of the same field, and those that look for tags, become one test
 * of all their values: one look into the index in place of many.
 */
export function joinAlternatives(alternatives: readonly FilterPlan[]): FilterPlan[] {
  const groups = Map.groupBy(alternatives, (each) => subjectOf(each) ?? each)
  return [...groups.values()].map((group) => (group.length > 1 ? unionOf(group) : group[0]!))
}

function subjectOf(plan: FilterPlan): string | undefined {
  if (plan.kind === 'has_tag') return 'tags'
  return plan.kind === 'field' && plan.test.test === 'one_of' ? `field ${plan.field.id}` : undefined
}

/** Of plans with one subject. Gathered first and made distinct once: lists may be long, and many. */
function unionOf(group: readonly FilterPlan[]): FilterPlan {
  const [first] = group
  if (first?.kind === 'has_tag')
    return { ...first, tags: distinct(group.map((each) => (each.kind === 'has_tag' ? each.tags : []))) }
  if (first?.kind !== 'field') throw new Error('only tests of one subject can be joined')
  const values = distinct(group.map(valuesOf))
  return { ...first, test: { test: 'one_of', values } }
}

const valuesOf = (plan: FilterPlan) =>
  plan.kind === 'field' && plan.test.test === 'one_of' ? plan.test.values : []

const distinct = <T>(lists: readonly (readonly T[])[]): T[] => [...new Set(lists.flat())]
