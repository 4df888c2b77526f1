import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import type { Db } from '#src/sql/query.ts'
import {
  type Aggregate,
  countParts,
  idsOfGroups,
  MAX_IDS,
  type Wanted,
} from '#src/storage/aggregate/aggregate.ts'
import type { PartOfBase } from '#src/storage/aggregate/deleted-on-paths.ts'
import { writeMetric } from '#src/storage/aggregate/aggregate-columns.ts'
import type { CountedValue } from '#src/storage/aggregate/metric-values.ts'
import { type GroupKey, hasItemKeys, pathsOfKey } from '#src/storage/aggregate/group-key.ts'
import { type Group, Groups } from '#src/storage/aggregate/groups.ts'
import type { Metric } from '#src/storage/aggregate/metric.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import { copyEnds } from '#src/storage/past/copy-referred.ts'
import { goesByUpdate, namedTags } from '#src/storage/past/named-tags.ts'
import { oneOf, readyFor, splitPlan, untouched } from '#src/storage/past/split-plan.ts'
import type { PastBase } from '#src/storage/past/past-base.ts'
import { these } from '#src/storage/words/settle-any.ts'

export interface PastAggregate extends Aggregate {
  /** Two bases and what of each satisfies the plan. */
  parts: readonly PartOfBase[]
  idsOf(groups: readonly Group[]): Promise<Map<Group, string[]>>
}

/**
 * The items that satisfied a plan at a moment, counted by their keys. `answer` is called as long as the base of then
 * has what the keys refer to.
 */
export async function aggregatePast<T>(
  base: Db,
  past: PastBase,
  wanted: Wanted,
  answer: (found: PastAggregate) => Promise<T>,
): Promise<T> {
  const { plan, keys, metrics } = wanted
  const paths = [...keys.flatMap(pathsOfKey), ...metrics.flatMap(pathOfMetric)]
  const byTime = keys.some(({ source }) => source.kind === 'time' && source.column === 'updated_at')
  await past.widen(base, namedTags(past, plan, byTime ? BY_UPDATED : undefined, paths.flatMap(fieldsOf)))
  if (byTime || goesByUpdate(plan)) await past.needExact(base)
  await readyFor(base, past, plan, { fields: paths.flatMap(fieldsOf).map(({ id }) => id) })
  for (const path of paths) await addReferring(base, past, path)
  const split = await splitPlan(base, past, plan)
  const ofPast = await matchingItems(past.db, split.past)
  return past.aside(async () => {
    for (const path of paths) await copyEnds(base, past, path, ofPast)
    const parts: PartOfBase[] = [
      { db: base, plan: untouched(split.base, past) },
      { db: past.db, plan: these(ofPast) },
    ]
    const found = await aggregateParts(parts, wanted)
    for (const [i, key] of keys.entries()) await copyKeys(base, past, key, i, found.groups)
    return answer(found)
  })
}

const BY_UPDATED = { keys: [{ column: 'updated_at', descending: false }], descending: false } as const

const pathOfMetric = (metric: Metric): ValuePath[] => (metric.of === 'count' ? [] : [metric.path])
const fieldsOf = (path: ValuePath): BoundField[] => [
  ...path.hops,
  ...(path.kind === 'field' ? [path.field] : []),
]

/** Items of the base from which a path leads to what has been touched are read from the log too. */
async function addReferring(base: Db, past: PastBase, { hops }: ValuePath): Promise<void> {
  let reached: readonly number[] = past.touchedIds
  for (const hop of hops.toReversed()) {
    const referring = await matchingItems(base, untouched(oneOf(hop, reached), past))
    reached = [...past.touchedIds, ...referring]
  }
  if (hops.length) await past.add(base, reached)
}

async function copyKeys(
  base: Db,
  past: PastBase,
  key: GroupKey,
  at: number,
  groups: readonly Group[],
): Promise<void> {
  if (!hasItemKeys(key)) return
  await past.copy(
    base,
    groups.flatMap(({ keys }) => (keys[at] === null ? [] : Number(keys[at]))),
  )
}

async function aggregateParts(parts: readonly PartOfBase[], wanted: Wanted): Promise<PastAggregate> {
  const { keys, metrics, time_zone } = wanted
  const groups = new Groups(keys, time_zone)
  let total_items = 0
  const values: CountedValue[][] = metrics.map(() => [])
  for (const { db, plan } of parts) {
    const counted = await countParts(db, { ...wanted, plan: { ...plan } }, groups)
    total_items += counted.total
    for (const [at, some] of counted.values.entries()) for (const each of some) values[at]!.push(each)
  }
  for (const [at, metric] of metrics.entries()) writeMetric(metric, values[at]!, groups, at)
  return {
    groups: groups.all(metrics.length),
    total_items,
    parts,
    async idsOf(some) {
      const ids = new Map(some.map((group) => [group, [] as string[]]))
      for (const { db, plan } of parts)
        for (const [group, own] of await idsOfGroups(db, { ...wanted, plan: { ...plan } }, some))
          ids.get(group)!.push(...own)
      for (const list of ids.values()) list.splice(0, list.length, ...list.toSorted().slice(0, MAX_IDS))
      return ids
    },
  }
}
