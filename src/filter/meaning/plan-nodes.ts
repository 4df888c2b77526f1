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

/** The parts that all have to be true. */
export const conjunctsOf = (plan: FilterPlan): readonly FilterPlan[] =>
  plan.kind === 'and' ? plan.children : plan.kind === 'always' ? [] : [plan]

/** Whether what is true of an item follows from the item alone, and not from items that it refers to or that refer to it. */
export function readsOwnItem(plan: FilterPlan): boolean {
  switch (plan.kind) {
    case 'and':
    case 'or':
      return plan.children.every(readsOwnItem)
    case 'not':
      return readsOwnItem(plan.child)
    case 'hop':
    case 'referred':
      return false
    case 'field':
      return plan.test.test !== 'dangling'
    case 'text':
    case 'search':
    case 'values':
    case 'any':
    case 'has_tag':
    case 'tagged':
    case 'changed':
    case 'id':
    case 'items':
    case 'always':
    case 'never':
      return true
  }
}
