import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import type { ItemEdits } from '#web/data/item-edits.ts'
import { usePreference } from '#web/data/preferences.ts'
import type { RowSource } from '#web/data/row-source.ts'
import { Icon } from '#web/parts/icon.tsx'
import type { SortKey } from '#web/rules/table-state.ts'
import { type Cursor, cursorAt, type Place, rangeOf, within } from '#web/table/cursor.ts'
import { drawnCell } from '#web/table/drawn-cell.ts'
import type { FieldTools } from '#web/table/field-tools.ts'
import { GridFoot } from '#web/table/grid-foot.tsx'
import { GridHeader } from '#web/table/grid-header.tsx'
import { GridRow } from '#web/table/grid-row.tsx'
import { isChosen, type Selection } from '#web/table/selection.ts'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'
import { useDrawnColumns } from '#web/table/use-drawn-columns.ts'
import { useWindow } from '#web/table/use-window.ts'
import css from '#web/table/grid.module.css'

export const ROW_HEIGHTS = { compact: 30, normal: 36, roomy: 44 } as const
const CHECK_WIDTH = 40
/** Of the place where a field is added. */
const ADD_WIDTH = 44

export interface GridProps {
  label: string
  /** Its element, which scrolls. */
  scroller: RefObject<HTMLDivElement | null>
  source: RowSource
  edits: ItemEdits
  columns: ArrangedColumns
  sort: readonly SortKey[]
  onSort: (sort: readonly SortKey[]) => void
  selection: Selection
  onToggle: (row: number, range: boolean) => void
  onAll: () => void
  cursor: Cursor
  /** Taken as the cursor moves; the grid brings it into sight. */
  onCursor: (cursor: Cursor) => void
  onKey: (event: KeyboardEvent, page: number) => void
  onEdit: (place: Place) => void
  onOpen: (row: number) => void
  onCopy: (event: ClipboardEvent) => void
  onCut: (event: ClipboardEvent) => void
  onPaste: (event: ClipboardEvent) => void
  /** Figures under the columns, by their key. */
  figures?: ReadonlyMap<string, string> | undefined
  fieldTools?: FieldTools | undefined
  /** Makes an item, from under the last row. */
  onAdd?: (() => void) | undefined
}

