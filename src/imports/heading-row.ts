import { type Cell, isBlankCell, isEmpty, isRich } from '#src/imports/source.ts'

export interface PlacedRow {
  line: number
  cells: readonly Cell[]
}

/** Rows that may be above the headings. */
export const MOST_TITLES = 10
/** Cells of a title, or of a line that names what the table is about: `Account;DE02`. */
const TITLE_CELLS = 2
const LONGEST_TITLE = 300

const filledOf = ({ cells }: PlacedRow): Cell[] => cells.filter((cell) => !isBlankCell(cell))

/** Cells that a row of headings has at least, below titles that have so many. */
export const leastHeadings = (cells: number): number => (cells === 1 ? 3 : 4)

/**
 * Which of the first rows has the headings; undefined: more rows are needed. It is the first one unless what is above
 * another can be nothing but titles: the row below it has to be of its columns.
 */
export function headingRow(rows: readonly PlacedRow[], isWhole: boolean): number | undefined {
  const at = rows.findIndex((row) => filledOf(row).length > TITLE_CELLS)
  const titles = at < 0 ? rows : rows.slice(0, at)
  if (!titles.every(mayBeTitle) || titles.length > MOST_TITLES) return 0
  if (at <= 0) return at === 0 || isWhole ? 0 : undefined
  if (!areBelow(rows[at]!, titles)) return 0
  const below = rows[at + 1]
  if (!below) return isWhole ? 0 : undefined
  const isTable = filledOf(below).length > 1 && widthOf(below) <= widthOf(rows[at]!)
  return isTable && areShown(titles, rows[at]!, below) ? at : 0
}

/** By an empty row below them, by as many cells as the headings have, or by values below these: a list of texts has none of it. */
const areShown = (titles: readonly PlacedRow[], headings: PlacedRow, below: PlacedRow): boolean =>
  isBehindGap(headings, titles.at(-1)!) ||
  titles.some(({ cells }) => cells.length > TITLE_CELLS) ||
  filledOf(below).some((cell) => !isHeading(cell))

/** A first heading alone, as of a table whose other columns have none, is none. */
function mayBeTitle(row: PlacedRow, at: number): boolean {
  const texts = filledOf(row).map(textOf)
  if (texts.some((each) => each.length > LONGEST_TITLE)) return false
  return at > 0 || !texts.some((each) => /^(?:name|title|item_id|id)$/i.test(each.trim()))
}

function areBelow(row: PlacedRow, titles: readonly PlacedRow[]): boolean {
  const most = Math.max(...titles.map((each) => filledOf(each).length))
  const filled = filledOf(row)
  if (filled.length < leastHeadings(most) || filled.length < widthOf(row)) return false
  if (most > 1 && !isBehindGap(row, titles.at(-1)!)) return false
  const texts = filled.map((cell) => textOf(cell).trim().toLowerCase())
  return new Set(texts).size === texts.length && filled.every(isHeading)
}

const widthOf = ({ cells }: PlacedRow): number => cells.findLastIndex((cell) => !isEmpty(cell)) + 1

const isBehindGap = (row: PlacedRow, before: PlacedRow): boolean =>
  row.line - before.line > 1 && !before.cells.some((cell) => /[\r\n]/.test(textOf(cell)))

/** Numbers, dates and truths are values. */
const isHeading = (cell: Cell): boolean =>
  typeof cell === 'string' && cell.length <= LONGEST_TITLE && !/^[\s\d.,:/+\-−%€$£]*$/.test(cell)

const textOf = (cell: Cell): string => (cell === null || isRich(cell) ? '' : String(cell))
