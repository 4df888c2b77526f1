import type { ImportFormat, ImportReader } from '#src/imports/source.ts'

/** The reader of each format, loaded when it is first needed. */
const READERS: Partial<Record<ImportFormat, () => Promise<ImportReader>>> = {
  csv: async () => (await import('#src/imports/csv/csv-reader.ts')).csvReader,
  markdown: async () => (await import('#src/imports/markdown/markdown-reader.ts')).markdownReader,
}

export const readerOf = async (format: ImportFormat): Promise<ImportReader | undefined> => READERS[format]?.()