/** An ARIA grid over rows of one height. It draws and reports; what keys and clicks mean is decided by the table. */
export function Grid(props: GridProps) {
  const { label, scroller, source, edits, columns, selection, cursor } = props
  useSyncExternalStore(source.subscribe, source.snapshot)
  useSyncExternalStore(edits.subscribe, edits.snapshot)
  const rowHeight = ROW_HEIGHTS[usePreference('density')]
  const onViewport = useCallback((from: number, before: number) => source.setViewport(from, before), [source])
  const total = source.total
  const { window, height, onScroll, reveal } = useWindow(scroller, {
    total,
    rowHeight,
    headHeight: rowHeight,
    onViewport,
  })
  useFocus(scroller, cursor, reveal)
  const kept = useKeptFocus(scroller, cursor)
  useEffect(() => {
    // Where nothing else is gone to yet, the table hears the keys.
    const { activeElement } = document
    if (activeElement === null || activeElement.matches('body, main'))
      scroller.current?.focus({ preventScroll: true })
  }, [scroller])

  const { shown, frozen } = columns
  const { drawn: places, measure } = useDrawnColumns(scroller, shown, frozen, CHECK_WIDTH)
  const lefts = useMemo(() => leftEdges(shown.slice(0, frozen).map(({ width }) => width)), [shown, frozen])
  const added = props.fieldTools ? [ADD_WIDTH] : []
  const widths = [CHECK_WIDTH, ...shown.map((each) => each.width), ...added]
  const template = widths.map((each) => `${each}px`).join(' ')
  const width = widths.reduce((sum, each) => sum + each, 0)
  const range = rangeOf(cursor)
  const slots = Math.max(window.last - window.first, 1)
  const page = Math.max(1, slots - 14)
  const drawn = []
  const last = Math.min(window.last, total)
  // The row where one is stays, wherever one scrolls: it has the focus.
  const away = cursor.at.row < total && (cursor.at.row < window.first || cursor.at.row >= last)
  const indexes = Array.from({ length: Math.max(0, last - window.first) }, (_, i) => window.first + i)
  for (const index of away ? [...indexes, cursor.at.row] : indexes) {
    const isAway = away && index === cursor.at.row
    const row = source.row(index)
    const inRange =
      index >= range.top && index <= range.bottom && (range.top < range.bottom || range.left < range.right)
    drawn.push(
      <GridRow
        key={isAway ? 'away' : index % slots}
        index={index}
        row={row && edits.shown(row)}
        columns={shown}
        drawn={places}
        lefts={lefts}
        template={template}
        top={topOf(index * rowHeight - window.shift, height - rowHeight)}
        active={cursor.at.row === index ? cursor.at.column : -1}
        from={inRange ? range.left : -1}
        to={inRange ? range.right : -2}
        chosen={row !== undefined && isChosen(selection, row.item_id)}
        gone={row !== undefined && source.gone.has(row.item_id)}
        lit={row !== undefined && source.lit.has(row.item_id)}
        edits={edits}
      />,
    )
  }
  return (
    <div
      ref={scroller}
      className={css.scroller}
      role="grid"
      // Without a cell that keys could go to it is a stop itself.
      tabIndex={total ? -1 : 0}
      aria-label={label}
      aria-rowcount={total + 1 + (props.onAdd ? 1 : 0) + (props.figures?.size ? 1 : 0)}
      aria-colcount={shown.length + 1 + added.length}
      aria-multiselectable
      aria-busy={!source.readRows(window.first, Math.min(window.last, total) - 1)}
      onScroll={() => {
        onScroll()
        flushSync(measure)
      }}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget && entersBy(event)) {
          event.preventDefault()
          return drawnCell(event.currentTarget, cursor.at)?.focus()
        }
        if (event.target === event.currentTarget && isLetter(event)) return undefined
        props.onKey(event, page)
        if (event.defaultPrevented && leadsToStart(event)) scroller.current!.scrollLeft = 0
      }}
      onCopy={props.onCopy}
      onCut={props.onCut}
      onPaste={props.onPaste}
      {...kept}
      {...pointer(props)}
    >
      <div role="rowgroup" className={css.head} style={{ width }}>
        <GridHeader
          columns={columns}
          drawn={places}
          lefts={lefts}
          template={template}
          sort={props.sort}
          onSort={props.onSort}
          all={selection.all ? (selection.ids.size ? 'some' : true) : selection.ids.size ? 'some' : false}
          onAll={props.onAll}
          fieldTools={props.fieldTools}
        />
      </div>
      <div role="rowgroup" className={css.body} style={{ height, width }}>
        {drawn}
      </div>
      {props.onAdd && <AddRow at={total + 2} onAdd={props.onAdd} />}
      {props.figures && props.figures.size > 0 && (
        <GridFoot
          columns={shown}
          drawn={places}
          lefts={lefts}
          template={template}
          width={width}
          row={total + (props.onAdd ? 3 : 2)}
          figures={props.figures}
        />
      )}
    </div>
  )
}

/** Under the last row: where the next one will be. */
function AddRow({ at, onAdd }: { at: number; onAdd: () => void }) {
  return (
    <div role="rowgroup" className={css.addRow}>
      <div role="row" aria-rowindex={at}>
        <div role="gridcell" aria-colindex={1}>
          <button type="button" tabIndex={-1} onClick={onAdd}>
            <Icon name="plus" size={14} /> Add an item
          </button>
        </div>
      </div>
    </div>
  )
}

/** The cell where one is has the focus, and is in sight; after a scroll by hand it need not be. */
function useFocus(
  scroller: RefObject<HTMLDivElement | null>,
  { at: { row, column }, isFollowed }: Cursor,
  reveal: (row: number) => void,
): void {
  const revealNow = useEffectEvent(reveal)
  const before = useRef<string>(`${row}:${column}`)
  useLayoutEffect(() => {
    const place = `${row}:${column}`
    const moved = before.current !== place
    before.current = place
    if (!moved || isFollowed) return
    revealNow(row)
    const element = scroller.current
    const cell = drawnCell(element, { row, column })
    if (!element || !cell) return
    showSideways(element, cell)
    if (element.contains(document.activeElement) || document.activeElement === document.body)
      cell.focus({ preventScroll: true })
  }, [row, column, isFollowed, scroller])
}

