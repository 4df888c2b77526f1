import { MAX_COLUMNS } from '#src/imports/bounds.ts'
import { ImportFault, type FaultPlace } from '#src/imports/source.ts'

const MAX_HEADING = 1000

/** The names of a table's columns: each once, none empty. */
export class ColumnNames {
  readonly names: string[] = []
  private readonly taken = new Set<string>()
  private readonly place: FaultPlace

  constructor(place: FaultPlace) {
    this.place = place
  }

  /** @throws ImportFault for too many */
  add(heading: string, line?: number): string {
    if (this.names.length === MAX_COLUMNS)
      throw new ImportFault(`a table has at most ${MAX_COLUMNS} columns`, { ...this.place, line })
    const asked = heading.trim().slice(0, MAX_HEADING) || `Column ${this.names.length + 1}`
    let name = asked
    for (let i = 2; this.taken.has(name); i++) name = `${asked} ${i}`
    this.taken.add(name)
    this.names.push(name)
    return name
  }
}
