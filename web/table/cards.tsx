import { type Dispatch, type SetStateAction, useEffect, useRef, useSyncExternalStore } from 'react'
import type { RowSource } from '#web/data/row-source.ts'
import type { Column } from '#web/rules/column.ts'
import { CardValues } from '#web/table/card-values.tsx'
import { isChosen, type Selection, toggled } from '#web/table/selection.ts'
import css from '#web/table/cards.module.css'

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
      (entries) =>
        entries.some((each) => each.isIntersecting) && source.setViewport(source.front, source.front + 1),
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
              <CardValues row={row} columns={fields} />
            </button>
          </li>
        ))}
      </ul>
      <div ref={end} />
    </div>
  )
}
