import type { ImportFormat } from '#src/imports/source.ts'

const BY_END: Readonly<Record<string, ImportFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  txt: 'csv',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  json: 'json',
  geojson: 'json',
  jsonl: 'json',
  ndjson: 'json',
  md: 'markdown',
  zip: 'markdown',
}

/** Of spreadsheets in formats that are not read. */
const SHEETS = /\.(?:xls|xlsb|xlt|xltx|ods|fods|numbers|gsheet)$/i

/** The way out for whoever has a file whose name says no format; `said`: what says it otherwise. */
export const otherFormat = (name: string, said = "the 'format'"): string =>
  SHEETS.test(name)
    ? 'Save it as .xlsx, and import that'
    : `Give it a name that ends in ${Object.keys(BY_END)
        .map((end) => `.${end}`)
        .join(', ')}, or say ${said}`

export const hasHeaderRow = (format: ImportFormat): boolean => format === 'csv' || format === 'xlsx'

/** The format that the name of a file says; undefined: none. */
export const formatOf = (name: string): ImportFormat | undefined =>
  BY_END[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
