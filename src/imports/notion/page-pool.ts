import { createHash } from 'node:crypto'
import { composed } from '#src/domain/decompose.ts'
import { type NotionPage, readHead } from '#src/imports/notion/notion-page.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

/** Properties of a page that are remembered, and pages of one title that are compared with a row. */
const MOST_PROPERTIES = 16
const MOST_COMPARED = 100

interface Pooled {
  file: ArchivedFile
  /** What it says of its properties, as short numbers. */
  marks: readonly number[]
}

/** Which page is that of a row: a CSV of Notion's says the title alone, and several pages may have that. */
export class PagePool {
  private readonly byTitle = new Map<string, Pooled[]>()

  static async of(files: readonly ArchivedFile[], headings: ReadonlySet<string>): Promise<PagePool> {
    const pool = new PagePool()
    for (const file of files) {
      const { title, properties } = await readHead(file, headings)
      const marks = [...properties].slice(0, MOST_PROPERTIES).map(([key, value]) => markOf(key, value))
      const known = pool.byTitle.get(keyOf(title))
      if (known) known.push({ file, marks })
      else pool.byTitle.set(keyOf(title), [{ file, marks }])
    }
    return pool
  }

  /** The one whose properties are most like the row's; each once. */
  take(title: string, values: NotionPage['properties']): ArchivedFile | undefined {
    const pages = this.byTitle.get(keyOf(title))
    if (!pages?.length) return undefined
    if (pages.length === 1) return pages.pop()!.file
    const wanted = new Set([...values].map(([key, value]) => markOf(key, value)))
    const likeness = ({ marks }: Pooled) => marks.reduce((sum, mark) => sum + (wanted.has(mark) ? 1 : -1), 0)
    let best = 0
    for (let i = 1; i < Math.min(pages.length, MOST_COMPARED); i++)
      if (likeness(pages[i]!) > likeness(pages[best]!)) best = i
    return pages.splice(best, 1)[0]!.file
  }

  /** Those that no row has taken. */
  *left(): Generator<ArchivedFile> {
    for (const pages of this.byTitle.values()) for (const { file } of pages) yield file
  }
}

const keyOf = (title: string): string =>
  composed(title).replaceAll(/\s+/g, ' ').trim().slice(0, 300) || 'Untitled'

/** A relation is written with a path from where it stands, which differs between the CSV and the page. */
const markOf = (key: string, value: string): number =>
  createHash('sha1')
    .update(
      `${key}\n${value
        .replaceAll(/\([^()]*\)/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim()}`,
    )
    .digest()
    .readInt32LE()
