import type { Column } from '#web/rules/column.ts'
import css from '#web/table/grid-foot.module.css'

interface GridFootProps {
  columns: readonly Column[]
  /** Places of the columns that are drawn. */
  drawn: readonly number[]
  lefts: readonly number[]
  template: string
  width: number
  /** Which row of the grid it is. */
  row: number
  figures: ReadonlyMap<string, string>
}

/** Figures of the columns, under them. */
export function GridFoot({ columns, drawn, lefts, template, width, row, figures }: GridFootProps) {
  return (
    <div role="rowgroup" className={css.foot} style={{ width }}>
      <div role="row" aria-rowindex={row} className={css.row} style={{ gridTemplateColumns: template }}>
        <div
          role="gridcell"
          aria-colindex={1}
          className={css.frozen}
          style={{ left: 0 }}
          aria-label="Figures"
        />
        {drawn.map((i) => (
          <div
            key={columns[i]!.key}
            role="gridcell"
            aria-colindex={i + 2}
            className={lefts[i] === undefined ? css.cell : `${css.cell} ${css.frozen}`}
            style={{ gridColumn: i + 2, ...(lefts[i] !== undefined && { left: lefts[i] }) }}
            title={figures.get(columns[i]!.key)}
          >
            {figures.get(columns[i]!.key)}
          </div>
        ))}
      </div>
    </div>
  )
}
