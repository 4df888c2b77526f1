import type { Readable } from 'node:stream'
import { decodedAddress } from '#src/imports/decoded-address.ts'
import type { ImportTask } from '#src/imports/import-worker.ts'
import { readerOf } from '#src/imports/readers.ts'
import { pathsIn, withFiles } from '#src/imports/rows/row-addresses.ts'
import type { ImportRow } from '#src/imports/rows/targets.ts'

/** Keeps a file; its id. */
export type KeepEmbedded = (name: string, content: Readable) => Promise<string>

/** What rows have of files in an archive becomes files of the base, each once while a job lasts. */
export class EmbeddedFiles {
  private readonly task: ImportTask | null
  private readonly keep: KeepEmbedded
  private readonly kept = new Map<string, string>()

  constructor(task: ImportTask | null, keep: KeepEmbedded) {
    this.task = task
    this.keep = keep
  }

  readonly withFiles = async (rows: ImportRow[]): Promise<ImportRow[]> => {
    for (const row of rows) {
      for (const [field, files] of Object.entries(row.files ?? {})) {
        const value: { file_id: string; name: string }[] = []
        for (const { path, name } of files) value.push({ file_id: await this.idOf(path, name), name })
        row.values[field] = value
      }
      if (!row.linked) continue
      const ids = new Map<string, string>()
      for (const at of pathsIn(row.description ?? '', row.linked)) {
        const path = decodedAddress(at)
        const name = row.file_names?.[path] ?? path.slice(path.lastIndexOf('/') + 1)
        ids.set(at, await this.idOf(path, name))
      }
      row.description = withFiles(row.description ?? '', row.linked, (at) => `/api/files/${ids.get(at)}`)
    }
    return rows
  }

  private async idOf(path: string, name: string): Promise<string> {
    const known = this.kept.get(path)
    if (known !== undefined) return known
    const reader = await readerOf(this.task!.format)
    if (!reader?.openEmbedded) return ''
    const content = await reader.openEmbedded(this.task!.file, path)
    try {
      const file_id = await this.keep(name, content)
      this.kept.set(path, file_id)
      return file_id
    } finally {
      content.destroy() // nobody may have begun to read, and the archive stays open until it is closed
    }
  }
}
