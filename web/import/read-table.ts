import Papa from 'papaparse'

export interface TableText {
  headings: string[]
  rows: string[][]
  delimiter: string
}

/** Signs between the columns, with what they are called. */
export const DELIMITERS: readonly (readonly [string, string])[] = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Bar'],
]

/** A table as text; without a delimiter it is guessed, by the sign that gives every row as many columns. */
export function readTable(text: string, delimiter?: string): TableText {
  const by = delimiter ?? guess(text)
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    delimiter: by,
    skipEmptyLines: 'greedy',
  })
  const [headings = [], ...rows] = data
  return { headings: headings.map((each) => each.trim()), rows, delimiter: by }
}

const LINES = 30

function guess(text: string): string {
  let [best, most] = [',', 1]
  for (const [sign] of DELIMITERS) {
    const { data } = Papa.parse<string[]>(text, { delimiter: sign, preview: LINES, skipEmptyLines: 'greedy' })
    const columns = data[0]?.length ?? 1
    const even = data.filter((row) => row.length === columns).length / Math.max(1, data.length)
    if (columns * even > most) [best, most] = [sign, columns * even]
  }
  return best
}

/** Rows as a file again. */
export const writeTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  Papa.unparse([[...headings], ...rows.map((row) => [...row])], { escapeFormulae: true })
