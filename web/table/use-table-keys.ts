import type { KeyboardEvent } from 'react'
import type { Action } from '#web/parts/action.ts'
import { typedBy } from '#web/parts/composing-keys.ts'
import { redoLast, undoLast } from '#web/data/undo-stack.ts'
import { type Cursor, cursorAt, isOneCell, moved, type Place, within } from '#web/table/cursor.ts'

/** What a key can make the table do. */
export interface TableCommands {
  rows: number
  columns: number
  cursor: Cursor
  setCursor: (cursor: Cursor) => void
  /** Undefined where the cell cannot be edited. */
  edit: (place: Place, typed: string | null) => void
  /** The same for a letter that is only begun. */
  compose: (place: Place) => void
  /** The next cell that can be edited, forth or back; undefined after the last one. */
  nextEditable: (from: Place, step: 1 | -1) => Place | undefined
  /** Space: a Boolean changes, anything else opens its item alongside. */
  space: () => void
  openPage: () => void
  /** Where the cell's text leads. */
  openLink: () => void
  toggleRow: () => void
  selectAll: () => void
  escape: () => void
  addItem: () => void
  clear: () => void
  fillDown: () => void
  today: () => void
  moveColumn: (by: number) => void
  /** Brings the item's values to the tag's present version. */
  bringUp: () => void
}

/** The keys of a spreadsheet; a key that does nothing here is left to others. */
export function onTableKey(event: KeyboardEvent, page: number, table: TableCommands): void {
  if (isWithin(event.target, '[role=menu], [aria-haspopup]')) return
  if (isOnHeading(event.target) && isOfCell(event)) return
  if (openLink(event, table) || shortcut(event, table) || move(event, page, table) || act(event, table))
    event.preventDefault()
}

const isWithin = (target: EventTarget, selector: string): boolean =>
  target instanceof HTMLElement && target.closest(selector) !== null

/** A heading that was pressed has the focus: what it means by itself is meant, and no cell. */
export const isOnHeading = (target: EventTarget): boolean => isWithin(target, '[role=columnheader]')

const isOfCell = (event: KeyboardEvent): boolean =>
  typedBy(event) !== undefined ||
  (isMod(event)
    ? ['d', 'u', ';'].includes(event.key)
    : ['Enter', 'F2', 'Delete', 'Backspace', 'Dead'].includes(event.key))

const isMod = ({ ctrlKey, metaKey }: KeyboardEvent) => ctrlKey || metaKey

function shortcut(event: KeyboardEvent, table: TableCommands): boolean {
  if (!isMod(event) || event.altKey) return false
  const { key, shiftKey } = event
  if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight'))
    table.moveColumn(key === 'ArrowLeft' ? -1 : 1)
  else if (key === 'a') table.selectAll()
  else if (key === 'Enter') table.openPage()
  else if (key === ';') table.today()
  else if (key === 'd') table.fillDown()
  else if (key === 'u') table.bringUp()
  else if (key.toLowerCase() === 'z') void (shiftKey ? redoLast() : undoLast())
  else return false
  return true
}

function openLink({ key, altKey }: KeyboardEvent, table: TableCommands): boolean {
  if (!altKey || key !== 'Enter') return false
  table.openLink()
  return true
}

function move(event: KeyboardEvent, page: number, table: TableCommands): boolean {
  const { cursor, rows, columns, setCursor } = table
  const { key, shiftKey, altKey } = event
  if (altKey) return false
  if (key === 'Tab') {
    const next = table.nextEditable(cursor.at, shiftKey ? -1 : 1)
    if (next) setCursor(cursorAt(next))
    return next !== undefined
  }
  const to = moved(key, cursor.at, { rows, columns, page, mod: isMod(event) })
  if (!to) return false
  const at = within(to, rows, columns)
  setCursor(shiftKey ? { ...cursor, at } : cursorAt(at))
  return true
}

function act(event: KeyboardEvent, table: TableCommands): boolean {
  const { key, shiftKey } = event
  const { at } = table.cursor
  if (key === 'Dead') {
    // The letter that comes of it is composed in the editor: the key is left to the browser.
    if (!isMod(event)) table.compose(at)
    return false
  }
  const typed = typedBy(event)
  if (typed === undefined && (isMod(event) || event.altKey)) return false
  if (key === ' ') shiftKey ? table.toggleRow() : table.space()
  else if (key === 'Enter') shiftKey ? table.addItem() : table.edit(at, null)
  else if (key === 'F2') table.edit(at, null)
  else if (key === 'Delete' || key === 'Backspace') table.clear()
  else if (key === 'Escape') {
    if (!isOneCell(table.cursor)) table.setCursor(cursorAt(at))
    else table.escape()
  } else if (typed !== undefined) table.edit(at, typed) // no other key starts an edit
  else return false
  return true
}

const HEARD: readonly [keys: string, title: string][] = [
  ['enter', 'Edit the cell (F2, or just type)'],
  ['tab', 'Next cell that can be edited'],
  [' ', 'Open the item next to it; yes and no'],
  ['mod+enter', 'Open the item'],
  ['alt+enter', 'Open the link of the cell'],
  ['shift+enter', 'New item'],
  ['shift+ ', 'Select the row'],
  ['mod+a', 'Select all that match'],
  ['delete', 'Empty the cells'],
  ['mod+c', 'Copy; Ctrl X cuts, Ctrl V pastes'],
  ['mod+d', 'Fill from above'],
  ['mod+;', 'Today'],
  ['mod+u', 'Bring to the tag’s present version'],
  ['mod+z', 'Undo; with Shift redo'],
  ['mod+shift+arrowright', 'Move the column'],
]

/** What the table hears by itself, for the map of keys. */
export const TABLE_KEYS: readonly Action[] = HEARD.map(([keys, title]) => ({
  id: `table ${keys}`,
  title,
  keys,
  group: 'Table',
  heard: true,
  run: () => undefined,
}))
