import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { Fault } from '#web/api/fault.ts'
import { useFaultWords } from '#web/data/gone-tag.ts'
import type { RowSource } from '#web/data/row-source.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { say } from '#web/parts/live-region.tsx'
import { Note } from '#web/parts/note.tsx'
import type { Question, SortKey } from '#web/rules/table-state.ts'
import { Cards } from '#web/table/cards.tsx'
import { EVERYTHING, NOTHING, type Selection } from '#web/table/selection.ts'
import type { FieldTools } from '#web/table/field-tools.ts'
import { SelectionBar } from '#web/table/selection-bar.tsx'
import { Table } from '#web/table/table.tsx'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'
import { useIsPhone } from '#web/table/use-is-phone.ts'
import { Waiting } from '#web/table/waiting.tsx'
import css from '#web/table/table-view.module.css'

/** What others offer for the items that are selected. */
export type RenderBulk = (chosen: {
  selection: Selection
  question: Question
  source: RowSource
  clear: () => void
}) => ReactNode

export interface TableRowsProps {
  label: string
  question: Question
  source: RowSource | null
  /** They answer the question before. */
  isOld: boolean
  /** Asks the same once more. */
  onAgain: () => void
  columns: ArrangedColumns
  sort: readonly SortKey[]
  onSort: (sort: readonly SortKey[]) => void
  onPeek: (item_id: string) => void
  /** The item that is open next to the table, and another one in its place, or none. */
  beside: string | null
  /** On a wide screen the item of the row is next to it without being asked for. */
  opensItself: boolean
  onTurn: (item_id: string | null) => void
  onOpen: (item_id: string) => void
  onAdd: (() => void) | undefined
  hasAddRow?: boolean
  fieldTools: FieldTools | undefined
  readOnly: boolean
  renderBulk: RenderBulk | undefined
  /** Figures under the columns, by their key. */
  figures?: ReadonlyMap<string, string> | undefined
  /** Where there are none. */
  empty: ReactNode
  /** Leaves filter, search and order; undefined where there is none of them. */
  onWiden: (() => void) | undefined
}

/** The rows of one question, and what can be done with those that are selected. */
export function TableRows(props: TableRowsProps) {
  const { question, source, isOld, onAgain, columns, renderBulk, empty, onWiden, ...table } = props
  const isPhone = useIsPhone()
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const clear = () => setSelection(NOTHING)
  return (
    <>
      <div className={css.rows} data-old={isOld || undefined}>
        {source && <Newcomers source={source} onShow={onAgain} />}
        {!source || source.isEmptyYet ? (
          <Waiting />
        ) : (
          <Rows source={source} empty={empty} onWiden={onWiden} hasHead={!isPhone && !!table.fieldTools}>
            {isPhone ? (
              <Cards
                source={source}
                columns={columns.shown}
                selection={selection}
                onSelection={setSelection}
                onOpen={props.onOpen}
              />
            ) : (
              <Table
                {...table}
                source={source}
                columns={columns}
                selection={selection}
                onSelection={setSelection}
              />
            )}
          </Rows>
        )}
      </div>
      {source && (
        <SelectionBar
          selection={selection}
          source={source}
          onClear={clear}
          onAll={isPhone ? () => setSelection(EVERYTHING) : undefined}
        >
          {renderBulk?.({ selection, question, source, clear })}
        </SelectionBar>
      )}
    </>
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

/** Reasons that are named. */
const MOST_REASONS = 3

/** Why nothing could be read, and the way out. */
function Reasons({ fault }: { fault: Fault }) {
  const { problems, message, suggestion } = fault
  const messages = problems.length ? problems.map((each) => each.message) : [message]
  const said = useFaultWords([...new Set(messages)].slice(0, MOST_REASONS).map((each) => ({ message: each })))
  return (
    <>
      {said.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {suggestion && <p>{suggestion}</p>}
    </>
  )
}

interface RowsProps extends Pick<TableRowsProps, 'empty' | 'onWiden'> {
  source: RowSource
  /** The headings are shown also where there are no rows: there fields are added. */
  hasHead: boolean
  children: ReactNode
}

/** The rows, or why there are none. */
function Rows({ source, empty, onWiden, hasHead, children }: RowsProps) {
  useSyncExternalStore(source.subscribe, source.snapshot)
  const { fault } = source
  if (fault && !source.total)
    return (
      <div role="alert">
        <EmptyState icon="alert" title="This could not be read">
          <Reasons fault={fault} />
          {fault.status === 400 && onWiden ? (
            <Button onClick={onWiden}>Clear filter, search and order</Button>
          ) : (
            <Button onClick={() => source.retry()}>Try again</Button>
          )}
        </EmptyState>
      </div>
    )
  if (source.ended && !source.total)
    return (
      <>
        {hasHead && <div className={css.emptyTable}>{children}</div>}
        {empty}
      </>
    )
  return (
    <>
      {fault && (
        <div className={css.trouble}>
          <Note kind="danger">
            Some rows could not be read: {fault.message}{' '}
            <Button onClick={() => source.retry()}>Try again</Button>
          </Note>
        </div>
      )}
      {children}
    </>
  )
}
