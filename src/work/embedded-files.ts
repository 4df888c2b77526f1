import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileName } from '#src/domain/file-name.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { decodedAddress } from '#src/imports/decoded-address.ts'
import type { ImportTask } from '#src/imports/import-worker.ts'
import { readerOf } from '#src/imports/readers.ts'
import { fileAddressOf, pathsIn, withFiles } from '#src/imports/rows/row-addresses.ts'
import type { ImportRow } from '#src/imports/rows/targets.ts'
import type { FileSought } from '#src/storage/files/files.ts'

/** Keeps a file, or looks for it; its id, null where the base has none. `was`: its id where an export was made. */
export type EmbeddedId = (name: string, content: Readable, was: Ulid | undefined) => Promise<Ulid | null>

/** While rows are checked nothing is kept: a file of the same bytes and name is there, or it will be another one. */
export const findEmbedded =
  (call: (file: FileSought) => Promise<Ulid | null>): EmbeddedId =>
  async (name, content, was) => {
    const hash = createHash('sha256')
    await pipeline(content, hash)
    return call({ sha256: hash.digest('hex'), name: fileName(name), was })
  }

/** What rows have of files in an archive as files of the base, each looked at once while a job lasts. */
export class EmbeddedFiles {
  private readonly task: ImportTask | null
  private readonly embeddedId: EmbeddedId
  private readonly known = new Map<string, Ulid | null>()

  constructor(task: ImportTask | null, embeddedId: EmbeddedId) {
    this.task = task
    this.embeddedId = embeddedId
  }

  readonly withFiles = async (rows: ImportRow[]): Promise<ImportRow[]> => {
    for (const row of rows) {
      for (const [field, files] of Object.entries(row.files ?? {})) {
        const value: { file_id: Ulid | null; name: string }[] = []
        for (const { path, name } of files) value.push({ file_id: await this.idOf(path, name), name })
        if (value.every(({ file_id }) => file_id !== null)) row.values[field] = value
      }
      if (!row.linked) continue
      const ids = new Map<string, Ulid | null>()
      for (const at of pathsIn(row.description ?? '', row.linked)) {
        const path = decodedAddress(at)
        const name = row.file_names?.[path] ?? path.slice(path.lastIndexOf('/') + 1)
        ids.set(at, await this.idOf(path, name))
      }
      row.description = withFiles(row.description ?? '', row.linked, (at) =>
        fileAddressOf(ids.get(at) ?? null),
      )
    }
    return rows
  }

  private async idOf(path: string, name: string): Promise<Ulid | null> {
    const known = this.known.get(path)
    if (known !== undefined) return known
    const reader = await readerOf(this.task!.format)
    if (!reader?.openEmbedded) return null
    const content = await reader.openEmbedded(this.task!.file, path)
    try {
      const file_id = await this.embeddedId(name, content, idIn(path))
      this.known.set(path, file_id)
      return file_id
    } finally {
      content.destroy() // nobody may have begun to read, and the archive stays open until it is closed
    }
  }
}

/** As an export of ours lays files out: `files/<file_id> name`. */
function idIn(path: string): Ulid | undefined {
  const [, id = ''] = /(?:^|\/)files\/(\w{26}) [^/]*$/.exec(path) ?? []
  return parseUlid(id) ?? undefined
}
