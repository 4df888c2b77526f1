import { type RawBuilder, sql } from 'kysely'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { ExactSum } from '#src/storage/aggregate/exact-sum.ts'
import type { GroupKey } from '#src/storage/aggregate/group-key.ts'
import { type ItemRows, type KeyRows, valueRows, withGroups } from '#src/storage/aggregate/group-sql.ts'
import type { Group, Groups, MetricValue, RawKey } from '#src/storage/aggregate/groups.ts'
import type { Metric, MetricFunction } from '#src/storage/aggregate/metric.ts'
import { compareValues } from '#src/storage/columns/value-holds.ts'

type FieldMetric = Extract<Metric, { path: unknown }>

/** Whole numbers are summed in two parts, so that neither is rounded, however many there are. */
const PART = 2 ** 27

/** Works out a metric for every group and writes it under its number. */
export async function metricValues(aggregation: Aggregation, metric: Metric, at: number): Promise<void> {
  if (metric.of === 'count') {
    for (const group of aggregation.groups.all(0)) group.metrics[at] = group.count
    return
  }
  const write = (group: Group, value: MetricValue) => {
    group.metrics[at] = value
  }
  await WAYS[metric.of](aggregation, metric, write)
  // A group of which no item has a value.
  for (const group of aggregation.groups.all(0))
    group.metrics[at] ??= metric.of === 'count_distinct' ? 0 : null
}

type Way = (
  aggregation: Aggregation,
  metric: FieldMetric,
  write: (group: Group, value: MetricValue) => void,
) => Promise<void>

const WAYS: Record<MetricFunction, Way> = {
  sum: (aggregation, metric, write) =>
    sums(aggregation, metric, (group, { sum, n }) => write(group, n ? sum.value : null)),
  avg: (aggregation, metric, write) =>
    sums(aggregation, metric, (group, { sum, n }) => write(group, n ? sum.mean(n) : null)),
  min: extremes,
  max: extremes,
  count_distinct: distinctValues,
}

/** Rows of the groups and what `columns` makes of the values `r.x` of their items. */
async function grouped<Row>(
  { db, items, keys, rows }: Aggregation,
  { path }: FieldMetric,
  columns: RawBuilder<unknown>,
  {
    shape = (value) => value,
    where,
    by,
  }: {
    shape?: (value: RawBuilder<unknown>) => RawBuilder<unknown>
    where?: RawBuilder<unknown>
    /** Grouped by this as well. */
    by?: RawBuilder<unknown>
  } = {},
): Promise<(Row & KeyedRow)[]> {
  const groupBy = [...(keys.length ? [keyColumns(keys)] : []), ...(by ? [by] : [])]
  const select = keys.length ? sql`${keyColumns(keys)}, ${columns}` : columns
  const value = valueRows(path, shape, db)
  const statement = sql<
    Row & KeyedRow
  >`${withGroups(db.dialect, items, rows, value)} select ${select} from r${where ? sql` where ${where}` : sql``}${
    groupBy.length ? sql` group by ${sql.join(groupBy)}` : sql``
  }`
  return db.select(statement.compile(db.dialect.builder))
}

const rawKeys = (row: KeyedRow, { keys }: Aggregation): RawKey[] =>
  keyNames(keys).map((name) => row[name] ?? null)

/** One number for each group, however many of the database's groups it is. */
function collect<T>(
  aggregation: Aggregation,
  rows: readonly KeyedRow[],
  fresh: () => T,
  take: (total: T, row: never) => void,
): Map<Group, T> {
  const totals = new Map<Group, T>()
  for (const row of rows) {
    const group = aggregation.groups.find(rawKeys(row, aggregation))
    if (!group) continue
    let total = totals.get(group)
    if (total === undefined) totals.set(group, (total = fresh()))
    take(total, row as never)
  }
  return totals
}

interface Sum {
  sum: ExactSum
  n: number
}

interface WholeRow {
  n: number
  whole: number
  high: number
  low: number
}

/** Whole numbers are added by the database, in two parts that cannot overflow; what else there is, value by value. */
async function sums(
  aggregation: Aggregation,
  metric: FieldMetric,
  write: (group: Group, sum: Sum) => void,
): Promise<void> {
  const x = sql`r.x`
  const { isWhole, quotient, remainder } = aggregation.db.dialect.whole
  const whole = isWhole(x)
  const part = (value: RawBuilder<unknown>) => sql`coalesce(sum(case when ${whole} then ${value} end), 0)`
  const rows = await grouped<WholeRow>(
    aggregation,
    metric,
    sql`count(${x}) as n, count(case when ${whole} then 1 end) as whole, ${part(quotient(x, PART))} as high, ${part(remainder(x, PART))} as low`,
  )
  const totals = collect(
    aggregation,
    rows,
    (): Sum => ({ sum: new ExactSum(), n: 0 }),
    (total, { n, high, low }: WholeRow) => {
      total.n += n
      total.sum.addTimes(PART, high)
      total.sum.add(low)
    },
  )
  if (rows.some(({ n, whole: wholes }) => n > wholes)) await addFractions(aggregation, metric, totals)
  for (const [group, total] of totals) write(group, total)
}

