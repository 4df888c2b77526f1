import { AT_ONCE, MAX_CELL } from '#src/imports/bounds.ts'
import { ownRecords } from '#src/imports/markdown/own-export.ts'
import { vaultRecords } from '#src/imports/markdown/vault-records.ts'
import { Vault } from '#src/imports/markdown/vault.ts'
import { ImportFault, type ImportReader, type SourceRecord } from '#src/imports/source.ts'
import { Archive } from '#src/imports/zip/archive.ts'
import { openArchived } from '#src/imports/zip/shared-archive.ts'

/** A zip of a folder of notes: Obsidian's vaults, and what `POST /api/items/export` makes. */
export const markdownReader: ImportReader = {
  async *read(file, { signal }) {
    const archive = await Archive.open(file, { signal })
    try {
      const vault = new Vault(archive)
      const about = archive.files.get(`${vault.root}facet.json`)
      if (!vault.notes.length && !about)
        throw new ImportFault('there is no note in it (.md)', { file: file.name })
      yield archive.left_out
      yield* inLists(about ? ownRecords(about, vault, file.name) : vaultRecords(vault, file.name), signal)
    } finally {
      await archive.close()
    }
  },
  openEmbedded: (file, path) => openArchived(file, path),
}

/** Some hundred records, or a few megabytes of text, at a time. */
export async function* inLists(
  records: AsyncIterable<SourceRecord>,
  signal: AbortSignal,
): AsyncGenerator<readonly SourceRecord[]> {
  let list: SourceRecord[] = []
  let size = 0
  for await (const record of records) {
    signal.throwIfAborted()
    list.push(record)
    if (record.is === 'row') for (const cell of record.cells.values()) size += sizeOf(cell)
    if (list.length < AT_ONCE && size < 2 * MAX_CELL) continue
    yield list
    list = []
    size = 0
  }
  if (list.length) yield list
}

const sizeOf = (cell: unknown): number => {
  if (typeof cell === 'string') return cell.length
  return typeof cell === 'object' && cell !== null && 'html' in cell ? String(cell.html).length : 16
}
