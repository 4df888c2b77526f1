import { valueText } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { sayNumber } from '#web/rules/typed-number.ts'

/** Cells as spreadsheets hand them over: tabs between, a line for each row, quotes around what holds either. */
export function tableToText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join('\t')).join('\n')
}

/** A cell that others read: its text, and what it is. */
export interface ToldCell {
  text: string
  value: unknown
}

/** A cell as it is copied; numbers by the signs of the locale, as other programs on the reader's machine read them. */
export function toldCell(
  column: Column,
  value: unknown,
  nameOf: (id: string) => string,
  locale: string,
): ToldCell {
  const text = typeof value === 'number' ? sayNumber(value, locale) : valueText(column, value, nameOf)
  return { text, value }
}

/**
 * The same as a table of HTML, which texts and mails take as one, and spreadsheets before the text: numbers go along as
 * what they are, whatever language a sheet is in.
 */
export function tableToHtml(rows: readonly (readonly ToldCell[])[], headings?: readonly string[]): string {
  const line = (cells: readonly ToldCell[], kind: 'td' | 'th') =>
    `<tr>${cells.map(({ text, value }) => `<${kind}${asNumber(value)}>${escaped(text)}</${kind}>`).join('')}</tr>`
  const head = headings?.map((text) => ({ text, value: text }))
  return `<table xmlns:x="urn:schemas-microsoft-com:office:excel">${head ? `<thead>${line(head, 'th')}</thead>` : ''}<tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`
}

/** As Excel, Google Sheets and LibreOffice write the number of a cell beside what it shows. */
function asNumber(value: unknown): string {
  if (typeof value !== 'number') return ''
  const ofSheets = escaped(JSON.stringify({ 1: 3, 3: value }))
  return ` x:num="${value}" data-sheets-value="${ofSheets}" sdval="${value}"`
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '<br>')

const quoted = (text: string) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export function tableFromText(text: string): string[][] {
  const given = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')
  const rows: string[][] = [[]]
  for (let i = 0; ;) {
    const closing = closingQuote(given, i)
    const end = closing === undefined ? endOfCell(given, i) : closing + 1
    const cell =
      closing === undefined ? given.slice(i, end) : given.slice(i + 1, closing).replaceAll('""', '"')
    rows.at(-1)!.push(cell)
    if (end === given.length) return rows
    if (given[end] === '\n') rows.push([])
    i = end + 1
  }
}

/** Of a cell that is in quotes as a whole: others only begin with one, as `"Yes" she said` does. */
function closingQuote(text: string, start: number): number | undefined {
  if (text[start] !== '"') return undefined
  let i = text.indexOf('"', start + 1)
  while (i >= 0 && text[i + 1] === '"') i = text.indexOf('"', i + 2)
  return i >= 0 && [undefined, '\t', '\n'].includes(text[i + 1]) ? i : undefined
}

function endOfCell(text: string, start: number): number {
  const rest = /[\t\n]/g
  rest.lastIndex = start
  return rest.exec(text)?.index ?? text.length
}
