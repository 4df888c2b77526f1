import type { FilterPlan } from '#src/filter/meaning/plan.ts'

/** Whether a condition looks at the item's own row, not only at its row id. */
export function readsRow(plan: FilterPlan): boolean {
  switch (plan.kind) {
    case 'text':
    case 'changed':
      return true
    case 'and':
    case 'or':
      return plan.children.some(readsRow)
    case 'not':
      return readsRow(plan.child)
    case 'items':
    case 'id':
    case 'has_tag':
    case 'tagged':
    case 'search':
    case 'values':
    case 'any':
    case 'field':
    case 'hop':
    case 'referred':
    case 'always':
    case 'never':
      return false
  }
}
