import { composed } from '#src/domain/decompose.ts'
import type { Archive, ArchivedFile } from '#src/imports/zip/archive.ts'

const NOTE = /\.(?:md|markdown)$/i
/** What programs keep next to notes. */
const OF_PROGRAMS = /(?:^|\/)\.[^/]+\//

/** The notes and other files of a folder, and where links between them lead. */
export class Vault {
  /** In the order of their paths. */
  readonly notes: readonly ArchivedFile[]
  /** Before each path, where the zip is of one folder. */
  readonly root: string
  readonly ofPrograms: ReadonlySet<string>
  private readonly archive: Archive
  private readonly attached: ReadonlySet<string>
  /** By the name without folder and, of notes, without ending. */
  private readonly byName = new Map<string, string[]>()

  /** `attached`: paths that are no notes, whatever they are called. */
  constructor(archive: Archive, attached: ReadonlySet<string> = new Set()) {
    this.archive = archive
    this.attached = attached
    const all = [...archive.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    const files = all.filter(({ path }) => !OF_PROGRAMS.test(path))
    this.root = rootOf(files)
    this.notes = files.filter(({ path }) => this.isNote(path))
    this.ofPrograms = new Set(
      all.flatMap(({ path }) => (OF_PROGRAMS.test(path) ? path.slice(this.root.length).split('/')[0]! : [])),
    )
    for (const { path } of files) {
      const key = keyOf(path)
      const known = this.byName.get(key)
      if (known) known.push(path)
      else this.byName.set(key, [path])
    }
  }

  /** Files that are no notes. */
  *others(): Generator<ArchivedFile> {
    for (const file of this.archive.files.values())
      if (!this.isNote(file.path) && !OF_PROGRAMS.test(file.path)) yield file
  }

  /** What programs keep is not taken, whatever leads to it. */
  has(path: string): boolean {
    return this.archive.files.has(path) && !OF_PROGRAMS.test(path)
  }

  /** What stands before the ending is how an item is called. */
  nameOf(path: string): string {
    return path.slice(path.lastIndexOf('/') + 1).replace(NOTE, '')
  }

  isNote(path: string): boolean {
    return NOTE.test(path) && !this.attached.has(path)
  }

  /** The same folder, where these paths are no notes. */
  withAttached(paths: ReadonlySet<string>): Vault {
    return new Vault(this.archive, paths)
  }

  /** The file that a link in a note means: by its path from there or from the root, or by its name alone. */
  find(target: string, from: string): string | undefined {
    const wanted = composed(target.replace(/^\/+/, ''))
    if (!wanted) return undefined
    const folder = from.slice(0, from.lastIndexOf('/') + 1)
    for (const path of [resolved(folder + wanted), resolved(this.root + wanted)])
      for (const each of path === undefined ? [] : [path, `${path}.md`]) if (this.has(each)) return each
    const named = this.byName.get(keyOf(wanted)) ?? []
    const end = `/${wanted.toLowerCase().replace(NOTE, '')}`
    const isEnd = (path: string) => `/${path.toLowerCase().replace(NOTE, '')}`.endsWith(end)
    // As Obsidian has it: the one that lies nearest to the root.
    return named
      .filter(isEnd)
      .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))[0]
  }
}

const keyOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(NOTE, '')
    .toLowerCase()

function rootOf(files: readonly ArchivedFile[]): string {
  const first = files[0]?.path ?? ''
  const folder = first.slice(0, first.indexOf('/') + 1)
  return folder && files.every(({ path }) => path.startsWith(folder)) ? folder : ''
}

/** Undefined where it leads out of the archive. */
function resolved(path: string): string | undefined {
  const parts: string[] = []
  for (const part of path.split('/'))
    if (part === '..') {
      if (!parts.length) return undefined
      parts.pop()
    } else if (part && part !== '.') parts.push(part)
  return parts.join('/')
}
