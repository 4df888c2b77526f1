import type { FilterPlan, ValueTest } from '#src/filter/plan.ts'

type RangePart = Extract<FilterPlan, { kind: 'field' | 'text' }> & {
  test: Extract<ValueTest, { test: 'range' }>
}

/**
 * Where one part bounds a value from below and another one from above: both as one part, which finds few items where
 * each of the two finds many. What it finds is a little more than the two when a bound has two spellings.
 */
export function spansOf(parts: readonly FilterPlan[]): FilterPlan[] {
  const ranges = Map.groupBy(parts.filter(isRange), subjectOf)
  return [...ranges.values()].flatMap((each) => {
    const from = each.find(({ test }) => test.lower)
    const to = each.find(({ test }) => test.upper)
    return from && to && from !== to ? [spanOf(from, to)] : []
  })
}

/** A MultiSelect may satisfy one bound with one variant and the other with another. */
const isRange = (part: FilterPlan): part is RangePart =>
  (part.kind === 'text' || (part.kind === 'field' && part.field.type !== 'MultiSelect')) &&
  part.test.test === 'range'

const subjectOf = (part: RangePart) => (part.kind === 'field' ? part.field.id : part.column)

function spanOf(from: RangePart, to: RangePart): FilterPlan {
  const { lower } = from.test
  const { upper } = to.test
  const span: FilterPlan = {
    ...from,
    test: { test: 'range', ...(lower && { lower }), ...(upper && { upper }) },
  }
  const values = [...(from.test.also ?? []), ...(to.test.also ?? [])]
  return values.length
    ? { kind: 'or', children: [span, { ...from, test: { test: 'one_of', values } }] }
    : span
}
