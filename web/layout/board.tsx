import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { BoardColumnView } from '#web/layout/board-column.tsx'
import { type BoardAround, BoardContext, type BoardHands } from '#web/layout/board-context.ts'
import { Faulty } from '#web/layout/faulty.tsx'
import type { ColumnsProps, LayoutProps } from '#web/layout/layout-props.ts'
import { OptionMenu } from '#web/layout/option-menu.tsx'
import { SortMenu } from '#web/layout/sort-menu.tsx'
import { useBoard } from '#web/layout/use-board.ts'
import { useBoardKeys } from '#web/layout/use-board-keys.ts'
import { useDrag } from '#web/layout/use-drag.ts'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { boardFields, chosenColumn, sumFields } from '#web/rules/layout.ts'
import { toggled } from '#web/table/selection.ts'
import { Waiting } from '#web/table/waiting.tsx'
import bar from '#web/layout/layout-bar.module.css'
import css from '#web/layout/board.module.css'

/** Items in columns by a value that each has once. */
export function Board(props: LayoutProps) {
  const { columns, layout, onLayout, tag } = props
  const fields = boardFields(columns.all)
  const field = chosenColumn(fields, layout.by)
  if (!field)
    return (
      <EmptyState icon="board" title="A board has no columns here">
        <p>Its columns are the values of a field that chooses one: a Select, a Boolean or a Reference.</p>
        {tag && <Link href={`/tags/${tag.tag_id}/schema`}>Give {tag.name} such a field</Link>}
      </EmptyState>
    )
  const sums = sumFields(columns.all)
  const sum = sums.find(({ key }) => key === layout.sum)
  return (
    <>
      <div className={bar.bar}>
        <OptionMenu
          words="Columns by"
          options={fields}
          chosen={field.key}
          onChoose={(by) => onLayout({ ...layout, by: by! })}
        />
        {sums.length > 0 && (
          <OptionMenu
            words=""
            options={[
              { key: undefined, label: 'No sums' },
              ...sums.map(({ key, label }) => ({ key, label: `Sum of ${label}` })),
            ]}
            chosen={sum?.key}
            onChoose={(key) => {
              const { sum: _, ...rest } = layout
              onLayout(key === undefined ? rest : { ...rest, sum: key })
            }}
          />
        )}
        <SortMenu columns={columns.all} sort={props.sort} onSort={props.onSort} />
      </div>
      <Columns key={field.key} {...props} field={field} sum={sum} />
    </>
  )
}

function Columns(props: ColumnsProps) {
  const board = useBoard(props, useQueryClient())
  const { shown, total, error, refetch } = board
  if (error) return <Faulty title="This cannot be a board" error={error} onAgain={refetch} />
  if (!shown.length) return <Waiting />
  if (total === 0 && props.onWiden) return props.empty
  return <Stage {...props} board={board} />
}

type StageProps = ColumnsProps & { board: ReturnType<typeof useBoard> }

/** Where cards are dragged, and keys are heard. */
function Stage({ board: { store, shown, counted, named_at, move }, ...props }: StageProps) {
  const { field, sum, columns, readOnly, selection, onSelection, label, question, source, isOld } = props
  const scroller = useRef<HTMLDivElement>(null)
  /** All that are selected go along with one of them. */
  const together = (item_id: string) =>
    !selection.all && selection.ids.has(item_id) ? [...selection.ids] : [item_id]
  const hands = useRef<BoardHands>(null!)
  hands.current = {
    toggle: (item_id) => onSelection((old) => toggled(old, [item_id])),
    move: (item_id, to) => move(together(item_id), to),
    open: props.onOpen,
    peek: props.onPeek,
  }
  const startDrag = useDrag(scroller, {
    disabled: readOnly,
    countOf: (item) => together(item).length,
    onDrop: (item, target) => move(together(item), target),
  })
  const onKeyDown = useBoardKeys({ ...props, shown, store, hands })
  const fields = useMemo(
    () => columns.shown.filter(({ key, kind }) => kind === 'field' && key !== field.key),
    [columns.shown, field.key],
  )
  const names = JSON.stringify(shown.map(({ id, name }) => ({ id, name })))
  const context = useMemo(
    () => ({ hands, targets: JSON.parse(names) as BoardAround['targets'], readOnly }),
    [names, readOnly],
  )
  return (
    <BoardContext value={context}>
      {/* Its cards and buttons hear the keys first. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={scroller}
        className={css.board}
        data-layout="board"
        data-old={isOld || undefined}
        role="group"
        aria-label={`${label} by ${field.label}`}
        onPointerDown={startDrag}
        onKeyDown={onKeyDown}
      >
        {shown.map((column) => (
          <BoardColumnView
            key={column.id}
            column={column}
            field={field}
            sum={sum}
            fields={fields}
            question={question}
            store={store}
            counted={counted}
            named_at={named_at}
            selection={selection}
            tag={props.tag}
            scroller={scroller}
            beside={props.beside}
            onMade={(row) => source.insert(0, row)}
          />
        ))}
      </div>
    </BoardContext>
  )
}
