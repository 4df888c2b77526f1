import {
  type ClipboardEvent,
  type Dispatch,
  type KeyboardEvent,
  type RefObject,
  type SetStateAction,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import { asWrite } from '#web/api/call.ts'
import type { ItemEdits } from '#web/data/item-edits.ts'
import { knownItemName } from '#web/data/item-names.ts'
import type { Row, RowSource } from '#web/data/row-source.ts'
import { areTold, readTold } from '#web/data/told-cells.ts'
import { useActions } from '#web/parts/action.ts'
import { typedBy } from '#web/parts/composing-keys.ts'
import { say } from '#web/parts/live-region.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { toast } from '#web/parts/toast.tsx'
import { keepTyped, UNTIL_ANSWERED } from '#web/parts/typed-ahead.ts'
import { cellText } from '#web/rules/cell-text.ts'
import { cellValue, whyReadOnly } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import type { SortKey } from '#web/rules/table-state.ts'
import { handFiles } from '#web/data/handed-files.ts'
import { CellEditor, warmEditors } from '#web/table/cell-editor.tsx'
import { type Cursor, cursorAt, type Place, rangeOf, within } from '#web/table/cursor.ts'
import { drawnCell } from '#web/table/drawn-cell.ts'
import type { Then } from '#web/table/editor.ts'
import type { FieldTools } from '#web/table/field-tools.ts'
import { Grid } from '#web/table/grid.tsx'
import { EVERYTHING, isNothing, NOTHING, type Selection, toggled } from '#web/table/selection.ts'
import { type CellEdit, placeOf, saveCells } from '#web/table/save-edits.ts'
import {
  bringRangeUp,
  clearRange,
  fillDown,
  nextEditable,
  readRows,
  rowAt,
  same,
  setToday,
  type TableNow,
  toggleBoolean,
} from '#web/table/range-edits.ts'
import {
  type Copied,
  columnsBeyond,
  copiedCells,
  copyCells,
  lastPasted,
  type Pasted,
  pastedCells,
} from '#web/table/use-clipboard.ts'
import { TableEdits } from '#web/table/table-edits.ts'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'
import { useFollowedCursor } from '#web/table/use-followed-cursor.ts'
import { isOnHeading, onTableKey, TABLE_KEYS, type TableCommands } from '#web/table/use-table-keys.ts'

const PasteDialog = loadedDialog(() =>
  import('#web/table/paste-dialog.tsx').then(({ PasteDialog }) => PasteDialog),
)

export interface TableProps {
  label: string
  source: RowSource
  columns: ArrangedColumns
  sort: readonly SortKey[]
  onSort: (sort: readonly SortKey[]) => void
  selection: Selection
  onSelection: Dispatch<SetStateAction<Selection>>
  /** Alongside the table. */
  onPeek: (item_id: string) => void
  /** The item that is open next to the table, and another one in its place, or none. */
  beside: string | null
  /** On a wide screen the item of the row is next to it without being asked for. */
  opensItself: boolean
  onTurn: (item_id: string | null) => void
  /** As a page. */
  onOpen: (item_id: string) => void
  /** Undefined where nothing can be made here. */
  onAdd?: (() => void) | undefined
  /** It stands under the last row too. */
  hasAddRow?: boolean
  fieldTools?: FieldTools | undefined
  /** Figures under the columns, by their key. */
  figures?: ReadonlyMap<string, string> | undefined
  /** Nothing of the base may be changed. */
  readOnly?: boolean
}

interface Editing extends Place {
  row: number
  item: Row
  field: Column
  typed: string | null
  asked?: Then
  box: DOMRect
}

/** Where a cell is on the page; one that is scrolled away is at the edge. */
function boxOf(grid: HTMLElement | null, place: Place): DOMRect | undefined {
  const cell = drawnCell(grid, place)
  if (!cell || !grid) return undefined
  const box = cell.getBoundingClientRect()
  const view = grid.getBoundingClientRect()
  const head = grid.firstElementChild!.getBoundingClientRect().bottom
  const top = Math.max(head, Math.min(box.top, view.bottom - box.height))
  const left = Math.max(view.left, Math.min(box.left, view.right - Math.min(box.width, view.width)))
  return new DOMRect(left, top, box.width, box.height)
}

/** Milliseconds after which a table has drawn its rows. */
const PAUSE = 500

/** A table that is edited like a spreadsheet. */
export function Table(props: TableProps) {
  const { label, source, columns, sort, onSort, selection, onSelection, onPeek, readOnly = false } = props
  const edits = useEdits(source)
  useActions(TABLE_KEYS)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [pasted, setPasted] = useState<{
    cells: readonly Pasted[]
    below: number
    beyond: number
  } | null>(null)
  const lastToggled = useRef(0)
  const grid = useRef<HTMLDivElement>(null)
  const shown = columns.shown
  const [cursor, setCursor] = useFollowedCursor(source, shown)
  const now: TableNow = { source, shown, edits, cursor, readOnly }
  const here = { item: rowAt(now, cursor.at.row), column: shown[cursor.at.column] }
  const inside = (place: Place) => within(place, source.total, shown.length)
  const save = (cellEdits: readonly CellEdit[], words: string) => void saveCells(edits, cellEdits, words)
  const saveEdited = (edited: Editing, value: unknown) => {
    const { item: row, field: column } = edited
    const opened = {
      value: cellValue(column, row),
      tag_updated_at: column.kind === 'field' ? column.tag.updated_at : undefined,
    }
    save([{ row, column, value, opened }], changeWords(edited, value))
  }

  const edit = (place: Place, typed: string | null) => {
    const item = rowAt(now, place.row)
    const field = shown[place.column]
    if (!item || !field) return
    const why = readOnly ? 'You may read here, not write' : whyReadOnly(field, item)
    if (why) return say(why)
    if (field.kind === 'field' && field.field.type === 'Boolean')
      return toggleBoolean(now, item, field, typed)
    const box = boxOf(grid.current, place)
    if (box) setEditing({ ...place, item, field, typed, box })
  }
  // What is typed before the editor is there is not lost.
  const typeAhead = (event: KeyboardEvent) => {
    const letter = typedBy(event)
    if (letter === undefined && (event.ctrlKey || event.metaKey || event.altKey)) return
    event.preventDefault()
    const { key } = event
    if (key === 'Escape') return setEditing(null)
    const asked = thenOf(event)
    if (asked && !isFileColumn(editing?.field)) {
      keepTyped(UNTIL_ANSWERED) // for the cell where one goes
      return setEditing((old) => old && { ...old, asked })
    }
    if (key !== 'Backspace' && letter === undefined) return
    setEditing((old) => {
      const typed = old?.typed ?? ''
      return old && { ...old, typed: key === 'Backspace' ? typed.slice(0, -1) : typed + letter }
    })
  }
  useEffect(() => {
    const timer = setTimeout(warmEditors, PAUSE)
    return () => clearTimeout(timer)
  }, [])
  useTurn(props, cursor)
  useSyncExternalStore(edits.subscribe, edits.snapshot)
  const isEditing = editing !== null
  useEffect(() => {
    if (!isEditing) return
    const move = () =>
      setEditing((old) => {
        const box = old && boxOf(grid.current, old)
        return box ? { ...old, box } : old
      })
    document.addEventListener('scroll', move, { capture: true, passive: true })
    addEventListener('resize', move)
    return () => {
      document.removeEventListener('scroll', move, { capture: true })
      removeEventListener('resize', move)
    }
  }, [isEditing])
  const finish = (from: Place, then: Then, ahead = '') => {
    const sideways = then === 'right' ? 1 : -1
    const step = then === 'down' ? 1 : then === 'up' ? -1 : 0
    const next =
      then === 'right' || then === 'left'
        ? (nextEditable(now, from, sideways) ?? from)
        : inside({ row: from.row + step, column: from.column })
    // The editor takes the focus with it: what is typed next must find the cell.
    flushSync(() => {
      setEditing(null)
      setCursor(cursorAt({ row: next.row, column: next.column }))
    })
    const focus = () => {
      const cell = drawnCell(grid.current, next)
      cell?.focus({ preventScroll: true })
      if (cell && ahead) edit(next, ahead)
      return cell
    }
    if (!focus()) requestAnimationFrame(focus) // it comes into view only now
  }
  useDroppedFiles(grid, shown, (place) => {
    setCursor(cursorAt(place))
    edit(place, null)
  })
  const toggleRows = (from: number, to: number) => {
    const toggle = (rows: readonly Row[]) =>
      onSelection((old) =>
        toggled(
          old,
          rows.map(({ item_id }) => item_id),
        ),
      )
    const span = [Math.min(from, to), Math.max(from, to)] as const
    const rows = source.readRows(...span)
    if (rows) toggle(rows)
    else withToast(source.read(...span).then(toggle))
  }
  const commands: TableCommands = {
    rows: source.total,
    columns: shown.length,
    cursor,
    setCursor,
    edit,
    compose: (place) => {
      if (!isBoolean(shown[place.column])) edit(place, null)
    },
    nextEditable: (from, step) => nextEditable(now, from, step),
    space: () => {
      if (isBoolean(here.column)) edit(cursor.at, ' ')
      else if (here.item) onPeek(here.item.item_id)
    },
    openPage: () => here.item && props.onOpen(here.item.item_id),
    openLink: () => drawnCell(grid.current, cursor.at)?.querySelector('a')?.click(),
    toggleRow: () => toggleRows(rangeOf(cursor).top, rangeOf(cursor).bottom),
    selectAll: () => onSelection(EVERYTHING),
    escape: () => {
      const place = here.item && here.column && placeOf(here.item, here.column)
      if (place && edits.of(place)?.fault) edits.drop(place)
      else if (props.beside !== null) props.onTurn(null)
      else if (!isNothing(selection)) onSelection(NOTHING)
    },
    addItem: () => props.onAdd?.(),
    clear: () => write(clearRange(now)),
    fillDown: () => write(fillDown(now)),
    today: () => write(setToday(now)),
    bringUp: () => write(bringRangeUp(now)),
    moveColumn: (by) => {
      if (!here.column) return
      columns.move(here.column.key, by)
      setCursor(cursorAt(inside({ row: cursor.at.row, column: cursor.at.column + by })))
    },
  }
  /** What was read to be copied: it is as far as it can be read. */
  const lastRead = useRef<{ source: RowSource; range: string } | null>(null)
  /** Whether all of the range could be copied. */
  const copy = (event: ClipboardEvent): boolean => {
    // Text that somebody has selected on the page is what is meant.
    if (String(getSelection())) return false
    const { top, bottom, left, right } = rangeOf(cursor)
    const rows = source.readRows(top, bottom)?.map((row) => edits.shown(row))
    const across = shown.slice(left, right + 1)
    const range = `${top} ${bottom} ${across.map(({ key }) => key).join(' ')}`
    const isRead = lastRead.current?.source === source && lastRead.current.range === range
    const isReady = rows !== undefined && (isRead || areTold(rows, across))
    if (isReady) copyCells(event, { cursor, rows, columns: shown })
    else {
      event.preventDefault()
      toast({ text: `Reading ${(bottom - top + 1).toLocaleString()} rows that were not looked at yet …` })
      // A browser copies only while a key is pressed.
      withToast(
        source.read(top, bottom).then(async (read) => {
          await readTold(read, across)
          lastRead.current = { source, range }
          toast({ text: 'All rows of the range are read: copy again' })
        }),
      )
    }
    return isReady
  }
  const paste = async (table: Copied) => {
    const { top } = rangeOf(cursor)
    const last = lastPasted(table, cursor)
    const rows = await readRows(now, top, last)
    const found = await pastedCells(table, { cursor, rows, columns: shown })
    const below = last - top + 1 - rows.length
    const beyond = columnsBeyond(table, cursor, shown)
    const [only] = found
    if (found.length === 1 && only && !only.fault && !below && !beyond)
      save([only], `Changed ${only.column.label} of ${only.row.name}`)
    else if (found.length) setPasted({ cells: found, below, beyond })
  }
  const applyPaste = (all: readonly Pasted[]) => {
    const right = all.filter(
      ({ fault, row, column, value }) => !fault && !same(cellValue(column, row), value),
    )
    setPasted(null)
    save(right, right.length === 1 ? 'Pasted 1 cell' : `Pasted ${right.length} cells`)
  }
  return (
    <>
      <Grid
        label={label}
        scroller={grid}
        figures={props.figures}
        fieldTools={props.fieldTools}
        onAdd={props.hasAddRow ? props.onAdd : undefined}
        source={source}
        edits={edits}
        columns={columns}
        sort={sort}
        onSort={onSort}
        selection={selection}
        onToggle={(row, range) => {
          toggleRows(range ? lastToggled.current : row, row)
          lastToggled.current = row
        }}
        onAll={() => onSelection(isNothing(selection) ? EVERYTHING : NOTHING)}
        cursor={cursor}
        onCursor={setCursor}
        onKey={(event, page) => (editing ? typeAhead(event) : onTableKey(event, page, commands))}
        onEdit={(place) => edit(place, null)}
        onOpen={(index) => {
          const row = source.row(index)
          if (row) onPeek(row.item_id)
        }}
        onCopy={copy}
        onCut={(event) => {
          if (!isOnHeading(event.target) && copy(event)) write(clearRange(now))
        }}
        onPaste={(event) => {
          if (isOnHeading(event.target)) return
          event.preventDefault()
          const { files } = event.clipboardData
          const copied = copiedCells(event)
          if (readOnly) say('You may read here, not write')
          else if (files.length && isFileColumn(here.column)) {
            handFiles(files)
            edit(cursor.at, null)
          } else if (copied) write(paste(copied))
          else toast({ text: files.length ? 'This field takes no files' : 'There is nothing to paste' })
        }}
      />
      {editing && (
        <CellEditor
          key={`${editing.row}:${editing.column}`}
          column={editing.field}
          name={editing.item.name}
          value={cellValue(editing.field, editing.item)}
          typed={editing.typed}
          asked={editing.asked}
          box={editing.box}
          onSave={(value, then, ahead) => {
            saveEdited(editing, value)
            finish(editing, then, ahead)
          }}
          onRefuse={(value, message) => {
            edits.refuse(placeOf(editing.item, editing.field), value, message)
            setEditing(null)
          }}
          onLater={() => {
            setEditing(null)
            return (value) => saveEdited(editing, value)
          }}
          onCancel={(then = 'stay', ahead) => {
            edits.drop(placeOf(editing.item, editing.field))
            finish(editing, then, ahead)
          }}
        />
      )}
      {pasted && (
        <PasteDialog
          pasted={pasted.cells}
          below={pasted.below}
          beyond={pasted.beyond}
          onClose={() => setPasted(null)}
          onApply={() => applyPaste(pasted.cells)}
        />
      )}
    </>
  )
}

/** Where a key leads that ends an edit. */
function thenOf({ key, shiftKey }: KeyboardEvent): Then | undefined {
  if (key === 'Tab') return shiftKey ? 'left' : 'right'
  return key === 'Enter' ? (shiftKey ? 'up' : 'down') : undefined
}

const isBoolean = (column: Column | undefined): boolean =>
  column?.kind === 'field' && column.field.type === 'Boolean'

const isFileColumn = (column: Column | undefined): boolean =>
  column?.kind === 'field' && column.field.type === 'File'

/** Files that are dropped on a cell of files go to its editor. */
function useDroppedFiles(
  grid: RefObject<HTMLElement | null>,
  shown: readonly Column[],
  onDrop: (place: Place) => void,
): void {
  const isOfFiles = useEffectEvent(({ column }: Place) => isFileColumn(shown[column]))
  const dropOn = useEffectEvent(onDrop)
  useEffect(() => {
    const placeUnder = ({ target }: DragEvent): Place | undefined => {
      const cell = (target as Element).closest<HTMLElement>('[data-cell]')
      if (!cell || !grid.current?.contains(cell)) return undefined
      const [row = 0, column = 0] = cell.dataset['cell']!.split(':').map(Number)
      return isOfFiles({ row, column }) ? { row, column } : undefined
    }
    const over = (event: DragEvent) => {
      if (placeUnder(event)) event.preventDefault()
    }
    const dropped = (event: DragEvent) => {
      const place = placeUnder(event)
      if (!place || !event.dataTransfer?.files.length) return
      event.preventDefault()
      handFiles(event.dataTransfer.files)
      dropOn(place)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('drop', dropped)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('drop', dropped)
    }
  }, [grid])
}

/** The item next to the table goes along with the row where one is. */
function useTurn({ source, beside, opensItself, onTurn }: TableProps, { at, isFollowed }: Cursor): void {
  const { row } = at
  const before = useRef(row)
  useEffect(() => {
    if (isFollowed) before.current = row
    const isAsked = beside === null ? opensItself : before.current !== row
    const item_id = isAsked ? source.row(row)?.item_id : undefined
    if (item_id === undefined) return
    before.current = row
    if (item_id !== beside) onTurn(item_id)
  })
}

/** What may have to read rows first; where that fails it is said. */
function withToast(work: Promise<unknown>): void {
  work.catch((error: Error) => {
    if (error.name !== 'AbortError') toast({ text: error.message, kind: 'danger' })
  })
}

/** The same where it writes then: an undo waits for it from the beginning. */
const write = (work: Promise<unknown>): void => withToast(asWrite(work))

/** The edits of the page, whose saved rows this table shows. */
function useEdits(source: RowSource): ItemEdits {
  const edits = use(TableEdits)!
  useEffect(() => edits.savedTo((row) => source.replace(row)), [edits, source])
  return edits
}

function changeWords({ field, item }: Editing, value: unknown): string {
  const text = cellText(field, value, (id) => knownItemName(id) ?? id)
  return `Changed ${field.label} of ${item.name} to ${text || 'nothing'}`
}
