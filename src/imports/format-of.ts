import type { ImportFormat } from '#src/imports/source.ts'

const BY_END: Readonly<Record<string, ImportFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  txt: 'csv',
  xlsx: 'xlsx',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  md: 'markdown',
  zip: 'markdown',
}

/** Listed for whoever has a file with another end. */
export const FORMAT_ENDS = Object.keys(BY_END).map((end) => `.${end}`)

/** The format that the name of a file says; undefined: none. */
export const formatOf = (name: string): ImportFormat | undefined =>
  BY_END[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
