import { MAX_CELL } from '#src/imports/bounds.ts'
import { noteHtml, rowAddress } from '#src/imports/markdown/note-html.ts'
import { type DatabaseRow, DatabaseRows } from '#src/imports/notion/notion-database.ts'
import { idOf, linkedId } from '#src/imports/notion/notion-names.ts'
import { type NotionPage, readPage } from '#src/imports/notion/notion-page.ts'
import type { NotionSpace } from '#src/imports/notion/notion-space.ts'
import { type Cell, isRich, type SourceRecord, type SourceRow } from '#src/imports/source.ts'

const MAX_LEFT_OUT = 1000
/** Cleaned away: what leads to a database leads nowhere, its text stays. */
const NOWHERE = 'database:'
/** What stands alone where a database is shown in a page. */
const DATABASE_LINK = /^\s*\[[^\]\n]*\]\([^\n]*\.csv\)\s*$/gim

/** A table for each database, with the text of its pages, and one of the other pages, which have no tag. */
export async function* notionRecords(space: NotionSpace, archive: string): AsyncGenerator<SourceRecord> {
  const records = new NotionRecords(space, archive)
  yield* records.databases()
  yield* records.pages()
  yield* records.leftOut()
}

class NotionRecords {
  private readonly space: NotionSpace
  private readonly archive: string
  private readonly taken = new Set<string>()
  private readonly shown = new Set<string>()
  private readonly missing: [table: string, count: number][] = []

  constructor(space: NotionSpace, archive: string) {
    this.space = space
    this.archive = archive
  }

  async *databases(): AsyncGenerator<SourceRecord> {
    for (const database of this.space.databases) {
      // Two that are called alike may have one folder: what the first has taken is not for the second.
      const pages = database.pages.filter(({ path }) => !this.taken.has(path))
      const rows = new DatabaseRows({ ...database, pages }, this.space, this.archive)
      for await (const each of rows.rows()) yield 'is' in each ? each : await this.withText(each)
      if (rows.missing) this.missing.push([database.table, rows.missing])
    }
  }

  async *pages(): AsyncGenerator<SourceRecord> {
    const { loose: table, vault } = this.space
    let isTold = false
    for (const page of vault.notes) {
      const { path } = page
      if (this.taken.has(path)) continue
      const read = await readPage(page)
      if (this.isStub(path, read)) continue
      if (!isTold) yield { is: 'table', table, columns: ['name', 'description'], tag: null }
      isTold = true
      const cells = new Map<string, Cell>([['name', read.title]])
      yield this.withBody({ is: 'row', table, line: 1, file: path, id: path, cells }, read, path)
    }
  }

  *leftOut(): Generator<SourceRecord> {
    yield* this.space.left_out
    for (const [name, count] of this.missing)
      yield { is: 'left_out', name, reason: `${count} related pages are not in the export` }
    let left = 0
    for (const { path } of this.space.others())
      if (!this.shown.has(path) && left++ < MAX_LEFT_OUT)
        yield { is: 'left_out', name: path, reason: 'no page shows it or links to it' }
  }

  private async withText({ row, page, headings }: DatabaseRow): Promise<SourceRecord> {
    for (const cell of row.cells.values())
      if (isRich(cell) && 'files' in cell) for (const { path } of cell.files) this.shown.add(path)
    if (!page) return row
    this.taken.add(page.path)
    return this.withBody(row, await readPage(page, headings), page.path)
  }

  private withBody(row: SourceRow, { body, fault }: NotionPage, path: string): SourceRow {
    if (row.fault) return row
    if (fault) return { ...row, file: path, line: fault.line, fault: { message: fault.message } }
    const html = noteHtml(body, path, this.space.vault, {
      breaks: true,
      addressOf: (href) => this.addressOf(href),
      onFile: (shown) => void this.shown.add(shown),
    })
    if (html.length > MAX_CELL)
      return { ...row, file: path, line: 1, fault: { message: 'the page is longer than 1 MiB' } }
    return html ? { ...row, cells: new Map([...row.cells, ['description', { html }]]) } : row
  }

  /** By the id in it: links between pages are addresses at Notion too. */
  private addressOf(href: string): string | undefined {
    const id = linkedId(href)
    if (id === undefined) return /^[^:]*\.csv$/i.test(href) ? NOWHERE : undefined
    const page = this.space.pageWithId(id)
    if (this.space.isDatabase(id)) return NOWHERE
    return page === undefined ? undefined : rowAddress(page)
  }

  /** A page that does no more than show the database of its name. */
  private isStub(path: string, { body, fault }: NotionPage): boolean {
    const id = idOf(path)
    return (
      !fault && id !== undefined && this.space.isDatabase(id) && !body.replaceAll(DATABASE_LINK, '').trim()
    )
  }
}
