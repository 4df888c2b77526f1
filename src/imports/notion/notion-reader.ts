import { inLists } from '#src/imports/markdown/markdown-reader.ts'
import { notionRecords } from '#src/imports/notion/notion-records.ts'
import { NotionSpace } from '#src/imports/notion/notion-space.ts'
import { ImportFault, type ImportReader } from '#src/imports/source.ts'
import { Archive } from '#src/imports/zip/archive.ts'
import { openArchived } from '#src/imports/zip/shared-archive.ts'

/** What Notion exports as "Markdown & CSV": a zip, or a zip of zips. */
export const notionReader: ImportReader = {
  async *read(file, { signal }) {
    const archive = await Archive.open(file, { unpackZips: true, signal })
    try {
      const space = new NotionSpace(archive)
      if (!space.databases.length && !space.vault.notes.length)
        throw new ImportFault(
          'there is neither a page (.md) nor a database (.csv) in it',
          { file: file.name },
          'Export from Notion as "Markdown & CSV"',
        )
      yield archive.left_out
      yield* inLists(notionRecords(space, file.name), signal)
    } finally {
      await archive.close()
    }
  },
  openEmbedded: (file, path) => openArchived(file, path, { unpackZips: true }),
}
