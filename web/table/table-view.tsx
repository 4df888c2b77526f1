import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { useFigures } from '#web/data/figures-query.ts'
import type { Row, RowSource } from '#web/data/row-source.ts'
import { useTemplates, type View } from '#web/data/views-query.ts'
import type { ChangeTableState } from '#web/data/table-state.ts'
import { useSearchMatch } from '#web/data/search-match.ts'
import { useRowSource } from '#web/data/use-row-source.ts'
import { setPreference, usePreference } from '#web/data/preferences.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { useCurrent } from '#web/parts/use-current.ts'
import { useMedia } from '#web/parts/use-media.ts'
import { keepTyped } from '#web/parts/typed-ahead.ts'
import type { ColumnTag } from '#web/rules/column.ts'
import { groupingColumn } from '#web/rules/groups.ts'
import {
  NEWEST_FIRST,
  type Question,
  questionOf,
  type SortKey,
  type TableState,
} from '#web/rules/table-state.ts'
import { ExportMenu } from '#web/table/export-menu.tsx'
import type { FieldTools } from '#web/table/field-tools.ts'
import { GroupedRows } from '#web/table/grouped-rows.tsx'
import { NewItemBar } from '#web/table/new-item-bar.tsx'
import { PrintedRows } from '#web/table/printed-rows.tsx'
import { TableEdits, useTableEdits } from '#web/table/table-edits.ts'
import { TableHead } from '#web/table/table-head.tsx'
import { type RenderBulk, TableRows, type TableRowsProps } from '#web/table/table-rows.tsx'
import type { ColumnStore } from '#web/table/use-column-settings.ts'
import { useTableColumns } from '#web/table/use-table-columns.ts'
import { useIsPhone } from '#web/table/use-is-phone.ts'
import { Waiting } from '#web/table/waiting.tsx'
import css from '#web/table/table-view.module.css'

/** What others add to a table: see the pages, which put features together. */
export interface TableSlots {
  /** Alongside the title: e.g. to change the tag. */
  actions?: ReactNode
  /** Between the head and the rows: the filter. */
  renderFilter?: (source: RowSource | null) => ReactNode
  /** Where nothing matches: why. */
  nothing?: ReactNode
  /** Buttons for what is selected. */
  renderBulk?: RenderBulk | undefined
  /** What can be done with the fields that are columns. */
  fieldTools?: FieldTools | undefined
  /** Figures under the columns: sums and averages. */
  figures?: boolean
  /** In place of a table: a board, a calendar. */
  renderLayout?: ((rows: LayoutRows) => ReactNode) | undefined
  /** The item that is open next to the table. */
  renderBeside?: ((item_id: string, onClose: () => void) => ReactNode) | undefined
}

/** What a layout is given of the items of a table. */
export type LayoutRows = Omit<TableRowsProps, 'figures' | 'source'> & { source: RowSource }

export interface TableViewProps extends TableSlots {
  title: string
  /** What the table is about, whatever the filter says: a tag, a view's filter; null: all items. */
  base: Record<string, unknown> | null
  /** Whose fields are columns. */
  tags: readonly ColumnTag[]
  /** Others that their items may have. */
  otherTags?: readonly ColumnTag[]
  /** The tag that a new item gets. */
  newTag?: ColumnTag | undefined
  /** What new items begin with, where it is a template that is looked at. */
  template?: View | undefined
  state: TableState
  onState: ChangeTableState
  /** How the rows are ordered where the address says nothing. */
  ownSort?: readonly SortKey[]
  /** How the columns are arranged. */
  columnStore: ColumnStore
  onOpen: (item_id: string) => void
  readOnly?: boolean
}

