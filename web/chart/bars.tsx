import { useQuery } from '@tanstack/react-query'
import { aggregateQuery } from '#web/data/aggregate-query.ts'
import type { FieldColumn } from '#web/rules/column.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import {
  groupFilter,
  type GroupKey,
  groupLabel,
  groupsInOrder,
  isInOrder,
  pathOf,
} from '#web/rules/groups.ts'
import { lookOfVariant } from '#web/rules/variant-look.ts'
import { FiguresTable } from '#web/chart/figures-table.tsx'
import css from '#web/chart/charts.module.css'

/** Fewer are seen at once; the rest is counted as one. */
const MOST = 12
const WIDTH = 100

interface BarsProps {
  filter: Filter | null
  column: FieldColumn
  asTable: boolean
  onFilter: (condition: Filter) => void
}

/** How many items have each value; a bar is a condition. */
export function Bars({ filter, column, asTable, onFilter }: BarsProps) {
  const path = pathOf(column)
  const { data } = useQuery(
    aggregateQuery({
      ...(filter && { filter: { ...filter } }),
      group_by: [path],
      ...(isInOrder(column.field.type) && { sort: [{ by: 'key' as const }] }),
      limit: MOST,
    }),
  )
  if (!data) return <div className={css.waiting} />
  // In its own colour, where the variant has one.
  const hueOf = (key: GroupKey) =>
    typeof key === 'string' ? (lookOfVariant(column.field.schema, key).hue ?? undefined) : undefined
  const most = Math.max(1, ...data.groups.map(({ count }) => count))
  const bars = groupsInOrder(data.groups, column).map(({ key, count }) => ({
    key: key[0] as GroupKey,
    count,
  }))
  const keys = bars.map(({ key }) => key)
  if (asTable)
    return (
      <FiguresTable
        label={column.label}
        rows={bars.map(({ key, count }) => ({ name: groupLabel(key, column.field), count }))}
      />
    )
  return (
    <ul className={css.bars}>
      {bars.map(({ key, count }) => (
        <li key={JSON.stringify(key)} data-hue={hueOf(key)}>
          <button
            type="button"
            className={css.bar}
            title={`Only ${column.field.name}: ${groupLabel(key, column.field)}`}
            onClick={() => onFilter(groupFilter(path, key, column.field.type, keys))}
          >
            <span className={css.name}>{groupLabel(key, column.field)}</span>
            <svg viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" className={css.track} aria-hidden>
              <rect width={(WIDTH * count) / most} height="10" className={css.filled} />
            </svg>
            <span className={css.figure}>{count.toLocaleString()}</span>
          </button>
        </li>
      ))}
      {data.truncated && <li className={css.more}>{data.total_groups - bars.length} more values</li>}
    </ul>
  )
}
