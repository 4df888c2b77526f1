import { useState, useSyncExternalStore } from 'react'
import type { RowSource } from '#web/data/row-source.ts'
import type { Column } from '#web/rules/column.ts'
import { type Cursor, cursorAt, START } from '#web/table/cursor.ts'

interface Held {
  cursor: Cursor
  source: RowSource
  item: string | undefined
  columns: string
  column: string | undefined
}

/**
 * Where one is. It goes along with its item and its column where others come between or another order is asked for; a
 * range, whose cells do not stay together, is left then. An item that is not among the first rows any more leaves the
 * cursor on the first one.
 */
export function useFollowedCursor(
  source: RowSource,
  shown: readonly Column[],
): [Cursor, (cursor: Cursor) => void] {
  const [cursor, setCursor] = useState<Cursor>(START)
  const { row, column } = cursor.at
  const item = useSyncExternalStore(source.subscribe, () => source.row(row)?.item_id)
  const columns = shown.map(({ key }) => key).join(' ')
  const now: Held = { cursor, source, item, columns, column: shown[column]?.key }
  const [held, setHeld] = useState(now)
  const isOther = source !== held.source || columns !== held.columns || item !== held.item
  if (cursor !== held.cursor || (isOther && held.item === undefined)) setHeld(now)
  else if (isOther && item !== undefined) {
    const at = { row: rowOf(held, source, row), column: columnOf(held, shown, column) }
    const followed: Cursor = { ...cursorAt(at), isFollowed: true }
    setCursor(followed)
    setHeld({ ...now, cursor: followed, item: source.row(at.row)?.item_id, column: shown[at.column]?.key })
  }
  return [cursor, setCursor]
}

function rowOf(held: Held, source: RowSource, row: number): number {
  const place = source.rows.slice(0, source.front).findIndex(({ item_id }) => item_id === held.item)
  if (place >= 0) return place
  return source === held.source ? row : 0
}

function columnOf({ column }: Held, shown: readonly Column[], at: number): number {
  const place = shown.findIndex(({ key }) => key === column)
  return place >= 0 ? place : Math.max(0, Math.min(at, shown.length - 1))
}
