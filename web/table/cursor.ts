/** A cell by its place on the page. */
export interface Place {
  row: number
  column: number
}

/** Where one is, and from where a range reaches to there. */
export interface Cursor {
  at: Place
  anchor: Place
  /** It went along with its item: nobody has gone there, and nothing comes into sight by it. */
  isFollowed?: true
}

export interface Range {
  top: number
  bottom: number
  left: number
  right: number
}

export const START: Cursor = { at: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } }

export const cursorAt = (at: Place): Cursor => ({ at, anchor: at })

export function rangeOf({ at, anchor }: Cursor): Range {
  return {
    top: Math.min(at.row, anchor.row),
    bottom: Math.max(at.row, anchor.row),
    left: Math.min(at.column, anchor.column),
    right: Math.max(at.column, anchor.column),
  }
}

export const isOneCell = ({ at, anchor }: Cursor): boolean =>
  at.row === anchor.row && at.column === anchor.column

/** Inside the table, however far a key would lead. */
export const within = ({ row, column }: Place, rows: number, columns: number): Place => ({
  row: Math.min(Math.max(row, 0), Math.max(rows - 1, 0)),
  column: Math.min(Math.max(column, 0), Math.max(columns - 1, 0)),
})

/** Where a key leads from here; undefined for keys that do not move. */
export function moved(
  key: string,
  { row, column }: Place,
  { rows, columns, page, mod }: { rows: number; columns: number; page: number; mod: boolean },
): Place | undefined {
  switch (key) {
    case 'ArrowDown':
      return { row: mod ? rows - 1 : row + 1, column }
    case 'ArrowUp':
      return { row: mod ? 0 : row - 1, column }
    case 'ArrowRight':
      return { row, column: mod ? columns - 1 : column + 1 }
    case 'ArrowLeft':
      return { row, column: mod ? 0 : column - 1 }
    case 'PageDown':
      return { row: row + page, column }
    case 'PageUp':
      return { row: row - page, column }
    case 'Home':
      return { row: mod ? 0 : row, column: 0 }
    case 'End':
      return { row: mod ? rows - 1 : row, column: columns - 1 }
    default:
      return undefined
  }
}
