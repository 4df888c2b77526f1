import { MAX_COLUMNS } from '#src/imports/bounds.ts'
import { textFault } from '#src/imports/kept-text.ts'
import { type FaultPlace, ImportFault } from '#src/imports/source.ts'

/** The table of items without a tag, in what we exported: no tag can be called so. */
export const UNTAGGED = 'Items -> no tag'

/** The column of a field, which may be called as what every row has. */
export const ownColumn = (field: string): string =>
  /^(?:item_id|name|description)$/i.test(field) ? `${field} of the tag` : field

/** The first of the characters of a name, none of them halved, and no blank behind them. */
export const upTo = (most: number, name: string): string =>
  Array.from(name.slice(0, 2 * most))
    .slice(0, most)
    .join('')
    .trim()

const MAX_NAME = 200

/** A table is called as its file is, without what says its format. */
export function tableName(file: string): string {
  const base = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  const name = base.replace(/\.(?:csv|tsv|tab|txt|xlsx|json|geojson|jsonl|ndjson|zip|md)$/i, '').trim()
  return upTo(MAX_NAME, name) || 'Table'
}

const MAX_HEADING = 1000

/** The names of a table's columns: each once, none empty. */
export class ColumnNames {
  readonly names: string[] = []
  private readonly taken = new Set<string>()
  private readonly place: FaultPlace

  constructor(place: FaultPlace) {
    this.place = place
  }

  /** @throws ImportFault for too many, and for a text that nothing can be called */
  add(heading: string, line?: number): string {
    if (this.names.length === MAX_COLUMNS)
      throw new ImportFault(`a table has at most ${MAX_COLUMNS} columns`, { ...this.place, line })
    const fault = textFault(heading)
    if (fault !== undefined) throw new ImportFault(`a heading ${fault}`, { ...this.place, line })
    const given = upTo(MAX_HEADING, heading.trim())
    // Columns are keys of a mapping, and this is none (`json-scanner.ts`).
    const asked = given && given !== '__proto__' ? given : `Column ${this.names.length + 1}`
    let name = asked
    for (let i = 2; this.taken.has(name); i++) name = `${asked} ${i}`
    this.taken.add(name)
    this.names.push(name)
    return name
  }
}