const isBare = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => !ctrlKey && !metaKey && !altKey

/** From the grid as a whole to the cell where one is. */
const entersBy = (event: KeyboardEvent): boolean =>
  isBare(event) && ['ArrowDown', 'ArrowRight', 'Enter', 'j'].includes(event.key)

/** It may be a key of the page: in a cell letters are typed. */
const isLetter = (event: KeyboardEvent): boolean => isBare(event) && event.key.length === 1

/** Where the way is scaled, what is far would lie beyond the end. */
const topOf = (top: number, most: number) => Math.max(0, Math.min(top, Math.max(0, most)))

/** Rows are drawn in the elements of others: the focus goes along with the cell, not with the element. */
function useKeptFocus(scroller: RefObject<HTMLDivElement | null>, { at: { row, column } }: Cursor) {
  // An element that is taken away is not left: nobody has gone elsewhere then.
  const inCell = useRef(false)
  useLayoutEffect(() => {
    if (!inCell.current) return
    const { activeElement } = document
    const cell = drawnCell(scroller.current, { row, column })
    const isCell = activeElement instanceof HTMLElement && activeElement.dataset['cell'] !== undefined
    if (cell && cell !== activeElement && (isCell || activeElement === document.body))
      cell.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      inCell.current = target.dataset['cell'] !== undefined
    },
    onBlur: () => {
      inCell.current = false
    },
  }
}

/** The first column may be in sight by staying there: these keys ask for those next to it as well. */
const leadsToStart = ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  key === 'Home' || (key === 'ArrowLeft' && (ctrlKey || metaKey) && !shiftKey)

function showSideways(scroller: HTMLElement, cell: HTMLElement): void {
  if (getComputedStyle(cell).position === 'sticky') return
  const frozen = [...(cell.parentElement?.children ?? [])].filter(
    (each) => getComputedStyle(each).position === 'sticky',
  )
  const covered =
    Math.max(0, ...frozen.map((each) => each.getBoundingClientRect().right)) -
    scroller.getBoundingClientRect().left
  const box = cell.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  if (box.left < view.left + covered) scroller.scrollLeft -= view.left + covered - box.left
  else if (box.right > view.right) scroller.scrollLeft += box.right - view.right
}

function leftEdges(widths: readonly number[]): number[] {
  let left = CHECK_WIDTH
  return widths.map((width) => {
    const here = left
    left += width
    return here
  })
}

function placeOf(target: EventTarget | null): Place | undefined {
  const cell = (target as HTMLElement | null)?.closest<HTMLElement>('[data-cell]')?.dataset['cell']
  const [row, column] = (cell ?? '').split(':').map(Number)
  return cell ? { row: row!, column: column! } : undefined
}

/** Click and drag. */
function pointer({ cursor, onCursor, onEdit, onOpen, onToggle, source, columns }: GridProps) {
  return {
    onMouseDown(event: MouseEvent) {
      const target = event.target as HTMLElement
      const place = placeOf(target)
      if (event.button !== 0 || !place || target.closest('[data-open]')) return
      onCursor(event.shiftKey ? { ...cursor, at: place } : cursorAt(place))
      if (event.shiftKey) event.preventDefault()
    },
    onMouseOver(event: MouseEvent) {
      const place = event.buttons === 1 ? placeOf(event.target) : undefined
      if (place) onCursor({ anchor: cursor.anchor, at: within(place, source.total, columns.shown.length) })
    },
    onClick(event: MouseEvent) {
      const target = event.target as HTMLElement
      const check = target.closest<HTMLElement>('[data-check]')?.dataset['check']
      const open = target.closest<HTMLElement>('[data-open]')?.dataset['open']
      if (check !== undefined) onToggle(Number(check), event.shiftKey)
      else if (open !== undefined) onOpen(Number(open))
    },
    onDoubleClick(event: MouseEvent) {
      const place = placeOf(event.target)
      if (place && !(event.target as HTMLElement).closest('[data-open]')) onEdit(place)
    },
  }
}
