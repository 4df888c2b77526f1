import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRowSource } from '#web/data/use-row-source.ts'
import type { BoardColumnProps } from '#web/layout/layout-props.ts'
import { ColumnCards } from '#web/layout/column-cards.tsx'
import { NewCard } from '#web/layout/new-card.tsx'
import { useRead } from '#web/layout/use-read.ts'
import { IconButton } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { useBoardAround } from '#web/layout/board-context.ts'
import { type BoardColumn, valueOfKey } from '#web/rules/board.ts'
import type { FieldColumn } from '#web/rules/column.ts'
import { sayFigure } from '#web/rules/shown-value.ts'
import { CellView } from '#web/table/cell-view.tsx'
import css from '#web/layout/board.module.css'

/** One column: its head, and its cards, which are read when it comes near. */
export function BoardColumnView(props: BoardColumnProps) {
  const { column, field, sum, scroller } = props
  const { readOnly } = useBoardAround()
  const section = useRef<HTMLElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const isNear = useNear(section, scroller)
  const [adding, setAdding] = useState(false)
  const { store } = props
  useEffect(
    () => (readOnly ? undefined : store.adds(column.id, () => setAdding(true))),
    [store, column.id, readOnly],
  )
  const headId = `column-${column.id.replaceAll(/\W/g, '-')}`
  return (
    <section ref={section} className={css.column} data-drop={column.id} aria-labelledby={headId}>
      <h2 className={css.head} id={headId}>
        <ColumnName column={column} field={field} />
        <span className={css.count}>{column.count.toLocaleString()}</span>
        {sum && column.sum !== null && (
          <span className={css.sum} title={`Sum of ${sum.label}`}>
            <span className={css.spoken}>, sum of {sum.label}:</span> Σ{' '}
            {sayFigure(sum.field.schema, column.sum, sayNumber)}
          </span>
        )}
      </h2>
      {!readOnly && (
        <IconButton
          className={css.add}
          icon="plus"
          label={`New item in ${column.name}`}
          ref={addButton}
          onClick={() => setAdding(true)}
        />
      )}
      {adding && (
        <NewCard
          question={props.question}
          tag={props.tag}
          own={{
            tag_id: field.tag.tag_id,
            values: { [field.field.name]: valueOfKey(field, column.key) },
            tag_updated_at: props.named_at,
          }}
          label={`New item in ${column.name}`}
          onMade={(row) => {
            props.onMade(row)
            store.made(store.rules.columnOf(row), row)
          }}
          onClose={() => {
            setAdding(false)
            addButton.current?.focus()
          }}
        />
      )}
      {isNear ? <NearColumn {...props} /> : <div className={css.cards} />}
    </section>
  )
}

function ColumnName({ column, field }: { column: BoardColumn; field: FieldColumn }) {
  if (column.key === null) return <span className={css.none}>{column.name}</span>
  if (field.field.type === 'Boolean')
    return <span className={css.name}>{`${field.label}: ${column.name}`}</span>
  return (
    <span className={css.name} title={column.name}>
      <CellView column={field} value={valueOfKey(field, column.key)} />
    </span>
  )
}

const sayNumber = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 2 })

function NearColumn({ column, question, store, counted, ...rest }: BoardColumnProps) {
  const own = column.filter
  const { filter } = question
  const [turn, setTurn] = useState(0)
  const { source } = useRowSource({ ...question, filter: filter ? { and: [filter, own] } : own }, turn)
  useEffect(() => (source ? store.show(column.id, source) : undefined), [store, source, column.id])
  useRead(source)
  // Counted again, and it is not what is here: others have made, changed or taken away some of them.
  const compare = useEffectEvent(() => {
    const known = source?.counted
    if (known !== undefined && known !== column.count && !store.isBusy) setTurn((before) => before + 1)
  })
  useEffect(() => compare(), [counted])
  if (!source) return <div className={css.cards} aria-busy />
  if (source.fault && !source.total)
    return (
      <div className={css.cards}>
        <Note kind="danger">
          {source.fault.message}{' '}
          <button type="button" className={css.again} onClick={() => source.retry()}>
            Try again
          </button>
        </Note>
      </div>
    )
  return <ColumnCards {...rest} column={column} source={source} store={store} />
}

/** Whether it has come near the part of the board that is in sight; then it stays. */
function useNear(element: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some((each) => each.isIntersecting) && setNear(true),
      { root: scroller.current, rootMargin: '0px 400px' },
    )
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [isNear, element, scroller])
  return isNear
}
