import type { BoundFilter, BoundLeaf, FieldReference } from '#src/filter/meaning/bound-filter.ts'

/** One condition of a filter: a leaf, or what a `not` makes of one. */
export interface Condition {
  filter: BoundFilter
  leaf: BoundLeaf
}

/** The conditions of a filter in the order in which they are written; `and`, `or` and `not` around several fall away. */
export function conditionsOf(filter: BoundFilter): Condition[] {
  if ('children' in filter) return filter.children.flatMap(conditionsOf)
  if (!('child' in filter)) return [{ filter, leaf: filter }]
  const { child } = filter
  return 'children' in child || 'child' in child ? conditionsOf(child) : [{ filter, leaf: child }]
}

/** The fields that a leaf speaks of: each hop's and the last one's, and those of a filter of what refers. */
export function fieldsOf(leaf: BoundLeaf): FieldReference[] {
  switch (leaf.kind) {
    case 'field':
      return [leaf.reference]
    case 'hop':
      return [leaf.reference, ...fieldsOf(leaf.target)]
    case 'reverse':
      return leaf.filter ? conditionsOf(leaf.filter).flatMap((condition) => fieldsOf(condition.leaf)) : []
    case 'search':
    case 'changed':
    case 'has_tag':
    case 'column':
      return []
  }
}
