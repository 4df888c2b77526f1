import { usePathValue } from '#web/data/path-values.ts'
import { eachOf } from '#web/rules/cell-value.ts'
import type { PathColumn } from '#web/rules/column.ts'
import { CellView } from '#web/table/cell-view.tsx'
import css from '#web/table/cell-view.module.css'

/** What lies behind a reference, as it looks where it is stored. */
export function PathView({ item_id, column }: { item_id: string; column: PathColumn }) {
  const value = usePathValue(item_id, column)
  if (value === undefined) return <span className={css.waiting} />
  return (
    <span className={css.list}>
      {eachOf(column, value).map((each, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- values have no name but their place
        <CellView key={i} column={column.last} value={each} />
      ))}
    </span>
  )
}
