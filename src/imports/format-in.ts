import { isNotionExport } from '#src/imports/notion/notion-space.ts'
import type { ImportFile, ImportFormat } from '#src/imports/source.ts'
import { Archive } from '#src/imports/zip/archive.ts'

/** What a file seems to be where its name alone said the format: exports of Notion's are zips too. */
export async function formatIn(
  file: ImportFile,
  format: ImportFormat,
  signal: AbortSignal,
): Promise<ImportFormat> {
  if (format !== 'markdown') return format
  const archive = await Archive.open(file, { signal })
  try {
    return isNotionExport(archive.files.keys()) ? 'notion' : format
  } finally {
    await archive.close()
  }
}
