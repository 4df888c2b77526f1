import { parse } from 'csv-parse/sync'

const SEPARATORS = [',', ';', '\t', '|'] as const
/** Rows that are looked at. */
const ROWS = 30

/** How the cells of a row are parted. */
export interface Separation {
  delimiter: string
  /** Blanks before a quote are none of the cell, nor are those before any other: `TV, "a, b"`. */
  ltrim: boolean
}

/** The first line that Excel writes and reads: `sep=;` says what parts the columns, and is no row. */
const SAID = /^"?sep=([^"\r\n])"?(?=[\r\n]|$)/i

/** The sign that a file names itself. */
export const separatorSaid = (head: string): string | undefined => SAID.exec(head)?.[1]

/**
 * What gives the first rows the most columns, as far as all have as many; `said`: the sign is known. `head` ends where
 * a row does.
 */
export function separationOf(head: string, said?: string): Separation {
  let best: Separation = { delimiter: said ?? ',', ltrim: false }
  let most = said === undefined ? 1 : 0
  for (const delimiter of said === undefined ? SEPARATORS : [said]) {
    const found = separationBy(head, delimiter)
    if (found.columns > most) [best, most] = [{ delimiter, ltrim: found.ltrim }, found.columns]
  }
  return best
}

/** Blanks before quotes are taken off where a quote begins a cell only without them, and the table is as even as with. */
function separationBy(head: string, delimiter: string): { columns: number; ltrim: boolean } {
  const rows = rowsBy(head, { delimiter, ltrim: false })
  const trimmed = rowsBy(head, { delimiter, ltrim: true })
  const [plain, other] = [evenColumns(rows), evenColumns(trimmed)]
  const ltrim = other >= plain && withoutBlanks(rows) !== withoutBlanks(trimmed)
  return { columns: ltrim ? other : plain, ltrim }
}

/** How many columns rows have, less where some have others. */
function evenColumns(rows: readonly string[][]): number {
  const [first = 1, ...others] = rows.map(({ length }) => length)
  // A title is above them: lists of one column hardly have three elements each.
  const isTitled = first === 1 && others.length > 1 && others[0]! >= 3 && new Set(others).size === 1
  const columns = isTitled ? others[0]! : first
  return (columns * rows.filter(({ length }) => length === columns).length) / Math.max(1, rows.length)
}

const withoutBlanks = (rows: readonly string[][]): string =>
  JSON.stringify(rows.map((row) => row.map((cell) => cell.trimStart())))

function rowsBy(head: string, { delimiter, ltrim }: Separation): string[][] {
  try {
    return parse(head, { ...CSV, delimiter, ltrim, to: ROWS })
  } catch {
    // A quote is open where the head ends: its first line has to do.
    return [head.split(/[\r\n]/, 1)[0]!.split(delimiter)]
  }
}

/** What is forgiven: quotes inside texts, rows of any length, and line ends of every kind in one file. */
export const CSV = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
}
