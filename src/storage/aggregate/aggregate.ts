import { type RawBuilder, sql } from 'kysely'
import { badRequest } from '#src/domain/errors.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { isMulti } from '#src/filter/meaning/value-path.ts'
import { type GroupKey, isInZone, pathsOfKey } from '#src/storage/aggregate/group-key.ts'
import { aggregateColumns, countColumns } from '#src/storage/aggregate/aggregate-columns.ts'
import { aggregateTags } from '#src/storage/aggregate/aggregate-tags.ts'
import { type ItemRows, keyRows, withGroups } from '#src/storage/aggregate/group-sql.ts'
import { Group, Groups } from '#src/storage/aggregate/groups.ts'
import type { Metric } from '#src/storage/aggregate/metric.ts'
import {
  type Aggregation,
  type CountedValue,
  countedValues,
  keyColumns,
  type KeyedRow,
  keyNames,
  metricValues,
} from '#src/storage/aggregate/metric-values.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { matchingRows } from '#src/storage/search/matching-items.ts'

/** More groups than these are not worked out: nobody reads them, and they would fill the memory. */
export const MAX_GROUPS = 200_000
/** Ids that a group can name. */
export const MAX_IDS = 100

export interface Wanted {
  plan: FilterPlan
  keys: readonly GroupKey[]
  metrics: readonly Metric[]
  /** The zone in which moments have their day: a name of IANA's. */
  time_zone: string
}

export interface Aggregate {
  groups: Group[]
  total_items: number
}

/** The items that satisfy the plan, counted by their keys. Additions §7; nothing but the value index is read. */
export async function aggregate(db: Db, wanted: Wanted): Promise<Aggregate> {
  const { keys, metrics, time_zone } = wanted
  const plan = await settlePlan(db, wanted.plan)
  if (plan.kind === 'never') return { groups: ofNothing(keys, metrics), total_items: 0 }
  const byTags = new Groups(keys, time_zone)
  const tagged = await aggregateTags(db, { plan, keys, metrics }, byTags)
  if (tagged !== undefined) return { groups: byTags.all(0), total_items: tagged }
  const byColumns = new Groups(keys, time_zone)
  const done = await aggregateColumns(db, { ...wanted, plan, most: MAX_GROUPS }, byColumns)
  if (done === 'too many') throw tooManyGroups()
  if (done) return { groups: byColumns.all(metrics.length), total_items: done.total }
  return aggregateRows(db, { ...wanted, plan })
}

/** By statements over the rows of the index. */
async function aggregateRows(db: Db, { plan, keys, metrics, time_zone }: Wanted): Promise<Aggregate> {
  const items = await matchingRows(db, plan)
  if (items === 'none') return { groups: ofNothing(keys, metrics), total_items: 0 }
  const rows = keys.map((key) => keyRows(key, isInZone(key, time_zone), db))
  const groups = new Groups(keys, time_zone)
  const aggregation: Aggregation = { db, items, keys, rows, groups }
  const total_items = await countItemRows(db, items)
  if (!keys.length) groups.add([], total_items)
  else if (!items && keys.length === 1 && !isTime(keys[0]!)) await countValues(aggregation, total_items)
  else await countCombinations(aggregation)
  for (const [i, metric] of metrics.entries()) await metricValues(aggregation, metric, i)
  return { groups: groups.all(metrics.length), total_items }
}

const isTime = ({ source }: GroupKey) => source.kind === 'time'

/** Counts the items of a plan into groups that may have others already; how many they are, and the values of metrics. */
export async function countParts(
  db: Db,
  wanted: Wanted,
  groups: Groups,
): Promise<{ total: number; values: CountedValue[][] }> {
  const plan = await settlePlan(db, wanted.plan)
  const { keys, metrics } = wanted
  const byColumns =
    plan.kind === 'never' ? undefined : await countColumns(db, { ...wanted, plan, most: MAX_GROUPS }, groups)
  if (byColumns === 'too many') throw tooManyGroups()
  if (byColumns) return byColumns
  const aggregation = await aggregationOf(db, { ...wanted, plan }, groups)
  const total = aggregation ? await countItemRows(db, aggregation.items) : 0
  if (!keys.length) groups.add([], total)
  else if (aggregation) await countCombinations(aggregation)
  const values: CountedValue[][] = []
  for (const metric of metrics)
    values.push(aggregation && metric.of !== 'count' ? await countedValues(aggregation, metric) : [])
  return { total, values }
}

