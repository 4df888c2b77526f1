import type { Readable } from 'node:stream'
import type { FieldMap } from '#src/domain/field-schema.ts'
import type { TagLook } from '#src/domain/tag-look.ts'

export const IMPORT_FORMATS = ['csv', 'xlsx', 'json', 'markdown', 'notion'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** A file that is to be imported, on a disk of this machine. */
export interface ImportFile {
  path: string
  /** As it was called where it was uploaded. */
  name: string
  size: number
  /** What is unpacked of it lies there, and goes with it; without one in a folder of its own. */
  folder?: string
}

/**
 * What a reader gives, one after the other, in the same order each time it reads a file: an import that was cut off
 * goes on behind the rows that it has written.
 */
export type SourceRecord = SourceTable | SourceRow | LeftOut

/** A table begins. The same table again has more columns: those that it did not have are put behind the others. */
export interface SourceTable {
  is: 'table'
  table: string
  /** Each name once. */
  columns: readonly string[]
  /** What a column is, where the format says so; without it that is guessed by its cells. */
  types?: Readonly<Record<string, ColumnType>>
  /** How the text that it comes from is read. */
  read_as?: TextReading
  /** The line of its headings. */
  header_row?: number | undefined
  /** The tag as it was where the file was made: one that is made anew is made so. Null: its items have none. */
  tag?: SourceTag | null
}

export interface TextReading {
  encoding: string
  separator: string
}

export interface SourceTag {
  description?: string | null
  /** A field map with names of tags in place of their ids. */
  fields?: FieldMap
  /** Names of tags. */
  extends?: readonly string[]
  look?: TagLook | null
  /** The fields that columns go to, where they are called otherwise. */
  columns?: Readonly<Record<string, string>>
}

export interface SourceRow {
  is: 'row'
  table: string
  /** From 1: the line of a text at which it begins, the row of a sheet, the element of a list. */
  line: number
  /** Where it is in an archive. */
  file?: string
  /** By which `Link`s of other rows mean this one: unique in the import. Without it nothing leads here but names. */
  id?: string
  /** The item is that of the row with this id, which the row before has or is the same as: it has the tag of this table too. */
  same_as?: string
  /** By the name of the column, which its table has said. */
  cells: ReadonlyMap<string, Cell>
  /** Why it cannot be taken: it is left out, and reported as a fault. */
  fault?: RowFault
}

export interface RowFault {
  column?: string
  message: string
  suggestion?: string
}

/** What of a file cannot be taken, and why: reported once for the file. */
export interface LeftOut {
  is: 'left_out'
  name: string
  reason: string
}

/** Null and '' are empty. A date is `2026-01-31`, a date with a time what Facet takes as one. */
export type Cell = null | string | number | boolean | readonly string[] | RichCell

export type RichCell =
  /** Items by the rows that they come from; `name` where no row of the import has that id. */
  | { links: readonly Link[] }
  /** Files of the archive, opened with `ImportReader.openEmbedded`. */
  | { files: readonly EmbeddedFile[] }
  /** HTML in which `href="import-row:ID"` leads to the item of a row, and `import-file:PATH` stands for an embedded file, which is called as its path ends or as `file_names` says. */
  | { html: string; file_names?: Readonly<Record<string, string>> }
  /** HTML of an item of ours, whose `/items/ID` and `/api/files/ID` are those of the base that it comes from. */
  | { own_html: string }
  /** The value of a field as an item of ours has it, with ids of items and files. */
  | { stored: unknown }
  /** What a spreadsheet could not compute: `#DIV/0!`; '': what none has computed yet. */
  | { error: string }

export const isEmpty = (cell: Cell | undefined): boolean => cell === null || cell === undefined || cell === ''

/** Empty, or nothing but white space. */
export const isBlankCell = (cell: Cell | undefined): boolean =>
  isEmpty(cell) || (typeof cell === 'string' && !cell.trim())

export const isRich = (cell: Cell | undefined): cell is RichCell =>
  typeof cell === 'object' && cell !== null && !Array.isArray(cell)

export interface Link {
  id?: string
  name: string
  /** An item of ours that is no row, with its id if that is known: found in the base, or left out. */
  outside?: { item_id?: string }
}

export interface EmbeddedFile {
  path: string
  name: string
}

/** What a column is, as `look` answers it. */
export interface ColumnType {
  type: string
  variants?: readonly string[]
  /** Names of tables or tags. */
  of?: readonly string[]
}

export interface ReadOptions {
  signal: AbortSignal
  /** Of a text its line, of a workbook the row of each sheet, that has the headings; without it they are looked for. */
  header_row?: number | undefined
}

/** Reads one format. Bounded: it holds no more than a few megabytes, whatever the file is. */
export interface ImportReader {
  /** In lists of some hundred at most. @throws ImportFault where the file cannot be read any further */
  read(file: ImportFile, options: ReadOptions): AsyncIterable<readonly SourceRecord[]>
  /** @throws ImportFault where the archive has no such file, or it is too large */
  openEmbedded?(file: ImportFile, path: string): Promise<Readable>
}

export interface FaultPlace {
  file?: string | undefined
  table?: string | undefined
  line?: number | undefined
  column?: string | undefined
}

/** The file as a whole cannot be imported. The message is a sentence that names the place. */
export class ImportFault extends Error {
  readonly place: FaultPlace
  readonly suggestion: string | undefined

  constructor(message: string, place: FaultPlace = {}, suggestion?: string) {
    super(`${placeText(place)}${message}`)
    this.name = 'ImportFault'
    this.place = place
    this.suggestion = suggestion
  }

  /** As it comes from another thread, its place named already. */
  static told({
    message,
    suggestion,
    place,
  }: Pick<ImportFault, 'message' | 'suggestion' | 'place'>): ImportFault {
    return Object.assign(new ImportFault('', place, suggestion), { message })
  }
}

function placeText({ file, table, line, column }: FaultPlace): string {
  const parts = [file, table, line === undefined ? undefined : `line ${line}`, column]
  const named = parts.filter((each) => each !== undefined)
  return named.length ? `${named.join(', ')}: ` : ''
}
