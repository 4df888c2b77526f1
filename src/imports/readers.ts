import type { ImportFormat, ImportReader } from '#src/imports/source.ts'

/** The reader of each format, loaded when it is first needed. */
const READERS: Partial<Record<ImportFormat, () => Promise<ImportReader>>> = {
  csv: async () => (await import('#src/imports/csv/csv-reader.ts')).csvReader,
  markdown: async () => (await import('#src/imports/markdown/markdown-reader.ts')).markdownReader,
  xlsx: async () => (await import('#src/imports/xlsx/xlsx-reader.ts')).xlsxReader,
  json: async () => (await import('#src/imports/json-text/json-reader.ts')).jsonReader,
  notion: async () => (await import('#src/imports/notion/notion-reader.ts')).notionReader,
}

export const readerOf = async (format: ImportFormat): Promise<ImportReader | undefined> => READERS[format]?.()
