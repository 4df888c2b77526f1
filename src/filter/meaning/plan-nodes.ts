import type { FilterPlan } from '#src/filter/meaning/plan.ts'

/** What a node is made of; a leaf of nothing. */
export function partsOf(plan: FilterPlan): readonly FilterPlan[] {
  switch (plan.kind) {
    case 'and':
    case 'or':
      return plan.children
    case 'not':
      return [plan.child]
    case 'hop':
      return [plan.target]
    case 'referred':
      return [plan.filter]
    default:
      return []
  }
}

/** A plan with all nodes in it. */
export const nodesOf = (plan: FilterPlan): FilterPlan[] => [plan, ...partsOf(plan).flatMap(nodesOf)]

/** The plan with each leaf replaced, one after the other. */
export async function mapLeaves(
  plan: FilterPlan,
  by: (leaf: FilterPlan) => FilterPlan | Promise<FilterPlan>,
): Promise<FilterPlan> {
  const parts: FilterPlan[] = []
  for (const each of partsOf(plan)) parts.push(await mapLeaves(each, by))
  switch (plan.kind) {
    case 'and':
    case 'or':
      return { kind: plan.kind, children: parts }
    case 'not':
      return { kind: 'not', child: parts[0]! }
    case 'hop':
      return { ...plan, target: parts[0]! }
    case 'referred':
      return { ...plan, filter: parts[0]! }
    default:
      return by(plan)
  }
}
