import type { BoundField } from '#src/filter/meaning/plan.ts'
import { ExactSum } from '#src/storage/aggregate/exact-sum.ts'
import type { Group, MetricValue } from '#src/storage/aggregate/groups.ts'
import type { Metric } from '#src/storage/aggregate/metric.ts'
import { compareValues } from '#src/storage/columns/value-holds.ts'

interface Counted {
  readonly group: Group
  readonly value: string | number
  readonly count: number
}

/** A metric of the groups that have a value, from how often each value is in each. */
export function metricOfCounts(
  { of, path }: Extract<Metric, { path: unknown }>,
  counted: readonly Counted[],
): Map<Group, MetricValue> {
  switch (of) {
    case 'sum':
    case 'avg':
      return sums(counted, of === 'avg')
    case 'min':
    case 'max':
      return extremes(counted, path.field, of === 'min')
    case 'count_distinct':
      return distinct(counted)
  }
}

function sums(counted: readonly Counted[], isAverage: boolean): Map<Group, MetricValue> {
  const totals = new Map<Group, { sum: ExactSum; n: number }>()
  for (const { group, value, count } of counted) {
    let total = totals.get(group)
    if (!total) totals.set(group, (total = { sum: new ExactSum(), n: 0 }))
    total.sum.addTimes(Number(value), count)
    total.n += count
  }
  return new Map([...totals].map(([group, { sum, n }]) => [group, isAverage ? sum.mean(n) : sum.value]))
}

/** A Select's are in the order of its variants; one that the schema has no longer is none. */
function extremes(counted: readonly Counted[], field: BoundField, least: boolean): Map<Group, MetricValue> {
  const isSelect = field.type === 'Select'
  const positions = new Map(field.variants.map((variant, i) => [variant, i]))
  const rankOf = (value: string | number) => (isSelect ? positions.get(String(value)) : value)
  const best = new Map<Group, { value: string | number; rank: string | number }>()
  for (const { group, value } of counted) {
    const rank = rankOf(value)
    const known = best.get(group)
    if (rank === undefined) continue
    const order = known ? compareValues(rank, known.rank) : 0
    if (!known || (least ? order < 0 : order > 0)) best.set(group, { value, rank })
  }
  return new Map([...best].map(([group, { value }]) => [group, value]))
}

function distinct(counted: readonly Counted[]): Map<Group, MetricValue> {
  const values = new Map<Group, Set<string | number>>()
  for (const { group, value } of counted) {
    const known = values.get(group)
    if (known) known.add(value)
    else values.set(group, new Set([value]))
  }
  return new Map([...values].map(([group, { size }]) => [group, size]))
}