/** A table with its head: search, columns, new items, and what is said where there are no rows. */
export function TableView(props: TableViewProps) {
  const {
    title,
    base,
    tags,
    otherTags = NO_TAGS,
    newTag,
    state,
    onState,
    ownSort = NEWEST_FIRST,
    columnStore,
    readOnly = false,
  } = props
  const isPhone = useIsPhone()
  // `?new`: from where there is no table.
  const [adding, setAdding] = useState(() => new URLSearchParams(location.search).has('new'))
  useEffect(() => {
    if (new URLSearchParams(location.search).has('new')) onState({}, { replace: true })
    // oxlint-disable-next-line react/exhaustive-deps -- once, as it is opened
  }, [])
  const [chosen, setChosen] = useState<View>()
  const newName = useRef<HTMLInputElement>(null)
  const main = useRef<HTMLDivElement>(null)
  // A table, or any layout that a page has put in its place.
  const focusRows = () => main.current?.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus()
  const templates = useTemplates(readOnly ? undefined : newTag?.tag_id)
  const { text, sort } = state
  const match = useSearchMatch(base, state.filter, text)
  const isLoose = match === 'any'
  const asked = questionOf(
    base,
    { filter: state.filter, text, sort: sort.length || isLoose ? sort : ownSort, at: state.at },
    match,
  )
  const question: Question = isLoose && !sort.length ? { ...asked, sort: [{ by: 'relevance' }] } : asked
  const [turn, setTurn] = useState(0)
  const { source, isOld } = useRowSource(question, turn)
  // A new item may have been entered before the rows were there that it is shown in now.
  const rowsNow = useCurrent(source)
  const show = (row: Row) =>
    rowsNow.current ? rowsNow.current.insert(0, row) : setTurn((before) => before + 1)
  const edits = useTableEdits()
  const columns = useTableColumns({ tags, otherTags, columnStore, as_of: state.at })
  const add = readOnly
    ? undefined
    : () => {
        // What is typed before the box is there is a name, not keys of the page.
        if (!adding) keepTyped()
        else newName.current?.focus()
        setAdding(true)
        setChosen(props.template)
      }
  const addFrom = (template: View) => {
    add?.()
    setChosen(template)
  }
  useActions(
    add
      ? [
          { id: 'table.add', title: `New item in ${title}`, keys: 'c', group: 'Table', run: add },
          { id: 'table.add-anywhere', title: 'New item here', keys: 'mod+alt+n', hidden: true, run: add },
          ...templates.map((template) => ({
            id: `table.add-${template.view_id}`,
            title: `New item from ${template.name}`,
            group: 'Table',
            run: () => addFrom(template),
          })),
        ]
      : [],
  )
  const figures = useFigures(question.filter ?? null, tags, !!props.figures && state.group === null)
  const isNarrowed = state.filter !== null || text.trim() !== ''
  const widen = () => onState({ filter: null, text: '' })
  const isWide = useMedia('(min-width: 1600px)')
  const beside = usePreference('beside')
  const opensItself = isWide && beside === 'open' && !!props.renderBeside
  // What has opened by itself goes where there is no room for it any more; what was asked for stays.
  const byItself = useRef<string | null>(null)
  useEffect(() => {
    if (!isWide && state.item !== null && byItself.current === state.item)
      onState({ item: null }, { replace: true })
    // oxlint-disable-next-line react/exhaustive-deps -- once it becomes narrow
  }, [isWide])
  const turnTo = (item: string | null) => {
    if (isWide) setPreference('beside', item === null ? 'closed' : 'open')
    byItself.current = item
    onState({ item }, { replace: true })
  }
  const peek = (item: string) => {
    if (isPhone || !props.renderBeside) return props.onOpen(item)
    if (isWide) setPreference('beside', 'open')
    byItself.current = null
    onState({ item })
  }
  const rows = {
    label: `Items of ${title}`,
    question,
    columns,
    sort: sort.length || isLoose ? sort : ownSort,
    onSort: (next: readonly SortKey[]) => onState({ sort: next }),
    onPeek: peek,
    beside: state.item,
    opensItself,
    onTurn: turnTo,
    onOpen: props.onOpen,
    onAdd: add,
    fieldTools: readOnly ? undefined : props.fieldTools,
    readOnly,
    renderBulk: props.renderBulk,
    // An order of the view's own may be what cannot be read.
    onWiden:
      isNarrowed || sort.length
        ? () => onState({ filter: null, text: '', sort: props.ownSort ? NEWEST_FIRST : [] })
        : undefined,
    empty: (
      <Nothing
        title={title}
        isNarrowed={isNarrowed}
        why={props.nothing}
        onWiden={widen}
        onAdd={add}
        tag_id={newTag?.tag_id}
      />
    ),
  }
  return (
    <div className={css.view} data-beside={state.item !== null && props.renderBeside ? true : undefined}>
      <div ref={main} className={css.main}>
        <TableHead
          title={title}
          sign={newTag && <TagSign tag={newTag.tag_id} size="m" />}
          source={source}
          text={text}
          onText={(next) => onState({ text: next }, { replace: true })}
          onRows={focusRows}
          columns={isPhone ? undefined : columns}
          otherTags={otherTags}
          onAdd={add}
          templates={templates}
          onTemplate={addFrom}
          actions={
            <>
              {props.actions}
              <ExportMenu title={title} question={question} source={source} columns={columns.shown} />
            </>
          }
        />
        <PrintedRows title={title} source={source} columns={columns.shown} />
        {props.renderFilter?.(source)}
        {adding && !readOnly && (
          <NewItemBar
            input={newName}
            question={question}
            tag={newTag}
            template={chosen}
            onTemplate={setChosen}
            onMade={show}
            onClose={() => {
              setAdding(false)
              focusRows()
            }}
          />
        )}
        {isLoose && source && <Loose source={source} byBest={!sort.length} />}
        <TableEdits value={edits}>
          {props.renderLayout ? (
            source && !source.isEmptyYet ? (
              props.renderLayout({ ...rows, source, isOld, onAgain: () => setTurn(turn + 1) })
            ) : (
              <Waiting />
            )
          ) : state.group === null ? (
            <TableRows
              {...rows}
              hasAddRow
              figures={figures}
              source={source}
              isOld={isOld}
              onAgain={() => setTurn(turn + 1)}
            />
          ) : (
            <GroupedRows
              {...rows}
              key={state.group}
              figuresOf={props.figures ? tags : null}
              path={state.group}
              onUngroup={() => onState({ group: null })}
              column={groupingColumn(columns.all, state.group)}
            />
          )}
        </TableEdits>
      </div>
      {state.item !== null &&
        props.renderBeside?.(state.item, () => {
          // Back to the cell from which it was opened.
          focusRows()
          turnTo(null)
        })}
    </div>
  )
}

