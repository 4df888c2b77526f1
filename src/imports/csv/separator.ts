import { parse } from 'csv-parse/sync'

const SEPARATORS = [',', ';', '\t', '|'] as const
/** Rows that are looked at. */
const ROWS = 30

/** The first line that Excel writes and reads: `sep=;` says what parts the columns, and is no row. */
const SAID = /^"?sep=([^"\r\n])"?(?=[\r\n]|$)/i

/** The sign that a file names itself. */
export const separatorSaid = (head: string): string | undefined => SAID.exec(head)?.[1]

/** The sign that gives the first rows the most columns, as far as all have as many. `head` ends where a row does. */
export function separatorOf(head: string): string {
  let best: string = ','
  let most = 1
  for (const sign of SEPARATORS) {
    const rows = rowsBy(head, sign)
    const columns = rows[0]?.length ?? 1
    const even = rows.filter((row) => row.length === columns).length / Math.max(1, rows.length)
    if (columns * even > most) [best, most] = [sign, columns * even]
  }
  return best
}

function rowsBy(head: string, delimiter: string): string[][] {
  try {
    return parse(head, { ...CSV, delimiter, to: ROWS })
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
