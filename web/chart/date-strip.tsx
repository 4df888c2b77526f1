import { useQuery } from '@tanstack/react-query'
import { aggregateQuery } from '#web/data/aggregate-query.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { bucketLabel, bucketRange } from '#web/rules/groups.ts'
import { FiguresTable } from '#web/chart/figures-table.tsx'
import css from '#web/chart/charts.module.css'

/** More are too thin to be seen: the last ones are drawn. */
const MOST = 60
export const BUCKETS = ['day', 'month', 'year'] as const
export type Bucket = (typeof BUCKETS)[number]
const HEIGHT = 64
const STEP = 10

interface DateStripProps {
  filter: Filter | null
  path: string
  bucket: Bucket
  /** A Date; else moments, gathered by the reader's days. */
  isDate: boolean
  asTable: boolean
  onFilter: (condition: Filter) => void
}

/** How many items are of each month; one of them is a condition. */
export function DateStrip({ filter, path, bucket, isDate, asTable, onFilter }: DateStripProps) {
  const { data } = useQuery(
    aggregateQuery({
      ...(filter && { filter: { ...filter } }),
      group_by: [{ by: path, bucket }],
      sort: [{ by: 'key', direction: 'desc' }],
      limit: MOST + 1,
    }),
  )
  const parts = (data?.groups ?? [])
    .flatMap(({ key: [key], count }) => (typeof key === 'string' ? [{ key, count }] : []))
    .toReversed()
    .slice(-MOST)
  const without = data?.groups.find(({ key }) => key[0] === null)?.count ?? 0
  const most = Math.max(1, ...parts.map(({ count }) => count))
  const only = (key: string) => {
    const range = bucketRange(key, !isDate)
    if (range) onFilter({ and: [{ [path]: { gte: range.from } }, { [path]: { lt: range.before } }] })
  }
  const first = parts[0]
  const last = parts.at(-1)
  if (asTable)
    return (
      <FiguresTable
        label="When"
        rows={parts.map(({ key, count }) => ({ name: bucketLabel(key), count, onPick: () => only(key) }))}
      />
    )
  return (
    <div>
      <svg
        className={css.strip}
        viewBox={`0 0 ${Math.max(parts.length, 1) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={
          first && last
            ? `${parts.length} ${bucket}s from ${bucketLabel(first.key)} to ${bucketLabel(last.key)}, at most ${most} items in one`
            : 'Nothing has a date'
        }
      >
        {parts.map(({ key, count }, i) => {
          const height = Math.max(2, (HEIGHT * count) / most)
          return (
            <rect
              key={key}
              className={css.month}
              x={i * STEP + 1}
              y={HEIGHT - height}
              width={STEP - 2}
              height={height}
              onClick={() => only(key)}
            >
              <title>{`${bucketLabel(key)}: ${count.toLocaleString()}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className={css.ends}>
        <span>{first && bucketLabel(first.key)}</span>
        <span>{without > 0 && `${without.toLocaleString()} without`}</span>
        <span>{last && last !== first && bucketLabel(last.key)}</span>
      </p>
    </div>
  )
}