async function aggregationOf(
  db: Db,
  { plan, keys, time_zone }: Pick<Wanted, 'plan' | 'keys' | 'time_zone'>,
  groups: Groups,
): Promise<Aggregation | undefined> {
  const items = await matchingRows(db, plan)
  if (items === 'none') return undefined
  const rows = keys.map((key) => keyRows(key, isInZone(key, time_zone), db))
  return { db, items, keys, rows, groups }
}

/** Without keys there is one group, also of no items; with keys there is none. */
function ofNothing(keys: readonly GroupKey[], metrics: readonly Metric[]): Group[] {
  if (keys.length) return []
  const group = new Group([], 0)
  for (const { of } of metrics) group.metrics.push(of === 'count' || of === 'count_distinct' ? 0 : null)
  return [group]
}

type CountedRow = KeyedRow & { n: number }

async function countCombinations({ db, items, keys, rows, groups }: Aggregation): Promise<void> {
  const columns = keyColumns(keys)
  const statement = sql<CountedRow>`${withGroups(db.dialect, items, rows)} select ${columns}, count(*) as n from r group by ${columns} limit ${MAX_GROUPS + 1}`
  const found = await db.select<CountedRow>(statement.compile(db.dialect.builder))
  refuseMany(found.length)
  const names = keyNames(keys)
  for (const row of found)
    groups.add(
      names.map((name) => row[name] ?? null),
      row.n,
    )
}

/** One key of all items: its index has the groups side by side, and what is left has none. */
async function countValues({ db, keys, rows, groups }: Aggregation, total: number): Promise<void> {
  const [key] = keys
  const goesOn = db.dialect.filter.goesOn(sql`g.item`, 1)
  const all = sql`from (${rows[0]!.rows(undefined)}) g${goesOn ? sql` where ${goesOn}` : sql``}`
  const statement = sql<CountedRow>`select g.key as k0, count(*) as n ${all} group by g.key limit ${MAX_GROUPS + 1}`
  const found = await db.select<CountedRow>(statement.compile(db.dialect.builder))
  refuseMany(found.length)
  let keyed = 0
  for (const { k0, n } of found) {
    groups.add([k0!], n)
    keyed += n
  }
  const several = key!.source.kind === 'has_tag' || pathsOfKey(key!).some(isMulti)
  const having = several
    ? await count(db, sql<{ n: number }>`select count(distinct g.item) as n ${all}`)
    : keyed
  if (total > having) groups.add([null], total - having)
}

function refuseMany(groups: number): void {
  if (groups > MAX_GROUPS) throw tooManyGroups()
}

const tooManyGroups = () =>
  badRequest(`There are more than ${MAX_GROUPS} groups`, {
    suggestion: 'Narrow the items by a filter, or group by a bucket or a width',
  })

async function count(db: Db, statement: RawBuilder<{ n: number }>): Promise<number> {
  const [row] = await db.select<{ n: number }>(statement.compile(db.dialect.builder))
  return row!.n
}

const countItemRows = (db: Db, items: ItemRows): Promise<number> =>
  count(
    db,
    items
      ? sql<{ n: number }>`select count(*) as n from (${items}) m`
      : sql<{ n: number }>`select count(*) as n from item i where i.deleted_at is null`,
  )

/** The first items of each of these groups, oldest first. */
export async function idsOfGroups(
  db: Db,
  { plan, keys, time_zone }: Pick<Wanted, 'plan' | 'keys' | 'time_zone'>,
  groups: readonly Group[],
): Promise<Map<Group, string[]>> {
  const ids = new Map(groups.map((group) => [group, [] as string[]]))
  const items = await matchingRows(db, plan)
  if (items === 'none') return ids
  const rows = keys.map((key) => keyRows(key, isInZone(key, time_zone), db))
  const same = new Groups(keys, time_zone)
  const byName = new Map(groups.map((group) => [group.name, group]))
  const names = keyNames(keys)
  const window = keys.length ? sql`partition by ${keyColumns(keys)} order by r.item` : sql`order by r.item`
  const columns = keys.length ? sql`, ${keyColumns(keys)}` : sql``
  const statement = sql<
    CountedRow & { item_id: string }
  >`${withGroups(db.dialect, items, rows)}, w as (select r.item${columns}, row_number() over (${window}) as place from r) select i.item_id as item_id${
    keys.length ? sql`, ${sql.join(names.map((name) => sql.raw(`w.${name}`)))}` : sql``
  } from w cross join item i where i.id = w.item and w.place <= ${MAX_IDS} order by w.item`
  for (const row of await db.select<CountedRow & { item_id: string }>(
    statement.compile(db.dialect.builder),
  )) {
    const group = byName.get(same.nameOf(names.map((name) => row[name] ?? null)))
    const list = group && ids.get(group)!
    if (list && list.length < MAX_IDS) list.push(row.item_id)
  }
  return ids
}
