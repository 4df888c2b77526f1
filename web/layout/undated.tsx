import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { RowSource } from '#web/data/row-source.ts'
import type { BoardStore } from '#web/layout/board-store.ts'
import { useRead } from '#web/layout/use-read.ts'
import css from '#web/layout/calendar.module.css'

interface UndatedProps {
  source: RowSource
  store: BoardStore
  /** Of the field that says the day. */
  label: string
  onPeek: (item_id: string) => void
  /** Puts it on the day that is chosen. */
  onPut: ((item_id: string) => void) | undefined
}

/** What is on no day, to be put on one; and what is taken off its day. */
export function Undated({ source, store, label, onPeek, onPut }: UndatedProps) {
  useRead(source)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        entries.some((each) => each.isIntersecting) && source.setViewport(source.front, source.front + 1),
      { rootMargin: '300px' },
    )
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [source])
  const hear = (event: KeyboardEvent) => {
    const line = (event.target as HTMLElement).closest<HTMLElement>('[data-item]')
    const { key, altKey } = event
    if (!line) return
    const beside =
      key === 'ArrowDown' ? line.nextElementSibling : key === 'ArrowUp' ? line.previousElementSibling : null
    if (altKey && key === 'ArrowLeft' && onPut) onPut(line.dataset['item']!)
    else if (!altKey && beside) (beside.firstElementChild as HTMLElement).focus()
    else return
    event.preventDefault()
  }
  const rows = source.rows.slice(0, source.front)
  return (
    <section className={css.undated} data-drop="none" aria-label={`Without ${label}`}>
      <h3>
        Without {label} <span className={css.count}>{(source.counted ?? source.total).toLocaleString()}</span>
      </h3>
      {rows.length === 0 && <p className={css.nothing}>Drop here what is to have no day.</p>}
      {rows.length > 0 && onPut && (
        <p className={css.nothing}>
          Drag one to its day, or <kbd>Alt</kbd> <kbd>←</kbd> puts it on the chosen one.
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- heard from the buttons within */}
      <ul onKeyDown={hear}>
        {rows.map((row) => (
          <li key={row.item_id} data-item={row.item_id}>
            <button
              type="button"
              className={css.piece}
              aria-keyshortcuts={onPut && 'Alt+ArrowLeft'}
              onClick={() => onPeek(row.item_id)}
            >
              {store.edits.shown(row).name}
            </button>
          </li>
        ))}
      </ul>
      <div ref={end} />
    </section>
  )
}
