import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import type { Db } from '#src/sql/query.ts'
import type { CountedValue } from '#src/storage/aggregate/metric-values.ts'
import { type ColumnGroups, countValues, digitsOf, groupRows } from '#src/storage/aggregate/column-groups.ts'
import { metricOfCounts } from '#src/storage/aggregate/column-metrics.ts'
import { type GroupKey, isInZone } from '#src/storage/aggregate/group-key.ts'
import type { Group, Groups } from '#src/storage/aggregate/groups.ts'
import type { Metric } from '#src/storage/aggregate/metric.ts'
import { sightOf } from '#src/storage/sight/sight.ts'
import { Columns } from '#src/storage/columns/columns.ts'
import { codesAt, hasCodes, type PathCodes } from '#src/storage/columns/path-codes.ts'
import { fitsColumns, type Mask, maskOf } from '#src/storage/columns/plan-mask.ts'
import { isSelective } from '#src/storage/search/strategy.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'

type FieldPath = ValuePath & { kind: 'field' }

interface Wanted {
  plan: FilterPlan
  keys: readonly GroupKey[]
  metrics: readonly Metric[]
  time_zone: string
  /** More groups are refused. */
  most: number
}

/**
 * Groups and metrics over columns: every item is looked at, a few nanoseconds each. Fills `groups` and gives the number
 * of items. Undefined where the statements are to do it: columns are missing, or few items satisfy the plan.
 */
export async function aggregateColumns(
  db: Db,
  wanted: Wanted,
  groups: Groups,
): Promise<{ total: number } | 'too many' | undefined> {
  const counted = await countColumns(db, wanted, groups)
  if (typeof counted !== 'object') return counted
  for (const [at, metric] of wanted.metrics.entries()) writeMetric(metric, counted.values[at]!, groups, at)
  return counted
}

interface Counts {
  total: number
  /** For each metric, how often each value is in each group. */
  values: CountedValue[][]
}

/** The same without the metrics: what they are worked out from. */
export async function countColumns(
  db: Db,
  { plan, keys, metrics, time_zone, most }: Wanted,
  groups: Groups,
): Promise<Counts | 'too many' | undefined> {
  // Columns follow references to items that are not seen, too.
  if (sightOf(db) && (keys.some(({ source }) => hasHops(source)) || metrics.some(followsHops)))
    return undefined
  if (!db.committed || !keys.every(hasKeyCodes) || !metrics.every(hasMetricCodes)) return undefined
  if (await isSelective(db, plan)) return undefined
  const columns = await Columns.of(db)
  if (!columns) return undefined
  const mask = await itemsMask(db, columns, plan)
  const keyCodes = await all(
    keys.map(
      ({ source }) =>
        () =>
          codesAt(columns, source as FieldPath),
    ),
  )
  const valueCodes = await all(
    metrics.map(
      (metric) => async (): Promise<(() => PathCodes | undefined) | undefined> =>
        metric.of === 'count' ? () => undefined : codesAt(columns, metric.path),
    ),
  )
  if (!mask || !keyCodes || !valueCodes || !columns.areCurrent) return undefined
  const digits = keyCodes.map((codes, i) => digitsOf(codes(), keys[i]!, isInZone(keys[i]!, time_zone)))
  const found = groupRows(mask(), digits, most)
  if (!found) return 'too many'
  const named = addTo(groups, found, keys.length)
  const values = valueCodes.map((codes) => countedIn(codes(), found, named))
  return { total: found.groups.reduce((sum, { count }) => sum + count, 0), values }
}

const hasKeyCodes = ({ source }: GroupKey) => source.kind === 'field' && hasCodes(source)
const hasMetricCodes = (metric: Metric) => metric.of === 'count' || hasCodes(metric.path)

const hasHops = (source: GroupKey['source']) =>
  (source.kind === 'field' || source.kind === 'name') && source.hops.length > 0
const followsHops = (metric: Metric) => metric.of !== 'count' && hasHops(metric.path)

/** One after the other: what they read is read on one connection. */
async function all<T>(makers: readonly (() => Promise<T | undefined>)[]): Promise<T[] | undefined> {
  const made: T[] = []
  for (const make of makers) {
    const each = await make()
    if (each === undefined) return undefined
    made.push(each)
  }
  return made
}

/** What columns do not have the database finds: the items that satisfy the plan. */
async function itemsMask(db: Db, columns: Columns, plan: FilterPlan): Promise<(() => Mask) | undefined> {
  if (fitsColumns(plan)) return maskOf(columns, plan)
  const items = await matchingItems(db, plan)
  return maskOf(columns, { kind: 'items', items })
}

/** By the groups' numbers there, what they are part of: several can be one. */
function addTo(groups: Groups, { groups: found }: ColumnGroups, ofKeys: number): Group[] {
  // Without keys there is one group, also of no items.
  return ofKeys ? groups.addAll(found) : [groups.add([], found[0]?.count ?? 0)]
}

function countedIn(
  codes: PathCodes | undefined,
  found: ColumnGroups,
  named: readonly Group[],
): CountedValue[] {
  if (!codes) return []
  return countValues(found, codes).map(({ group, value, count }) => ({ group: named[group]!, value, count }))
}

/** Of all groups. */
export function writeMetric(
  metric: Metric,
  counted: readonly CountedValue[],
  groups: Groups,
  at: number,
): void {
  if (metric.of === 'count') {
    for (const group of groups.all(0)) group.metrics[at] = group.count
    return
  }
  for (const [group, value] of metricOfCounts(metric, counted)) group.metrics[at] = value
  for (const group of groups.all(0)) group.metrics[at] ??= metric.of === 'count_distinct' ? 0 : null
}
