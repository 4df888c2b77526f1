import { posix } from 'node:path'
import { decodedAddress } from '#src/imports/decoded-address.ts'
import { readWhole } from '#src/imports/xlsx/xml-stream.ts'
import type { Archive, ArchivedFile } from '#src/imports/zip/archive.ts'

/** A part that another one names. */
export interface Relation {
  id: string
  /** The end of its type, which the two dialects of the format have in common: `worksheet`. */
  kind: string
  /** As it is written there. */
  target: string
  /** Undefined: the file has no such part. */
  file: ArchivedFile | undefined
}

/** The parts of a workbook by the relations between them (ECMA-376 part 2): cases of names do not count. */
export class WorkbookParts {
  private readonly files: ReadonlyMap<string, ArchivedFile>

  constructor({ files }: Archive) {
    this.files = new Map([...files].map(([path, file]) => [path.replaceAll('\\', '/').toLowerCase(), file]))
  }

  at(path: string): ArchivedFile | undefined {
    return this.files.get(path.toLowerCase())
  }

  /** The part that all others belong to, wherever it lies. */
  async book(): Promise<{ path: string; file: ArchivedFile } | undefined> {
    const roots = await this.relationsOf('')
    const main = roots.find(({ kind, file }) => kind === 'officeDocument' && file)
    const file = main?.file ?? this.at('xl/workbook.xml')
    return file && { path: file.path.replaceAll('\\', '/'), file }
  }

  async relationsOf(path: string): Promise<Relation[]> {
    const { dir, base } = posix.parse(path)
    const found: Relation[] = []
    await readWhole(this.at(posix.join(dir, '_rels', `${base}.rels`)), {
      open: (tag, { Id: id = '', Type: type = '', Target: target = '' }) => {
        if (tag !== 'Relationship') return
        found.push({ id, kind: type.slice(type.lastIndexOf('/') + 1), target, file: this.meant(dir, target) })
      },
    })
    return found
  }

  /** A target is one from the folder of the part; some programs write one from the root without saying so. */
  private meant(dir: string, target: string): ArchivedFile | undefined {
    const path = decodedAddress(target).replaceAll('\\', '/')
    const fromRoot = posix.normalize(path).replace(/^\/+/, '')
    const fromHere = path.startsWith('/') ? fromRoot : posix.join(dir, path)
    return this.at(fromHere) ?? this.at(fromRoot)
  }
}
