import { isMany } from '#src/domain/field-schema.ts'
import type { FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'

type RangePart = Extract<FilterPlan, { kind: 'field' | 'text' }> & {
  test: Extract<ValueTest, { test: 'range' }>
}

/**
 * Parts that are all true, where one bounds a value from below and another from above: both become one, which finds
 * few items where each of the two finds many.
 */
export function joinRanges(parts: readonly FilterPlan[]): FilterPlan[] {
  const joined: FilterPlan[] = []
  const taken = new Set<FilterPlan>()
  for (const each of Map.groupBy(parts.filter(isRange), rangedKey).values()) {
    const from = each.find(({ test }) => test.lower)
    const to = each.find(({ test }) => test.upper)
    if (!from?.test.lower || !to?.test.upper || from === to) continue
    joined.push({ ...from, test: { test: 'range', lower: from.test.lower, upper: to.test.upper } })
    taken.add(from).add(to)
  }
  return [...joined, ...parts.filter((part) => !taken.has(part))]
}

/**
 * A field of several values may satisfy one bound with one of them and the other with another; a midnight in two spellings is no
 * plain range.
 */
const isRange = (part: FilterPlan): part is RangePart =>
  (part.kind === 'text' || (part.kind === 'field' && !isMany(part.field.type))) &&
  part.test.test === 'range' &&
  !part.test.also &&
  !part.test.except

const rangedKey = (part: RangePart) => (part.kind === 'field' ? part.field.id : part.column)
