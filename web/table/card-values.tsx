import type { Row } from '#web/data/row-source.ts'
import { cellValue } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { isOpenAt } from '#web/rules/variant-look.ts'
import { CellView } from '#web/table/cell-view.tsx'
import css from '#web/table/card-values.module.css'

/** Under the name. */
const FIELDS = 3

interface CardValuesProps {
  row: Row
  columns: readonly Column[]
  /** Where the values say by themselves what they are, their names are for screen readers alone. */
  quiet?: boolean
  id?: string
}

/** The first values of an item, on a card; what is empty takes no room, and quietly neither does a no. */
export function CardValues({ row, columns, quiet = false, id }: CardValuesProps) {
  const filled = columns
    .filter((column) => {
      const value = cellValue(column, row)
      return value !== null && !(Array.isArray(value) && !value.length) && !(quiet && value === false)
    })
    .slice(0, FIELDS)
  if (!filled.length) return null
  return (
    <span id={id} className={css.values} data-quiet={quiet || undefined}>
      {filled.map((column) => (
        <span key={column.key} className={css.value} title={column.label}>
          <small className={quiet && !isBare(column) ? css.spoken : undefined}>{column.label}</small>
          <CellView column={column} value={cellValue(column, row)} isOpen={isOpenAt(column, row)} inButton />
        </span>
      ))}
    </span>
  )
}

/** A number or a tick alone says nothing. */
const isBare = (column: Column) =>
  column.kind === 'field' && (column.field.type === 'Number' || column.field.type === 'Boolean')
