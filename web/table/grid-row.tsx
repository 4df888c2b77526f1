import { memo } from 'react'
import type { ItemEdits } from '#web/data/item-edits.ts'
import type { Row } from '#web/data/row-source.ts'
import { Icon } from '#web/parts/icon.tsx'
import { cellValue, outdatedFault, whyReadOnly } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { isOpenAt } from '#web/rules/variant-look.ts'
import { Marked } from '#web/parts/marked.tsx'
import { CellView } from '#web/table/cell-view.tsx'
import { PathView } from '#web/table/path-view.tsx'
import css from '#web/table/grid.module.css'

export interface GridRowProps {
  index: number
  /** As it is shown: another object when anything of it is, so that its row alone is drawn again. */
  row: Row | undefined
  columns: readonly Column[]
  /** Places of the columns that are drawn. */
  drawn: readonly number[]
  /** Left edges of the columns that stay. */
  lefts: readonly number[]
  template: string
  top: number
  /** The column where one is, or -1. */
  active: number
  from: number
  to: number
  chosen: boolean
  /** It is deleted. */
  gone: boolean
  /** Others have just changed it. */
  lit: boolean
  edits: ItemEdits
}

/** Reused by slot while scrolling: texts change, nothing is mounted. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, columns, drawn, lefts, template, top, chosen, gone, lit, row } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={chosen}
      className={css.row}
      data-row={index}
      data-gone={gone || undefined}
      data-lit={lit || undefined}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" aria-colindex={1} className={css.check} data-check={index}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={chosen}
          disabled={!row}
          readOnly
          aria-label={row ? `Select ${row.name}` : 'Select row'}
        />
      </div>
      {withActive(drawn, props.active, columns.length).map((i) => (
        <Cell key={columns[i]!.key} {...props} column={columns[i]!} at={i} left={lefts[i]} />
      ))}
    </div>
  )
})

/** The cell where one is has the focus: it is there wherever one has scrolled. */
function withActive(drawn: readonly number[], active: number, count: number): readonly number[] {
  if (active < 0 || active >= count || drawn.includes(active)) return drawn
  return [...drawn, active].toSorted((a, b) => a - b)
}

interface CellProps extends GridRowProps {
  column: Column
  at: number
  left: number | undefined
}

function Cell({ index, row, column, at, left, active, from, to, edits }: CellProps) {
  const place = row && {
    item_id: row.item_id,
    tag_id: column.kind === 'field' ? column.tag.tag_id : null,
    field: column.kind === 'field' ? column.field.name : 'name',
  }
  const pending = place && (column.kind === 'field' || column.kind === 'name') ? edits.of(place) : undefined
  const readOnly = row && whyReadOnly(column, row)
  const outdated = row && !pending && outdatedFault(column, row)
  const fault = pending?.fault?.message
  const look = [
    css.cell,
    left !== undefined && css.frozen,
    at === active && css.active,
    at >= from && at <= to && css.inRange,
    readOnly && column.kind === 'field' && css.shut,
    outdated && css.outdated,
    fault && css.failed,
  ]
  return (
    <div
      role="gridcell"
      aria-colindex={at + 2}
      aria-readonly={readOnly ? true : undefined}
      aria-invalid={fault || outdated ? true : undefined}
      aria-selected={at >= from && at <= to}
      title={
        fault || (outdated && `${outdated} (of an earlier version: Ctrl U brings it up to date)`) || undefined
      }
      tabIndex={at === active ? 0 : -1}
      data-cell={`${index}:${at}`}
      className={look.filter((each) => each).join(' ')}
      style={{ gridColumn: at + 2, ...(left !== undefined && { left }) }}
    >
      {row ? (
        column.kind === 'path' ? (
          <PathView item_id={row.item_id} column={column} />
        ) : (
          <CellView column={column} value={cellValue(column, row)} isOpen={isOpenAt(column, row)} />
        )
      ) : (
        <span className={css.bar} />
      )}
      {column.kind === 'name' && row?.snippet && row.snippet.place !== 'name' && (
        <Marked snippet={row.snippet} />
      )}
      {row && column.kind === 'name' && (
        <button
          type="button"
          tabIndex={-1}
          className={css.open}
          data-open={index}
          aria-label={`Open ${row.name}`}
          title="Open (Space)"
        >
          <Icon name="panel" size={14} />
        </button>
      )}
    </div>
  )
}
