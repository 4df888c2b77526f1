import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { RowSource } from '#web/data/row-source.ts'
import type { ChangeTableState } from '#web/data/table-state.ts'
import { useRowSource } from '#web/data/use-row-source.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { say } from '#web/parts/live-region.tsx'
import { columnsOf, type ColumnTag } from '#web/rules/column.ts'
import { type Question, questionOf, type SortKey, type TableState } from '#web/rules/table-state.ts'
import { Cards } from '#web/table/cards.tsx'
import { NewItemBar } from '#web/table/new-item-bar.tsx'
import { NOTHING, type Selection } from '#web/table/selection.ts'
import { SelectionBar } from '#web/table/selection-bar.tsx'
import { Table } from '#web/table/table.tsx'
import { TableHead } from '#web/table/table-head.tsx'
import { Waiting } from '#web/table/waiting.tsx'
import { type ColumnStore, useArrangedColumns } from '#web/table/use-column-settings.ts'
import { useIsPhone } from '#web/table/use-is-phone.ts'
import css from '#web/table/table-view.module.css'

/** What others add to a table: see the pages, which put features together. */
export interface TableSlots {
  /** Beside the title: e.g. to change the tag. */
  actions?: ReactNode
  /** Between the head and the rows: the filter. */
  renderFilter?: (source: RowSource | null) => ReactNode
  /** Where nothing matches: why. */
  nothing?: ReactNode
  /** Buttons for what is selected. */
  renderBulk?: (chosen: {
    selection: Selection
    question: Question
    source: RowSource
    clear: () => void
  }) => ReactNode
  /** The item that is open beside the table. */
  renderBeside?: (item_id: string) => ReactNode
}

export interface TableViewProps extends TableSlots {
  title: string
  /** What the table is about, whatever the filter says: a tag, a view's filter; null: all items. */
  base: Record<string, unknown> | null
  /** Whose fields are columns. */
  tags: readonly ColumnTag[]
  /** The tag that a new item gets. */
  newTag?: ColumnTag | undefined
  state: TableState
  onState: ChangeTableState
  /** How the rows are ordered where the address says nothing. */
  ownSort?: readonly SortKey[]
  /** How the columns are arranged. */
  columnStore: ColumnStore
  onOpen: (item_id: string) => void
  readOnly?: boolean
}

const NEWEST_FIRST: readonly SortKey[] = [{ by: 'created_at', direction: 'desc' }]

/** A table with its head: search, columns, new items, and what is said where there are no rows. */
export function TableView(props: TableViewProps) {
  const {
    title,
    base,
    tags,
    newTag,
    state,
    onState,
    ownSort = NEWEST_FIRST,
    columnStore,
    readOnly = false,
  } = props
  const isPhone = useIsPhone()
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [adding, setAdding] = useState(false)
  const { text, sort } = state
  const question = questionOf(base, { filter: state.filter, text, sort: sort.length ? sort : ownSort })
  const [turn, setTurn] = useState(0)
  const { source, isOld } = useRowSource(question, turn)
  const columns = useArrangedColumns(
    useMemo(() => columnsOf(tags), [tags]),
    columnStore,
  )
  const add = readOnly ? undefined : () => setAdding(true)
  useActions(
    add
      ? [
          { id: 'table.add', title: `New item in ${title}`, keys: 'c', group: 'Table', run: add },
          { id: 'table.add-anywhere', title: 'New item here', keys: 'mod+alt+n', hidden: true, run: add },
        ]
      : [],
  )
  const isNarrowed = state.filter !== null || text.trim() !== ''
  const widen = () => onState({ filter: null, text: '' })
  const peek = (item: string) => (isPhone || !props.renderBeside ? props.onOpen(item) : onState({ item }))
  return (
    <div className={css.view} data-beside={state.item !== null && props.renderBeside ? true : undefined}>
      <div className={css.main}>
        <TableHead
          title={title}
          source={source}
          text={text}
          onText={(next) => onState({ text: next }, { replace: true })}
          columns={isPhone ? undefined : columns}
          onAdd={add}
          actions={props.actions}
        />
        {props.renderFilter?.(source)}
        {adding && (
          <NewItemBar
            question={question}
            tag={newTag}
            onMade={(row) => source?.insert(0, row)}
            onClose={() => setAdding(false)}
          />
        )}
        <div className={css.rows} data-old={isOld || undefined}>
          {source && <Newcomers source={source} onShow={() => setTurn(turn + 1)} />}
          {!source || source.isEmptyYet ? (
            <Waiting />
          ) : (
            <Rows
              source={source}
              empty={
                <Nothing
                  title={title}
                  isNarrowed={isNarrowed}
                  why={props.nothing}
                  onWiden={widen}
                  onAdd={add}
                />
              }
            >
              {isPhone ? (
                <Cards source={source} columns={columns.shown} onOpen={props.onOpen} />
              ) : (
                <Table
                  label={`Items of ${title}`}
                  source={source}
                  columns={columns}
                  sort={sort.length ? sort : ownSort}
                  onSort={(next) => onState({ sort: next })}
                  selection={selection}
                  onSelection={setSelection}
                  onPeek={peek}
                  onOpen={props.onOpen}
                  onAdd={add}
                  readOnly={readOnly}
                />
              )}
            </Rows>
          )}
        </div>
        {source && (
          <SelectionBar selection={selection} source={source} onClear={() => setSelection(NOTHING)}>
            {props.renderBulk?.({ selection, question, source, clear: () => setSelection(NOTHING) })}
          </SelectionBar>
        )}
      </div>
      {state.item !== null && props.renderBeside?.(state.item)}
    </div>
  )
}

/** What others have made meanwhile comes when it is asked for. */
function Newcomers({ source, onShow }: { source: RowSource; onShow: () => void }) {
  useSyncExternalStore(source.subscribe, source.snapshot)
  const count = source.newcomers.size
  useEffect(() => {
    if (count) say(`${count} new`)
  }, [count])
  if (!count) return null
  return (
    <button type="button" className={css.newcomers} onClick={onShow}>
      <Icon name="arrow_up" size={14} />
      {count === 1 ? '1 new item' : `${count.toLocaleString()} new items`}
    </button>
  )
}

/** The rows, or why there are none. */
function Rows({ source, empty, children }: { source: RowSource; empty: ReactNode; children: ReactNode }) {
  useSyncExternalStore(source.subscribe, source.snapshot)
  const { fault } = source
  if (fault && !source.rows.length)
    return (
      <div role="alert">
        <EmptyState title="This could not be read">
          <p>{fault.message}</p>
          {fault.suggestion && <p>{fault.suggestion}</p>}
          <Button onClick={() => source.retry()}>Try again</Button>
        </EmptyState>
      </div>
    )
  return source.ended && !source.rows.length ? empty : children
}

interface NothingProps {
  title: string
  isNarrowed: boolean
  why: ReactNode
  onWiden: () => void
  onAdd: (() => void) | undefined
}

function Nothing({ title, isNarrowed, why, onWiden, onAdd }: NothingProps) {
  if (isNarrowed)
    return (
      <EmptyState title="No items match">
        {why}
        <Button onClick={onWiden}>Clear filter and search</Button>
      </EmptyState>
    )
  return (
    <EmptyState title={`Nothing in ${title} yet`}>
      {onAdd && (
        <Button kind="primary" icon="plus" onClick={onAdd}>
          New item <kbd>C</kbd>
        </Button>
      )}
    </EmptyState>
  )
}
