import type { FilterPlan } from '#src/filter/meaning/plan.ts'

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
