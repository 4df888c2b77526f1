import { randomBytes } from 'node:crypto'

/** What stands before addresses of rows and files while an import lasts: nothing that is imported can have it. */
export const newMark = (): string => `import-${randomBytes(12).toString('hex')}-`

/** Of HTML that has been cleaned: its texts have no such quotes. */
const OF_READER = /(?<= (?:href|src)=")import-(?=(?:row|file):)/g
export const withMark = (html: string, mark: string): string => html.replaceAll(OF_READER, mark)

const rowAddress = (mark: string) => new RegExp(`${mark}row:([^"'<>\\s]*)`, 'g')
const fileAddress = (mark: string) => new RegExp(`${mark}file:([^"]*)`, 'g')

/** Rows that a description leads to. */
export const rowsIn = (html: string, mark: string): string[] =>
  [...html.matchAll(rowAddress(mark))].map(([, id = '']) => id)

/** Paths of the archive that a description shows, as they are written in it. */
export const pathsIn = (html: string, mark: string): Set<string> =>
  new Set([...html.matchAll(fileAddress(mark))].map(([, path = '']) => path))

export const withFiles = (html: string, mark: string, addressOf: (path: string) => string): string =>
  html.replaceAll(fileAddress(mark), (_, path: string) => addressOf(path))

/** Null: of a file of the archive that is none of the base yet. */
export const fileAddressOf = (file_id: string | null): string => `/api/files/${file_id ?? '0'.repeat(26)}`

/** A description as it will be, as far as that is known while files of the archive are none of the base. */
export const foreseen = (html: string, mark: string): string =>
  withFiles(html, mark, () => fileAddressOf(null))

/** What leads to a row without an address is its text. */
export function withRows(html: string, mark: string, addressOf: (id: string) => string | undefined): string {
  const link = new RegExp(`<a href="${mark}row:([^"]*)"(?: title="[^"]*")?>((?:(?!<a\\b)[^])*?)</a>`, 'g')
  return html
    .replaceAll(link, (whole, id: string, text: string) => (addressOf(id) === undefined ? text : whole))
    .replaceAll(rowAddress(mark), (_, id: string) => addressOf(id) ?? '')
}