async function addFractions(
  aggregation: Aggregation,
  metric: FieldMetric,
  totals: ReadonlyMap<Group, Sum>,
): Promise<void> {
  const x = sql`r.x`
  const fractions = await grouped<{ x: number; n: number }>(
    aggregation,
    metric,
    sql`${x} as x, count(*) as n`,
    {
      where: sql`${x} is not null and not ${aggregation.db.dialect.whole.isWhole(x)}`,
      by: x,
    },
  )
  for (const row of fractions)
    totals.get(aggregation.groups.find(rawKeys(row, aggregation))!)!.sum.addTimes(row.x, row.n)
}

/** A value with how often it is there, in its group. */
export interface CountedValue {
  group: Group
  value: string | number
  count: number
}

/** All values of a metric, by group. */
export async function countedValues(aggregation: Aggregation, metric: FieldMetric): Promise<CountedValue[]> {
  const rows = await grouped<{ x: string | number; n: number }>(
    aggregation,
    metric,
    sql`r.x as x, count(*) as n`,
    { where: sql`r.x is not null`, by: sql`r.x` },
  )
  return rows.flatMap((row) => {
    const group = aggregation.groups.find(rawKeys(row, aggregation))
    return group ? [{ group, value: row.x, count: row.n }] : []
  })
}

async function extremes(
  aggregation: Aggregation,
  metric: FieldMetric,
  write: (group: Group, value: MetricValue) => void,
): Promise<void> {
  const { field } = metric.path
  const { filter } = aggregation.db.dialect
  const shape =
    field.type === 'Select'
      ? (value: RawBuilder<unknown>) => filter.positionIn(value, field.variants)
      : undefined
  const least = metric.of === 'min'
  interface Extreme {
    x: string | number | null
  }
  const rows = await grouped<Extreme>(aggregation, metric, sql`${least ? sql`min` : sql`max`}(r.x) as x`, {
    ...(shape && { shape }),
  })
  const best = collect(
    aggregation,
    rows,
    (): Extreme => ({ x: null }),
    (total, { x }: Extreme) => {
      if (x !== null && (total.x === null || compareValues(x, total.x) * (least ? 1 : -1) < 0)) total.x = x
    },
  )
  for (const [group, { x }] of best) write(group, variantAt(field, x))
}

const variantAt = (field: BoundField, x: string | number | null): MetricValue =>
  field.type === 'Select' && x !== null ? field.variants[Number(x)]! : x

async function distinctValues(
  aggregation: Aggregation,
  metric: FieldMetric,
  write: (group: Group, value: MetricValue) => void,
): Promise<void> {
  interface Distinct {
    x: unknown
    n: number
  }
  if (!aggregation.groups.merges) {
    const rows = await grouped<Distinct>(aggregation, metric, sql`count(distinct r.x) as n`)
    const totals = collect(
      aggregation,
      rows,
      () => ({ n: 0 }),
      (total, { n }: Distinct) => {
        total.n = n
      },
    )
    for (const [group, { n }] of totals) write(group, n)
    return
  }
  const rows = await grouped<Distinct>(aggregation, metric, sql`r.x as x`, {
    where: sql`r.x is not null`,
    by: sql`r.x`,
  })
  const values = collect(
    aggregation,
    rows,
    () => new Set<unknown>(),
    (total, { x }: Distinct) => total.add(x),
  )
  for (const group of aggregation.groups.all(0)) write(group, values.get(group)?.size ?? 0)
}

/** What is known while one request is worked out. */
export interface Aggregation {
  readonly db: Db
  readonly items: ItemRows
  readonly keys: readonly GroupKey[]
  readonly rows: readonly KeyRows[]
  readonly groups: Groups
}

/** What a statement over groups answers: `k0`, `k1`, … in the order of `group_by`. */
export type KeyedRow = Record<`k${number}`, RawKey>

export const keyNames = (keys: readonly unknown[]) => keys.map((_, i) => `k${i}` as const)

export const keyColumns = (keys: readonly unknown[]): RawBuilder<unknown> =>
  sql.join(keyNames(keys).map((name) => sql.raw(`r.${name}`)))
