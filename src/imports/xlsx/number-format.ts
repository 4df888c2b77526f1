/** What the number of a cell is, by its format. */
export type NumberKind = 'number' | 'date' | 'time' | 'duration'

/** What a format shows as it is, leaves out or repeats to fill the cell: `"days"`, `\d`, `_D`, `*s`, `[Red]`. */
const LITERAL = /"[^"]*"|\\.|[_*].|\[[^\]]*\]/g
/** Hours, minutes or seconds that go on beyond a day: `[h]:mm`. */
const ELAPSED = /^\[(?:h+|m+|s+)\]$/i

/** Of a format's code: `dd/mm/yyyy`, `h:mm`, `[h]:mm`, but not `"days" 0` or `[Red]0`. */
export function kindOfCode(code: string): NumberKind {
  if (code.match(LITERAL)?.some((each) => ELAPSED.test(each))) return 'duration'
  const signs = code.replaceAll(LITERAL, '').replace(/general/i, '')
  if (/[dy]/i.test(signs)) return 'date'
  if (/[hs]/i.test(signs)) return 'time'
  return /m/i.test(signs) ? 'date' : 'number'
}

/** Of formats that every spreadsheet program has without a code. */
export function kindOfBuiltIn(id: number): NumberKind {
  if (id === 46) return 'duration'
  if ((id >= 18 && id <= 21) || id === 32 || id === 33 || id === 45 || id === 47) return 'time'
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number'
}
