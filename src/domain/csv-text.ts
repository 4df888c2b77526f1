/** Beginnings that a spreadsheet takes for a formula, and our own mark (further §15). */
const TAKEN_FOR_FORMULA = /^[=+\-@\t\r']/

/** A text as a cell: what a spreadsheet would compute gets a `'` before it, which the importer takes off. */
export const guarded = (text: string): string => (TAKEN_FOR_FORMULA.test(text) ? `'${text}` : text)

/** Elements in one cell: parted by `, `, quoted where they hold what may part or quotes, or blanks at an end. */
export const listCell = (elements: readonly string[]): string =>
  elements.map((element) => (/[",;\r\n]|^\s|\s$|^$/.test(element) ? quoted(element) : element)).join(', ')

/** One line of RFC 4180, with its end. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? quoted(cell) : cell)).join()}\r\n`

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const TRUE = new Set('true yes y on 1 x ✓ checked wahr ja vrai oui verdadero vero sí si'.split(' '))
const FALSE = new Set('false no n off 0 unchecked falsch nein faux non falso'.split(' '))

/** What people and other programs write for true and false; null: it is neither. */
export function readBoolean(text: string): boolean | null {
  const folded = text.toLowerCase()
  if (TRUE.has(folded)) return true
  return FALSE.has(folded) ? false : null
}
