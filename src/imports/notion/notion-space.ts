import { Vault } from '#src/imports/markdown/vault.ts'
import { baseName, idOf, titleOf, withoutId } from '#src/imports/notion/notion-names.ts'
import type { LeftOut } from '#src/imports/source.ts'
import type { Archive, ArchivedFile } from '#src/imports/zip/archive.ts'

export interface Database {
  file: ArchivedFile
  /** As its table is called: no other is. */
  table: string
  /** Pages of its rows, and others that lie there. */
  pages: ArchivedFile[]
}

const CSV_FILE = /\.csv$/i

/** The pages and databases of an export, and where links between them lead. */
export class NotionSpace {
  readonly vault: Vault
  readonly databases: readonly Database[]
  /** The table of pages that are rows of no database. */
  readonly loose: string
  readonly left_out: LeftOut[] = []
  private readonly databasesById = new Set<string>()
  private readonly pagesById = new Map<string, string>()
  private readonly byFolder = new Map<string, Database>()

  constructor(archive: Archive) {
    this.vault = new Vault(archive)
    const names = new Names()
    this.databases = this.chosen().map((file) => {
      const database = { file, table: names.unique(titleOf(file.path)), pages: [] }
      const id = idOf(file.path)
      if (id) this.databasesById.add(id)
      const folder = folderOf(file.path)
      for (const each of [folder, withoutId(folder)])
        if (!this.byFolder.has(each)) this.byFolder.set(each, database)
      return database
    })
    this.loose = names.unique('Pages')
    for (const page of this.vault.notes) {
      const id = idOf(page.path)
      if (id) this.pagesById.set(id, page.path)
      this.databaseOf(page.path)?.pages.push(page)
    }
  }

  /** Of which database a page seems to be a row: it lies in the folder that is called as that. */
  databaseOf(page: string): Database | undefined {
    return this.byFolder.get(page.slice(0, page.lastIndexOf('/')))
  }

  pageWithId(id: string): string | undefined {
    return this.pagesById.get(id)
  }

  isDatabase(id: string): boolean {
    return this.databasesById.has(id)
  }

  /** A file that is neither page nor database, by its path as a cell of `from` has it. */
  attached(address: string, from: string): string | undefined {
    const path = from.slice(0, from.lastIndexOf('/') + 1) + address
    return this.vault.has(path) && !this.vault.isNote(path) && !CSV_FILE.test(path) ? path : undefined
  }

  /** Files that are neither. */
  *others(): Generator<ArchivedFile> {
    for (const file of this.vault.others()) if (!CSV_FILE.test(file.path)) yield file
  }

  /** One file for each database: the one with all rows, where there are two, the first, where it is shown twice. */
  private chosen(): ArchivedFile[] {
    const all = [...this.vault.others()].filter(({ path }) => CSV_FILE.test(path))
    const ordered = all.sort((a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1))
    const known = new Map<string, ArchivedFile>()
    for (const file of ordered) {
      const key = idOf(file.path) ?? folderOf(file.path)
      const first = known.get(key)
      if (!first) known.set(key, file)
      else if (folderOf(first.path) !== folderOf(file.path))
        this.left_out.push({ is: 'left_out', name: file.path, reason: `it is the database of ${first.path}` })
    }
    return [...known.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }
}

const rank = (path: string): number => (/_all\.csv$/i.test(path) ? 0 : 1)

/** Where the pages of a database's rows are. */
const folderOf = (csv: string): string => csv.replace(/(?:_all)?\.csv$/i, '')

class Names {
  private readonly taken = new Set<string>()

  unique(name: string): string {
    const short = name.slice(0, MAX_NAME)
    let unique = short
    for (let i = 2; this.taken.has(unique.toLowerCase()); i++) unique = `${short} ${i}`
    this.taken.add(unique.toLowerCase())
    return unique
  }
}

const MAX_NAME = 190

/** Whether a zip seems to be an export of Notion's: most names have an id, or all that is in it are its parts. */
export function isNotionExport(paths: Iterable<string>): boolean {
  let [pages, named, zips] = [0, 0, 0]
  for (const path of paths) {
    if (/\.(?:md|csv)$/i.test(path)) {
      pages++
      if (idOf(path)) named++
    } else if (/\.zip$/i.test(baseName(path))) zips++
  }
  return pages ? named > pages / 2 : zips > 0
}
