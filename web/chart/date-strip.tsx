import { useQuery } from '@tanstack/react-query'
import { Strip } from '#web/chart/strip.tsx'
import { aggregateQuery } from '#web/data/aggregate-query.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { bucketLabel, bucketsFilter } from '#web/rules/groups.ts'
import { FiguresTable } from '#web/chart/figures-table.tsx'

/** More are too thin to be seen: the last ones are drawn. */
const MOST = 60
export const BUCKETS = ['day', 'month', 'year'] as const
export type Bucket = (typeof BUCKETS)[number]

interface DateStripProps {
  filter: Filter | null
  path: string
  bucket: Bucket
  /** A Date; else moments, gathered by the reader's days. */
  isDate: boolean
  asTable: boolean
  onFilter: (condition: Filter) => void
}

/** How many items are of each month; one of them, or several in a row, are a condition. */
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
  const only = (first: string, last: string) => {
    const condition = bucketsFilter(path, first, last, !isDate)
    if (condition) onFilter(condition)
  }
  if (asTable)
    return (
      <FiguresTable
        label="When"
        rows={parts.map(({ key, count }) => ({
          name: bucketLabel(key),
          count,
          onPick: () => only(key, key),
        }))}
      />
    )
  return (
    <Strip
      key={bucket}
      label={`Columns by ${bucket}`}
      parts={parts.map(({ key, count }) => ({ key, count, name: bucketLabel(key) }))}
      note={without > 0 ? `${without.toLocaleString()} without` : ''}
      onPick={only}
    />
  )
}
