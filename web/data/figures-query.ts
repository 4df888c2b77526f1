import { useQuery } from '@tanstack/react-query'
import { aggregateQuery } from '#web/data/aggregate-query.ts'
import { type ColumnTag, columnsOf, type FieldColumn } from '#web/rules/column.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { sayFigure } from '#web/rules/shown-value.ts'
import { pathOf } from '#web/rules/groups.ts'

/** The service works out ten in one call, and each column takes two. */
const MOST = 5

const isNumber = (column: ReturnType<typeof columnsOf>[number]): column is FieldColumn =>
  column.kind === 'field' && column.field.type === 'Number'

/** Sum and average of the Number columns, by their key. */
export function useFigures(
  filter: Filter | null,
  tags: readonly ColumnTag[],
  enabled: boolean,
): ReadonlyMap<string, string> | undefined {
  const columns = columnsOf(tags).filter(isNumber).slice(0, MOST)
  const metrics = columns.flatMap((column) => [{ sum: pathOf(column) }, { avg: pathOf(column) }])
  const { data } = useQuery({
    ...aggregateQuery({ ...(filter && { filter: { ...filter } }), metrics }),
    enabled: enabled && columns.length > 0,
  })
  const [all] = data?.groups ?? []
  if (!enabled || !all) return undefined
  return new Map(
    columns.map(({ key, field: { schema } }, i) => {
      const [sum, average] = [all.metrics[2 * i], all.metrics[2 * i + 1]]
      return [
        key,
        typeof average === 'number'
          ? `Σ ${typeof sum === 'number' ? sayFigure(schema, sum, say) : 'too large'}\n⌀ ${sayFigure(schema, average, say)}`
          : '',
      ]
    }),
  )
}

/** From here on digits would be cut by the column. */
const LARGE = 10_000_000

const say = (figure: number): string =>
  figure.toLocaleString(
    undefined,
    Math.abs(figure) < LARGE
      ? { maximumFractionDigits: 2 }
      : { notation: 'compact', maximumSignificantDigits: 6 },
  )
