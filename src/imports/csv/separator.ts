import { parse } from 'csv-parse/sync'
import { TableShape } from '#src/imports/csv/table-shape.ts'

const SEPARATORS = [',', ';', '\t', '|'] as const
/** Rows that are looked at. */
const ROWS = 30

/** How the cells of a row are parted. */
export interface Separation {
  delimiter: string
  /** Blanks before a quote are none of the cell, nor are those before any other: `TV, "a, b"`. */
  ltrim: boolean
  /** What is before a quote inside quotes; without it that is doubled. */
  escape?: '\\'
}

/** The first line that Excel writes and reads: `sep=;` says what parts the columns, and is no row. */
const SAID = /^"?sep=([^"\r\n])"?(?=[\r\n]|$)/i

/** The sign that a file names itself. */
export const separatorSaid = (head: string): string | undefined => SAID.exec(head)?.[1]

/**
 * What gives the first rows the most columns, as far as all have as many; of titles above them only where none does
 * otherwise. `head` ends where a row does.
 */
export function separatorOf(head: string): string {
  const shapes = SEPARATORS.map((delimiter) => ({ delimiter, shape: betterShape(head, delimiter) }))
  for (const count of ['untitledColumns', 'columns'] as const) {
    const most = Math.max(...shapes.map(({ shape }) => shape[count]))
    if (most > 1) return shapes.find(({ shape }) => shape[count] === most)!.delimiter
  }
  return ','
}

function betterShape(head: string, delimiter: string): TableShape {
  const plain = shapeBy(head, { delimiter, ltrim: false })
  const trimmed = shapeBy(head, { delimiter, ltrim: true })
  return trimmed.isBetterThan(plain) ? trimmed : plain
}

function shapeBy(head: string, separation: Separation): TableShape {
  const shape = new TableShape()
  for (const row of rowsBy(head, separation)) shape.take(row)
  return shape
}

function rowsBy(head: string, separation: Separation): string[][] {
  try {
    return parse(head, { ...CSV, ...separation, to: ROWS })
  } catch {
    // A quote is open where the head ends: its first line has to do.
    return [head.split(/[\r\n]/, 1)[0]!.split(separation.delimiter)]
  }
}

/** What is forgiven: quotes inside texts, rows of any length, and line ends of every kind in one file. */
export const CSV = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
}
