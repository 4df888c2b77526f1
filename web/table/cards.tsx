import { type Dispatch, type SetStateAction, useEffect, useRef, useSyncExternalStore } from 'react'
import type { Row, RowSource } from '#web/data/row-source.ts'
import { cellValue } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { CellView } from '#web/table/cell-view.tsx'
import { isChosen, type Selection, toggled } from '#web/table/selection.ts'
import css from '#web/table/cards.module.css'

/** Under the name. */
const FIELDS = 3

interface CardsProps {
  source: RowSource
  columns: readonly Column[]
  selection: Selection
  onSelection: Dispatch<SetStateAction<Selection>>
  onOpen: (item_id: string) => void
}

/** A table where there is no room for one: name and three fields, opened by a tap, selected by its box. */
export function Cards({ source, columns, selection, onSelection, onOpen }: CardsProps) {
  useSyncExternalStore(source.subscribe, source.snapshot)
  const fields = columns.filter(({ kind }) => kind === 'field')
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((each) => each.isIntersecting) && source.look(source.front, source.front + 1),
      { rootMargin: '600px' },
    )
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [source])
  return (
    <div className={css.scroller}>
      <ul className={css.cards}>
        {source.rows.slice(0, source.front).map((row) => (
          <li
            key={row.item_id}
            className={css.item}
            data-chosen={isChosen(selection, row.item_id) || undefined}
          >
            <label className={css.check}>
              <input
                type="checkbox"
                aria-label={`Select ${row.name}`}
                checked={isChosen(selection, row.item_id)}
                onChange={() => onSelection((old) => toggled(old, [row.item_id]))}
              />
            </label>
            <button type="button" className={css.card} onClick={() => onOpen(row.item_id)}>
              <strong>{row.name}</strong>
              <Values row={row} columns={fields} />
            </button>
          </li>
        ))}
      </ul>
      <div ref={end} />
    </div>
  )
}

function Values({ row, columns }: { row: Row; columns: readonly Column[] }) {
  const filled = columns
    .filter((column) => {
      const value = cellValue(column, row)
      return value !== null && !(Array.isArray(value) && !value.length)
    })
    .slice(0, FIELDS)
  if (!filled.length) return null
  return (
    <span className={css.values}>
      {filled.map((column) => (
        <span key={column.key} className={css.value}>
          <small>{column.label}</small>
          <CellView column={column} value={cellValue(column, row)} />
        </span>
      ))}
    </span>
  )
}