const NO_TAGS: readonly ColumnTag[] = []

/** That what is shown has not all that was asked for; where nothing is shown that says itself. */
function Loose({ source, byBest }: { source: RowSource; byBest: boolean }) {
  useSyncExternalStore(source.subscribe, source.snapshot)
  if (!source.total) return null
  return (
    <p className={css.loose} role="status">
      Nothing has all of these words: this has some of them{byBest && ', best first'}.
    </p>
  )
}

interface NothingProps {
  title: string
  isNarrowed: boolean
  why: ReactNode
  onWiden: () => void
  onAdd: (() => void) | undefined
  /** The tag that new items get. */
  tag_id: string | undefined
}

function Nothing({ title, isNarrowed, why, onWiden, onAdd, tag_id }: NothingProps) {
  if (isNarrowed)
    return (
      <EmptyState icon="search" title="No items match">
        {why}
        <Button onClick={onWiden}>Clear filter and search</Button>
      </EmptyState>
    )
  return (
    <EmptyState icon="items" title={title === 'Items' ? 'No items yet' : `Nothing in ${title} yet`}>
      {onAdd && (
        <>
          <Button kind="primary" icon="plus" onClick={onAdd}>
            New item <kbd>C</kbd>
          </Button>
          <p>
            Or <Link href={`/import${tag_id ? `?tag=${tag_id}` : ''}`}>bring rows of a spreadsheet</Link>.
          </p>
        </>
      )}
    </EmptyState>
  )
}
