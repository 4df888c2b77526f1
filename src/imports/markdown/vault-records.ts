import { MAX_CELL } from '#src/imports/bounds.ts'
import { frontCell } from '#src/imports/markdown/front-cell.ts'
import { noteHtml } from '#src/imports/markdown/note-html.ts'
import { readNote, textOf } from '#src/imports/markdown/note-text.ts'
import type { Vault } from '#src/imports/markdown/vault.ts'
import type { Cell, SourceRecord, SourceRow } from '#src/imports/source.ts'
import { ColumnNames, tableName } from '#src/imports/table-names.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

const MAX_TAGS = 1000
const MAX_LEFT_OUT = 1000
const UNSHOWN = 'no note shows it or links to it'
const IN_LIST = 'front matter has it in a list with notes'
/** Of front matter, what is no value of the note. */
export const NO_FIELD = /^(?:tags?|cssclass(?:es)?)$/i

/**
 * A folder of notes: one table of all of them, with a column for each key of front matter, and for each tag a table of
 * the notes that have it.
 */
export async function* vaultRecords(vault: Vault, file: string): AsyncGenerator<SourceRecord> {
  const records = new VaultRecords(vault, file)
  yield* records.begin()
  for (const note of vault.notes) yield* records.take(note)
  yield* records.end()
}

class VaultRecords {
  private readonly vault: Vault
  private readonly table: string
  private readonly columns: ColumnNames
  /** By the key of front matter. */
  private readonly byKey = new Map<string, string>()
  /** By the tag without case: it is called as it was first. */
  private readonly tags = new Map<string, string>()
  private readonly shown = new Set<string>()
  /** Files in lists of notes. */
  private readonly mixed = new Set<string>()
  private tooManyTags = 0

  constructor(vault: Vault, file: string) {
    this.vault = vault
    this.table = tableName(vault.root.slice(0, -1) || file)
    this.columns = new ColumnNames({ file })
    for (const column of ['name', 'description']) this.columns.add(column)
    this.tags.set(this.table.toLowerCase(), this.table)
  }

  *begin(): Generator<SourceRecord> {
    yield { is: 'table', table: this.table, columns: ['name', 'description'] }
  }

  async *take(note: ArchivedFile): AsyncGenerator<SourceRecord> {
    const { path } = note
    const text = await textOf(note)
    if (text === undefined) return yield this.faulty(path, 1, 'the note is longer than 1 MiB')
    const { front, body, fault } = readNote(text)
    if (fault) return yield this.faulty(path, fault.line, fault.message)
    const tags = new Set(tagsOf(front))
    const onFile = (shown: string) => void this.shown.add(shown)
    const onMixed = (listed: string) => void this.mixed.add(listed)
    const html = noteHtml(body, path, this.vault, { breaks: true, onFile, onTag: (tag) => tags.add(tag) })
    if (html.length > MAX_CELL) return yield this.faulty(path, 1, 'the note is longer than 1 MiB')
    const cells = new Map<string, Cell>([['name', this.vault.nameOf(path)]])
    if (html) cells.set('description', { html })
    for (const [key, value] of Object.entries(front)) {
      if (NO_FIELD.test(key)) continue
      const { column, isNew } = this.columnOf(key)
      if (isNew) yield { is: 'table', table: this.table, columns: [column] }
      const cell = frontCell(value, { from: path, vault: this.vault, onFile, onMixed })
      if (cell !== null) cells.set(column, cell)
    }
    yield { is: 'row', table: this.table, line: 1, file: path, id: path, cells }
    yield* this.tagRows(path, tags)
  }

  *end(): Generator<SourceRecord> {
    let left = 0
    for (const folder of this.vault.ofPrograms)
      yield { is: 'left_out', name: folder, reason: 'a program keeps its settings there' }
    for (const { path } of this.vault.others())
      if (!this.shown.has(path) && left++ < MAX_LEFT_OUT)
        yield { is: 'left_out', name: path, reason: this.mixed.has(path) ? IN_LIST : UNSHOWN }
    if (this.tooManyTags)
      yield { is: 'left_out', name: `${this.tooManyTags} tags`, reason: `at most ${MAX_TAGS} are taken` }
  }

  private *tagRows(path: string, tags: Iterable<string>): Generator<SourceRecord> {
    const taken = new Set<string>()
    for (const tag of tags) {
      const key = tag.toLowerCase()
      if (taken.has(key) || key === this.table.toLowerCase()) continue
      taken.add(key)
      if (!this.tags.has(key)) {
        if (this.tags.size > MAX_TAGS) {
          this.tooManyTags++
          continue
        }
        this.tags.set(key, tag)
        yield { is: 'table', table: tag, columns: ['name'] }
      }
      const cells = new Map<string, Cell>([['name', this.vault.nameOf(path)]])
      yield { is: 'row', table: this.tags.get(key)!, line: 1, file: path, same_as: path, cells }
    }
  }

  private columnOf(key: string): { column: string; isNew: boolean } {
    const known = this.byKey.get(key)
    if (known !== undefined) return { column: known, isNew: false }
    const column = this.columns.add(/^(?:name|description)$/i.test(key) ? `${key} of front matter` : key)
    this.byKey.set(key, column)
    return { column, isNew: true }
  }

  private faulty(file: string, line: number, message: string): SourceRow {
    const cells = new Map<string, Cell>([['name', this.vault.nameOf(file)]])
    return { is: 'row', table: this.table, line, file, id: file, cells, fault: { message } }
  }
}

/** Front matter that names tags. */
export const TAG_KEY = /^tags?$/i

/** `tags: [a, b]`, `tags: a, b` or `tags: "#a #b"`. */
export function tagsOf(front: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(front)
    .filter(([key]) => TAG_KEY.test(key))
    .flatMap(([, value]) => (typeof value === 'string' ? value.split(/[,\s]+/) : [value].flat()))
    .flatMap((tag) => {
      const text = typeof tag === 'string' || typeof tag === 'number' ? String(tag) : ''
      const name = text.trim().replace(/^#/, '').slice(0, 200)
      return name ? [name] : []
    })
}
